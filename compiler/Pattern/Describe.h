//===- Describe.h - Solutions in words --------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_DESCRIBE_H
#define XF_COMPILER_PATTERN_DESCRIBE_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Describes the index maps and key bounds of a piece:
/// "r < 128: i = 128a + r, j = 128b + r, keys max(0) <= j <= min(Nk - 1, i - 129)".
std::string describe(PieceAttr piece);

/// Describes the query bounds of a piece: "queries max(Nk - Nq, j + 129) <= i <= min(Nk - 1)", or
/// "no interval" for a piece without an inverse.
std::string describeInverse(PieceAttr piece);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_DESCRIBE_H
