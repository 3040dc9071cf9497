//===- TmaCopies.h - TMA copies of rows of matrices ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_TMACOPIES_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_TMACOPIES_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"
#include "dialects/xft/IR/XftBoxes.h"

namespace mlir::xf::nvgpu {

/// An upper bound of the indices of rows that TMA copies. The shortest rows have 16 bytes, so this number of rows takes
/// 16 GB for each head. Differences of such indices fit i32.
constexpr int64_t pairIndexLimit = int64_t(1) << 30;

/// The tensor maps that a kernel lists in its attribute `xft.tensor_maps`. The constructor appends a pointer argument
/// to the kernel for each of them.
class TensorMaps {
public:
  TensorMaps(func::FuncOp kernel, KernelBuilder &kb);

  Value find(xft::TensorMapAttr map) const;

private:
  ArrayAttr listed;
  SmallVector<Value> maps;
};

/// Rows of a matrix BxHxNxD that TMA copies in the order of an index map. `operand` is the kernel's argument for the
/// matrix.
struct RankRows {
  Value operand;
  xft::RankBoxes boxes;
  Value b, h, n;                           ///< n is the size N
  function_ref<Value(int64_t rank)> rowAt; ///< index of the row of rank `rank`; rows from N on arrive as zeros
  /// The coordinates of the first row in a strided tensor map: `column` is the row's index modulo the map's period, and
  /// `inColumn` the index divided by the period. If they are null, copyRankRows computes them from `rowAt`.
  Value column = {}, inColumn = {};
};
/// Starts the TMA copies of `rows` to `to`. Their bytes arrive at `barrier`. Called by one thread.
void copyRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &to,
                  Value barrier);
/// Starts TMA copies from `from` to `rows`. Rows from N on are not written. Called by one thread, which must commit the
/// copies.
void storeRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &from);

/// The number of rows that a warpgroup computes. It is the number of rows of a wgmma instruction.
constexpr int64_t groupRows = 64;

/// Calls body(row, chunk), both i64, for the 16-byte chunks of the 64 rows of a warpgroup. A row has `columns` columns
/// of 16 bits. The chunks are distributed over the threads of the warpgroup.
void forChunks(ThreadBlock &block, int64_t columns, function_ref<void(Value row, Value chunk)> body);
/// Returns the type of a 16-byte chunk: vector<4xi32>.
Type chunkType(KernelBuilder &kb);
/// Copies rows [groupRow, groupRow + 64) of a block of queries or keys from global memory to the same rows of `to` in
/// shared memory, by 16-byte loads and stores instead of TMA. A row has `depth` 16-bit elements, a multiple of 8.
/// Further columns of `to` become zeros. addressOf(n) returns a pointer to row n of the block, aligned to 16 bytes.
/// `groupRow` is an i32. Called by all threads of a warpgroup.
void copyWarpgroupRows(ThreadBlock &block, Type element, const SwizzledMatrix &to, Value groupRow, int64_t depth,
                       function_ref<Value(Value inBlock)> addressOf);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_TMACOPIES_H
