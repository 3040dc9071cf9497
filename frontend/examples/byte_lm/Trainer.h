//===- Trainer.h - Training, measuring and sampling with the compiled program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_TRAINER_H
#define BYTE_LM_TRAINER_H

#include "Checkpoint.h"
#include "Corpus.h"
#include "Options.h"
#include "Schedule.h"

#include <xf/program.h>

namespace byte_lm {

/// The program: entries "train" (one step), "evaluate" (loss of a batch) and "logits" (one window).
xf::Program makeProgram(const SparseTransformer &model, const Options &options);

/// Everything of a run that decides its result, as text; a run resumes only where it is the same.
xf::Metadata describeRun(const Options &options, const Corpus &corpus);

/// Trains from a step to the last; what a step does is a function of the step, the seed and the checkpoint before it.
class Trainer {
public:
  Trainer(xf::Executable executable, const Options &options, const Corpus &corpus);

  /// One step; its loss in bits per byte.
  double step(int64_t number, double rate);
  /// Bits per byte of a text, cut into windows; each byte but the first of a window is predicted from those before it.
  double measure(std::span<const uint8_t> text) const;
  /// Text after the prompt, drawn byte by byte.
  std::string sample(const std::string &prompt, int64_t bytes, uint64_t seed) const;

  xf::StateDict weights() const { return executable.state_dict(); }
  Checkpoint checkpoint(int64_t run, int64_t step, const xf::Metadata &settings) const;
  void restore(const Checkpoint &checkpoint);

  double flopPerStep() const { return executable.flop("train"); }

private:
  xf::Array rows(const std::vector<int32_t> &values, int64_t count) const;

  xf::Executable executable;
  const Options &options;
  const Corpus &corpus;
};

} // namespace byte_lm

#endif // BYTE_LM_TRAINER_H
