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

/// Returns the checkpoint that a run in a folder goes on from: the newest intact one. Returns nullopt where the run
/// begins, since there is none or since `restart` is true, and sets `run` to its number. Says what it skips, and what
/// the run replaces.
std::optional<Checkpoint> findCheckpoint(const std::filesystem::path &folder, bool restart, Progress &progress,
                                         int64_t &run);

/// Throws std::runtime_error, with what differs, where the settings stored in a folder are not those of this run.
void expectSettings(const std::filesystem::path &folder, const Metadata &stored, const Metadata &own);

} // namespace xf::programs

#endif // XF_PROGRAMS_RESUME_H
