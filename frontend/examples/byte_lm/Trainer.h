//===- Trainer.h - Training, measuring and sampling -*- C++ -*-===//
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

/// Makes the program with the entries "train" (one step), "evaluate" (loss of a batch) and "logits" (one window).
xf::Program makeProgram(const SparseTransformer &model, const Options &options);

/// Describes, as text, all settings that determine the result of a run. A run resumes only from a checkpoint with the
/// same settings.
xf::Metadata describeRun(const Options &options, const Corpus &corpus);

/// Trains, measures and samples with the compiled program. A training step depends only on its number, the learning
/// rate, the seed, the text and the state after the previous step.
class Trainer {
public:
  Trainer(xf::Executable executable, const Options &options, const Corpus &corpus);

  /// Runs a training step, and returns its loss in bits per byte.
  double step(int64_t number, double rate);
  /// Returns the mean bits per byte of a text that is cut into windows. Each byte but the first of a window is
  /// predicted from the bytes before it in the window.
  double measure(std::span<const uint8_t> text) const;
  /// Returns the prompt and `bytes` bytes after it, drawn one by one.
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
