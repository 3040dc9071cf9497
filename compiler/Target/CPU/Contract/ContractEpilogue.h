//===- ContractEpilogue.h - What happens to a product's sums -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTEPILOGUE_H
#define XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTEPILOGUE_H

#include "compiler/Target/CPU/Machine/PrefetchStream.h"
#include "compiler/Target/CPU/Operands/InterleavedCopies.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Applies the region of an xft.contract to registers of sums and writes the results.
class ContractEpilogue {
public:
  ContractEpilogue(KernelBuilder &kb, xft::ContractOp op);

  /// Whether sums should be put aside and given to applyToRows: the registers of a row then run side by side.
  bool prefersMemory() { return hasLongChains(region); }

  /// For the `rows` x `columns` tile at (batch, row, column) whose sums are in registers, row by row.
  void applyToTile(ArrayRef<Value> batch, Value row, Value column, ArrayRef<Value> sums);

  /// For rows [begin, end) of a block of sums in memory; row 0 of it is `firstRow` of C. Without `columnCount` all
  /// columns of the panel exist.
  void applyToRows(ArrayRef<Value> batch, Value firstRow, Value begin, Value end, Value column, Value sums,
                   Value columnCount = nullptr);

  /// The lines of operands and results that the tile touches, as far as they have rows of their own.
  SmallVector<CacheLines> linesOfTile(ArrayRef<Value> batch, Value row, Value column, int64_t rows);

private:
  /// Where one register of elements lies.
  struct Place {
    ArrayRef<Value> batch;
    Value row, column;
    Value mask; ///< null: all lanes exist
  };
  Value load(const View &view, const Place &place);
  void apply(Value sum, const Place &place, ArrayRef<Value> extra);

  KernelBuilder &kb;
  Block &region;
  SmallVector<View> ins, outs;
  int64_t width, lanes;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CONTRACT_CONTRACTEPILOGUE_H
