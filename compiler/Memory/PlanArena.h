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

/// Attribute of a static host program, in bytes: the largest sum of buffers with overlapping lifetimes, a lower bound
/// of every arena.
inline constexpr StringLiteral arenaBoundAttrName = "xft.arena_bound";

/// Replaces every memref.alloc of a host program by an offset in one arena, and records the arena's size (xft.arena,
/// xft.arena_size, xft.arena_bound). Held forms of parameters stay allocations.
LogicalResult planArena(func::FuncOp host);

/// Registers the pass `xf-plan-arena`.
void registerMemoryPasses();

} // namespace mlir::xf

#endif // XF_COMPILER_MEMORY_PLANARENA_H
