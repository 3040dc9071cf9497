//===- FewRows.h - Attention of few rows ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_FEWROWS_H
#define XF_COMPILER_TILE_ATTEND_FEWROWS_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

/// The number of keys of a slice that has all keys of a head, however many there are; tiles may round it up.
constexpr int64_t unslicedKeys = int64_t(1) << 40;

/// Returns true if xft.attend_few can compute an attention with `rows` rows in each head, and they are so few beside
/// the keys that a kernel gains from reading keys and values once, as they lie.
bool attendsFewRows(AttentionOp op, SolutionAttr solution, int64_t rows);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_FEWROWS_H
