//===- GatherRows.h - Rows gathered through an index map ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys and values as attention reads them: rows of a matrix of any element type, transposed into panels or padded to
// whole registers.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H

#include "compiler/Target/CPU/Operands/RankMap.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The rows at one residue of a matrix with unit inner stride.
struct GatheredRows {
  KernelBuilder &kb;
  RankMap map;
  Value matrix; ///< pointer to row 0
  Type from;
  Value stride;    ///< elements between rows
  int64_t columns; ///< elements in a row
  Value end;       ///< ranks that exist

  /// Pointer to the row of an index, or of a rank.
  Value rowAt(Value index) const;
  Value row(Value rank) const { return rowAt(map.at(kb, rank)); }
  /// Panel [columns][width] of `to` with the ranks [first, first + width). Columns without a rank repeat the last one
  /// or are zeros.
  void buildPanel(Type to, Value target, Value first, int64_t width) const;
  /// Rows [first, first + count) that exist, each `padded` elements long, with zeros at its end.
  void buildRows(Type to, Value target, Value first, Value count, int64_t padded) const;
  /// Asks for the row of a rank, which will be read or written soon.
  void prefetch(Value rank) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H
