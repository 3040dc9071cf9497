//===- Checkpoint.h - Training that survives being killed -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is one file: weights, optimiser state, and what the trainer needs to go on as if nothing had happened.
// It is written beside the last one, which stays until the next but one; the newest that verifies is loaded.
//
// A run that begins anew in a folder (--restart) has a higher number than those that have checkpoints there. Of two
// runs the later one counts, whatever their steps: its first checkpoint replaces those of the earlier one, not before.
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_CHECKPOINT_H
#define BYTE_LM_CHECKPOINT_H

#include <xf/safetensors.h>

#include <filesystem>
#include <optional>

namespace byte_lm {

struct Checkpoint {
  int64_t run = 0, step = 0;
  /// Parameters and optimiser state.
  xf::StateDict values;
  /// What else decides how training goes on, as text: seed, total steps, text, model.
  xf::Metadata settings;
};

/// Writes FOLDER/checkpoint-STEP.safetensors (checkpoint-STEP-restart-RUN.safetensors after a restart) with a hash of
/// all it holds, then removes all but this one and the one before it in the same run. Throws xf::Error; checkpoints
/// that were there before are intact then.
void saveCheckpoint(const std::filesystem::path &folder, const Checkpoint &checkpoint);

/// The newest checkpoint whose contents have the hash that was written with them; none where there is none. Damaged
/// ones are named in `warnings`.
std::optional<Checkpoint> loadNewestCheckpoint(const std::filesystem::path &folder, std::vector<std::string> &warnings);

/// The number of a run that begins anew: 0 where there is no checkpoint, damaged ones included.
int64_t nextRun(const std::filesystem::path &folder);

} // namespace byte_lm

#endif // BYTE_LM_CHECKPOINT_H
