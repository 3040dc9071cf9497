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

/// The attribute with a lower bound of the arena, in bytes: the largest sum of the sizes of buffers that are alive in
/// one step. Only host programs without dynamic buffers have this attribute.
inline constexpr StringLiteral arenaBoundAttrName = "xft.arena_bound";

} // namespace mlir::xf

#endif // XF_COMPILER_MEMORY_PLANARENA_H
