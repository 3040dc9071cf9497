//===- Trainer.h - Training, measuring and sampling -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_TRAINER_H
#define XF_PROGRAMS_TRAINER_H

#include "Checkpoint.h"
#include "Corpus.h"

#include <xf/executable.h>

namespace xf::programs {

/// The part of a dimension that a rank has: number `number` of `count` equal parts.
struct Part {
  int64_t number = 0, count = 1;
  Placement placement = {};

  int64_t sizeOf(int64_t whole) const { return whole / count; }
};

/// The windows of text that a training step takes.
struct Windows {
  int64_t rows = 1, length = 1; ///< windows of a batch, and bytes of a window, of all ranks together
  int64_t accumulate = 1;       ///< number of batches of a step, each a call of the entry "train"
  uint64_t seed = 0;
  Part ownRows = {}, ownLength = {}; ///< parts of the rows, and of the bytes of each, that this rank has
};

/// Returns sampled bytes as printable text: replaces each byte other than printable ASCII and newline by '?'.
std::string readable(const std::string &text);

/// Trains, measures and samples with a compiled language model of bytes. The model's entries take tokens, i32 of rows x
/// length. "train" (with targets and learning_rate) and "evaluate" (with targets) return the mean loss. "logits" takes
/// one window and returns f32 logits of 256 classes for each of its tokens.
///
/// A training step depends only on its number, the learning rate, the seed, the text and the state after the previous
/// step. If several ranks train, each has a trainer, and all must call its functions together. All ranks together then
/// compute the losses and samples.
class Trainer {
public:
  Trainer(Executable executable, const Windows &windows, const Corpus &corpus);

  /// Runs training step `number` with learning rate `rate`. Returns its loss in bits per byte. Throws
  /// std::runtime_error for a loss that is not finite.
  double step(int64_t number, double rate);
  /// Returns the mean loss, in bits per byte, over the consecutive windows of a text. Each byte of a window except the
  /// first is predicted from the bytes before it in the window.
  double measure(std::span<const uint8_t> text) const;
  /// Returns the prompt followed by `bytes` sampled bytes. Each byte is drawn given the bytes before it.
  std::string sample(const std::string &prompt, int64_t bytes, uint64_t seed) const;

  /// Return the weights, or all values from which training can continue. With several ranks, the first has the values,
  /// and the others have none.
  StateDict weights() const { return executable.gather(executable.state_dict()); }
  Checkpoint checkpoint(int64_t run, int64_t step, const Metadata &settings) const;
  void restore(const Checkpoint &checkpoint);

  double flopPerStep() const { return executable.flop("train"); }

private:
  Array share(const std::vector<int32_t> &batch) const;

  Executable executable;
  Windows windows;
  const Corpus &corpus;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_TRAINER_H
