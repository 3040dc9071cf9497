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

#include <xf/program.h>

namespace byte_lm {

/// Makes a program with the entries "train" (one training step), "evaluate" (loss of one batch) and "logits" (logits of
/// one window).
xf::Program makeProgram(const SparseTransformer &model, const Options &options);

/// Returns all settings that determine the result of a run, as pairs of key and text. A run resumes only from a
/// checkpoint with equal settings.
xf::Metadata describeRun(const Options &options, const Corpus &corpus);

/// Trains, measures and samples with the compiled program. A training step depends only on its number, the learning
/// rate, the seed, the text and the state after the previous step.
class Trainer {
public:
  Trainer(xf::Executable executable, const Options &options, const Corpus &corpus);

  /// Runs training step `number` with learning rate `rate`. Returns its loss in bits per byte.
  double step(int64_t number, double rate);
  /// Returns the mean loss, in bits per byte, over the consecutive windows of a text. Each byte of a window except the
  /// first is predicted from the bytes before it in the window.
  double measure(std::span<const uint8_t> text) const;
  /// Returns the prompt followed by `bytes` sampled bytes, each drawn after the bytes before it.
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
