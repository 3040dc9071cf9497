//===- TileModel.cpp - What a target decides about tiles ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defaults of targets that do not override them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/HostBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult TileModel::checkHeads(Operation *, RankedTensorType) const { return success(); }
PackedKeys TileModel::packedKeys(Type, Type stored) const { return {accumulatorType(stored)}; }
AttendKernels TileModel::attendKernels(AttentionOp op, HostBuilder &, const QueryOrder &, ArrayRef<Buffer>, bool,
                                       bool) const {
  auto q = op.getQ().getType(), v = op.getV().getType();
  return {{schedule(attendTile(q.getElementType(), q.getDimSize(3), v.getDimSize(3)), q.getElementType())}};
}
AttendKernels TileModel::attendVjpKernels(AttentionVjpOp op, HostBuilder &, xft::VjpSide side, PieceAttr, TilesAttr,
                                          ArrayRef<Buffer>) const {
  auto q = op.getQ().getType(), v = op.getV().getType();
  return {{schedule(attendVjpTile(side, q.getElementType(), q.getDimSize(3), v.getDimSize(3)), q.getElementType())}};
}
xft::LaneTileAttr TileModel::laneTile(Operation *, SolutionAttr, PieceAttr) const { return {}; }
xft::FewTileAttr TileModel::fewTile(AttentionOp, SolutionAttr, int64_t) const { return {}; }
xft::LineTileAttr TileModel::lineTile(Operation *, SolutionAttr) const { return {}; }
std::string TileModel::lineReason(xft::LineTileAttr) const { return {}; }
std::string TileModel::laneReason(xft::LaneTileAttr, PieceAttr) const { return {}; }
std::string TileModel::resourcesOf(func::FuncOp) const { return {}; }
int64_t TileModel::splitK(HostBuilder &, const Product &) const { return 1; }
bool TileModel::reducesInOneSlice(std::optional<int64_t>) const { return false; }
