//===- GatherRows.h - Packing of gathered rows ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs keys and values for attention. Gathers rows of a matrix of any element type, and transposes them into panels or
// pads them to whole registers.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H

#include "compiler/Target/CPU/Operands/RankMap.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The rows of a matrix that belong to one residue. They are addressed by rank. The elements of a row are adjacent in
/// memory.
struct GatheredRows {
  KernelBuilder &kb;
  RankMap map;
  Value matrix; ///< pointer to row 0
  Type from;
  Value stride;    ///< elements between rows
  int64_t columns; ///< elements in a row
  Value end;       ///< number of ranks with a row

  /// Return a pointer to the row at index `index` of the matrix, or at rank `rank` of the residue.
  Value rowAt(Value index) const;
  Value row(Value rank) const { return rowAt(map.at(kb, rank)); }
  /// Packs the rows at ranks [first, first + width) as the columns of the panel `target`, [columns][width] elements.
  /// The panel is the right operand of products of `form` whose terms are the columns of the matrix. The terms of an
  /// instruction lie next to each other, with zeros for additional terms. Panel columns behind the last rank repeat the
  /// last row or are zeros.
  void buildPanel(const ProductForm &form, Value target, Value first, int64_t width) const;
  /// Copies the rows at ranks [first, first + count) to `target`, [count][padded] elements, with zeros behind the last
  /// element of a row. The copy is the right operand of products of `form` whose terms are the ranks. The terms of an
  /// instruction lie next to each other. Ranks without a row are skipped. But if an instruction takes such a rank
  /// together with one that has a row, zeros are stored for the rank without a row.
  void buildRows(const ProductForm &form, Value target, Value first, Value count, int64_t padded) const;
  /// Prefetches the row at rank `rank`, which will be read or written soon.
  void prefetch(Value rank) const;

private:
  void copyRow(const ProductForm &form, Value source, Value line, int64_t padded) const;
  void interleaveRows(const ProductForm &form, ArrayRef<Value> sources, Value line, int64_t padded) const;
};

/// Copies `count` elements of type `element` from `from` to `to`, bit for bit.
void copyElements(KernelBuilder &kb, Type element, Value from, Value to, int64_t count);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_GATHERROWS_H
