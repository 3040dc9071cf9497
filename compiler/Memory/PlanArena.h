//===- PlanArena.h - One arena per entry ---------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_MEMORY_PLANARENA_H
#define XF_COMPILER_MEMORY_PLANARENA_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// On a static host program: the largest sum of the bytes of buffers that are alive at one launch, which no plan can go
/// below.
inline constexpr StringLiteral arenaBoundAttrName = "xft.arena_bound";

/// Gives every memref.alloc of a host program a place in one arena and records the arena's size (xft.arena,
/// xft.arena_size, xft.arena_bound).
LogicalResult planArena(func::FuncOp host);

void registerMemoryPasses();

} // namespace mlir::xf

#endif // XF_COMPILER_MEMORY_PLANARENA_H
