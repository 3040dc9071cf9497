//===- MeshFigures.h - What ranks send and compute ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the work of every rank of a mesh. All ranks run one program. Messages are counted by the collectives of its
// host program, and operations by the pieces of its attentions. All sizes must be static.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_MESH_MESHFIGURES_H
#define XF_COMPILER_TOOLS_XFC_MESH_MESHFIGURES_H

#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace mlir::xf {

/// What one rank sends and computes in a call.
struct RankWork {
  int64_t bytes = 0;     ///< bytes sent to ranks of other nodes
  int64_t nodeBytes = 0; ///< bytes sent to ranks of its own node
  int64_t messages = 0;  ///< the number of messages sent
  double flops = 0;      ///< operations on pairs of queries and keys

  int64_t sent() const { return bytes + nodeBytes; }
};

/// Adds to `works` what each rank of a mesh sends in a call of `host`, a host program after the stage `tile`. A node
/// has `ranksPerNode` neighbouring ranks. Returns false if data of the call determine what is sent.
bool addMessages(func::FuncOp host, MeshAttr mesh, int64_t ranksPerNode, std::vector<RankWork> &works);

/// Adds to `works` the operations of the attentions in `share`, a rank's share after the stage `partition`. Returns
/// false if the number of their pairs is unknown.
bool addFlops(func::FuncOp share, MeshAttr mesh, std::vector<RankWork> &works);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_MESH_MESHFIGURES_H
