//===- Checkpoint.h - Saving and resuming training -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is one file with the weights, the optimiser's state and the settings that the trainer needs to continue
// exactly. Saving a checkpoint keeps the previous one of the run and removes all others. Loading returns the newest
// checkpoint whose hash verifies.
//
// A run that begins anew in a folder (--restart) gets a higher number than all runs with checkpoints there. A
// checkpoint of a later run is newer than all of an earlier run, whatever their steps. The checkpoints of earlier runs
// remain until the new run saves its first one.
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_CHECKPOINT_H
#define XF_PROGRAMS_CHECKPOINT_H

#include <xf/safetensors.h>

#include <filesystem>
#include <optional>

namespace xf::programs {

struct Checkpoint {
  int64_t run = 0, step = 0;
  /// Parameters and optimiser state by name.
  StateDict values;
  /// Settings that determine how training continues, as text: seed, total steps, text, model.
  Metadata settings;
};

/// Writes FOLDER/checkpoint-STEP.safetensors (checkpoint-STEP-restart-RUN.safetensors after a restart) with a hash of
/// its contents. Then removes all checkpoints except the new one and the previous one of the same run. Throws Error
/// where writing fails; the earlier checkpoints are then intact.
void saveCheckpoint(const std::filesystem::path &folder, const Checkpoint &checkpoint);

/// Returns the newest checkpoint whose contents match its hash, or nullopt where there is no such checkpoint. Appends a
/// message about each damaged checkpoint to `warnings`.
std::optional<Checkpoint> loadNewestCheckpoint(const std::filesystem::path &folder, std::vector<std::string> &warnings);

/// Returns the number for a new run: one more than the highest run number of the checkpoints in the folder, damaged
/// ones included, or 0 where the folder has no checkpoints.
int64_t nextRun(const std::filesystem::path &folder);

} // namespace xf::programs

#endif // XF_PROGRAMS_CHECKPOINT_H
