//===- ContractEpilogue.h - The epilogue of a product --------- -*- C++ -*-===//
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

/// Applies the epilogue region of an xft.contract to registers of accumulators and writes the results.
class ContractEpilogue {
public:
  ContractEpilogue(KernelBuilder &kb, xft::ContractOp op);

  /// Returns whether accumulators should be spilled to memory and passed to applyToRows, which interleaves the code for
  /// the registers of a row. This is faster for regions with elementary functions.
  bool prefersMemory() { return hasLongChains(region); }

  /// Applies the region to a register tile of C whose first element is at (batch, row, column), and writes the results,
  /// row by row. `sums` are the accumulators of the tile.
  void applyToTile(ArrayRef<Value> batch, Value row, Value column, ArrayRef<Value> sums);

  /// Accumulators of a panel that were spilled to `memory`, a matrix [row][width of the panel]. Their first element is
  /// at (batch, row, column) of C.
  struct SpilledSums {
    ArrayRef<Value> batch;
    Value row, column, memory;
  };
  /// Applies the region to rows [begin, end) of spilled accumulators, and writes the results. `columnCount` is the
  /// number of columns of C in the panel; null stands for all columns of the panel.
  void applyToRows(const SpilledSums &sums, Value begin, Value end, Value columnCount = nullptr);

  /// Returns the cache lines of the operands and results that the epilogue of a tile of `rows` rows reads and writes.
  /// Operands that repeat one row or column have none.
  SmallVector<CacheLines> linesOfTile(ArrayRef<Value> batch, Value row, Value column, int64_t rows);

private:
  /// Where a register of elements lies in C. `mask` (i1) is set in the lanes that lie within C; it is null if all do.
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
