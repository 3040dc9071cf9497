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

/// The symbols of an entry's dynamic sizes. Each symbol is a class of argument dimensions that must be equal, because
/// they share a declared name or because xft.require_equal relates them.
class SymbolClasses {
public:
  static SymbolClasses of(func::FuncOp host);

  /// Returns the index of the symbol of dimension `dim` of argument `argument`, or -1 if the dimension's size is a
  /// constant.
  int32_t symbol(unsigned argument, int64_t dim) const;
  SmallVector<HostTable::Symbol, 0> symbols;

private:
  DenseMap<std::pair<unsigned, int64_t>, int32_t> numbers;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_SYMBOLS_H
