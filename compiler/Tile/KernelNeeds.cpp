//===- KernelNeeds.cpp - What tiles expect kernels to take ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/KernelNeeds.h"
#include "compiler/Tile/AttentionVjpGroups.h"
#include "compiler/Tile/ProductGroups.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

int64_t KernelNeeds::mostRegisters() const {
  constexpr int64_t others = 56, all = 240;
  return std::min(heldRegisters + others, all);
}

std::string KernelNeeds::text() const {
  return llvm::formatv("expected {0} bytes, of a thread {1} registers throughout loops and at most {2}", sharedBytes,
                       heldRegisters, mostRegisters());
}

/// The columns of a matrix [B, H, N, D].
static int64_t columnsOf(Value matrix) { return cast<MemRefType>(matrix.getType()).getDimSize(3); }

static std::optional<KernelNeeds> needsOf(xft::AttendOp op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  GroupTile tile{op.getTile(), op.getWarpgroupsAttr()};
  int64_t depth = columnsOf(op.getQ()), valueDepth = columnsOf(op.getO());
  return KernelNeeds{groupBytes(tile, depth, valueDepth), groupRegisters(tile, valueDepth)};
}

static std::optional<KernelNeeds> needsOf(xft::AttendVjpOp op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  GroupTile tile{op.getTile(), op.getWarpgroupsAttr()};
  xft::VjpSide side = *op.getSide();
  int64_t depth = columnsOf(op.getQ()), valueDepth = columnsOf(op.getV());
  return KernelNeeds{vjpGroupBytes(side, tile, depth, valueDepth), vjpGroupRegisters(side, tile, depth, valueDepth)};
}

static std::optional<KernelNeeds> needsOf(xft::ContractOp op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  ProductGroupTile tile{static_cast<int64_t>(op.getBlock()), static_cast<int64_t>(op.getColumns()),
                        op.getWarpgroupsAttr()};
  return KernelNeeds{productGroupBytes(tile), productGroupRegisters(tile)};
}

std::optional<KernelNeeds> xf::expectedNeeds(func::FuncOp kernel) {
  return llvm::TypeSwitch<Operation *, std::optional<KernelNeeds>>(&kernel.getBody().front().front())
      .Case<xft::AttendOp, xft::AttendVjpOp, xft::ContractOp>([](auto op) { return needsOf(op); })
      .Default([](Operation *) { return std::nullopt; });
}
