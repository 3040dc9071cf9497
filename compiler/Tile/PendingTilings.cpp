//===- PendingTilings.cpp - Families that the compiled path does not have yet -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::xf;

static LogicalResult notImplemented(Operation *op) {
  return op->emitError("not implemented: ") << op->getName() << " for the CPU target";
}

LogicalResult xf::tileAttentionVjp(AttentionVjpOp op, HostBuilder &, const Machine &) { return notImplemented(op); }
