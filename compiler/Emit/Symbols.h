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

/// The symbols of an entry's dynamic sizes. There are two kinds. A symbol of the first kind is the size of several
/// dimensions of arguments. Their sizes must be equal, because they share a declared name or because xft.require_equal
/// relates them. A symbol of the second kind is derived: it is the value of an expression of other symbols. Such
/// expressions are declared by xf.dims, must not be negative (xft.sizes), or must be 0 (xft.zero_sizes).
class SymbolClasses {
public:
  static SymbolClasses of(func::FuncOp host);

  /// Returns the index of the symbol of dimension `dim` of argument `argument`, or -1 if the dimension's size is
  /// constant.
  int32_t symbol(unsigned argument, int64_t dim) const;
  SmallVector<HostTable::Symbol, 0> symbols;
  std::map<std::string, int32_t> symbolOfName;

private:
  void addDerived(func::FuncOp host, ArrayRef<std::pair<unsigned, int64_t>> order);
  int32_t derived(const SizeExpression &size, int64_t max = INT64_MAX);

  DenseMap<std::pair<unsigned, int64_t>, int32_t> numbers;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_SYMBOLS_H
