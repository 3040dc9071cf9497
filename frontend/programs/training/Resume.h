//===- Resume.h - Going on with a run -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_RESUME_H
#define XF_PROGRAMS_RESUME_H

#include "Checkpoint.h"
#include "Progress.h"

namespace xf::programs {

/// Returns the checkpoint from which a run in `folder` continues: the newest intact checkpoint. Returns nullopt if the
/// run starts from the beginning, because there is no intact checkpoint or because `restart` is true. Sets `run` to the
/// number of the run. Prints which checkpoints it skips, and whether the run will replace others.
std::optional<Checkpoint> findCheckpoint(const std::filesystem::path &folder, bool restart, Progress &progress,
                                         int64_t &run);

/// Throws std::runtime_error with a list of the differences unless `stored` equals `own`. `stored` are the settings of
/// the run in `folder`, and `own` those of this run.
void expectSettings(const std::filesystem::path &folder, const Metadata &stored, const Metadata &own);

} // namespace xf::programs

#endif // XF_PROGRAMS_RESUME_H
