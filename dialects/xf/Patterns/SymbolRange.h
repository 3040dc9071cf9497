//===- SymbolRange.h - Values of the symbols of a pattern ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_SYMBOLRANGE_H
#define XF_DIALECTS_XF_PATTERNS_SYMBOLRANGE_H

#include <cstdint>

namespace mlir::xf {

/// The largest magnitude of a symbol of a pattern, which a call chooses. Positions are below 2^48 (keysOfBlocks), so
/// that formulas of both do not wrap.
inline constexpr int64_t maxSymbol = int64_t(1) << 40;

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_SYMBOLRANGE_H
