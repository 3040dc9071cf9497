//===- MeshOptions.h - Which rank trains on what -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_MESHOPTIONS_H
#define XF_PROGRAMS_MESHOPTIONS_H

#include "../training/Trainer.h"
#include "runtime/support/CommandLine.h"

#include <xf/program.h>

namespace xf::programs {

/// Axes of the mesh: "data" shares the windows of a batch among ranks, "sequence" the bytes of each window. Without
/// axes, there is one process.
struct MeshOptions {
  std::vector<Mesh::Axis> axes;
  Placement placement; ///< of the bytes along "sequence"

  void declare(xfrt::tools::CommandLine &line);
  /// Throws UsageError unless `processes` is the number of ranks of the mesh, and these divide the batch and the
  /// length.
  void expectShares(int64_t processes, int64_t batch, int64_t length) const;

  /// Return the part that rank `rank` has of the windows of a batch (rowsOf), or of the bytes of each window
  /// (lengthOf). Consecutive ranks are neighbours along the last axis.
  Part rowsOf(int64_t rank) const { return partAlong("data", rank); }
  Part lengthOf(int64_t rank) const;

private:
  Part partAlong(const std::string &axis, int64_t rank) const;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_MESHOPTIONS_H
