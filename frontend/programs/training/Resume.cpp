//===- Resume.cpp - Going on with a run -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resume.h"

using namespace xf;
using namespace xf::programs;
namespace fs = std::filesystem;

std::optional<Checkpoint> programs::findCheckpoint(const fs::path &folder, bool restart, Progress &progress,
                                                   int64_t &run) {
  std::vector<std::string> warnings;
  std::optional<Checkpoint> checkpoint;
  if (!restart)
    checkpoint = loadNewestCheckpoint(folder, warnings);
  for (const std::string &warning : warnings)
    progress.print("skipped: " + warning);
  run = checkpoint ? checkpoint->run : nextRun(folder);
  if (!checkpoint && run > 0)
    progress.print("begins anew: the first checkpoint replaces those in " + folder.string());
  return checkpoint;
}

/// Returns the settings of `run` that are different or absent in `other`, such as "dtype=f32, seed=1".
static std::string differing(const Metadata &run, const Metadata &other) {
  std::string list;
  for (const auto &[key, value] : run)
    if (auto found = other.find(key); found == other.end() || found->second != value)
      list += (list.empty() ? "" : ", ") + key + "=" + value;
  return list;
}

void programs::expectSettings(const fs::path &folder, const Metadata &stored, const Metadata &own) {
  if (stored != own)
    throw std::runtime_error("expected options and text of the run in '" + folder.string() + "' (" +
                             differing(stored, own) + "), got others (" + differing(own, stored) +
                             "); use --restart or another --output");
}
