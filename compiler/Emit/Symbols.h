//===- Symbols.h - Dynamic sizes of an entry ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_SYMBOLS_H
#define XF_COMPILER_EMIT_SYMBOLS_H

#include "compiler/Emit/HostTable.h"

namespace mlir::xf {

/// Classes of argument dimensions that must have one value: those that share a declared name, and those that
/// xft.require_equal ties together.
class SymbolClasses {
public:
  static SymbolClasses of(func::FuncOp host);

  /// The symbol of dimension `dim` of argument `argument`, or -1 where its size is a constant.
  int32_t symbol(unsigned argument, int64_t dim) const;
  SmallVector<HostTable::Symbol, 0> symbols;

private:
  DenseMap<std::pair<unsigned, int64_t>, int32_t> numbers;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_SYMBOLS_H
