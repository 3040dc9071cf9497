//===- PlanArena.h - One arena per entry ---------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_MEMORY_PLANARENA_H
#define XF_COMPILER_MEMORY_PLANARENA_H

#include "mlir/Support/LLVM.h"

namespace mlir::xf {

/// Attribute of a static host program, in bytes: the largest sum of buffers with overlapping lifetimes, a lower bound
/// of every arena.
inline constexpr StringLiteral arenaBoundAttrName = "xft.arena_bound";

} // namespace mlir::xf

#endif // XF_COMPILER_MEMORY_PLANARENA_H
