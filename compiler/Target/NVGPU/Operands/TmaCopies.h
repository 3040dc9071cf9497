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

/// The tensor maps that a kernel lists as `xft.tensor_maps`: appends an argument for each of them to the kernel.
class TensorMaps {
public:
  TensorMaps(func::FuncOp kernel, KernelBuilder &kb);

  Value find(xft::TensorMapAttr map) const;

private:
  ArrayAttr listed;
  SmallVector<Value> maps;
};

/// Rows of a matrix BxHxNxD, an operand of the kernel, to be copied by TMA in the order of an index map.
struct RankRows {
  Value operand;
  xft::RankBoxes boxes;
  Value b, h, n;                           ///< n: the size N
  function_ref<Value(int64_t rank)> rowAt; ///< row of a rank to be copied; rows from N on arrive as zeros
  /// Coordinates of the first row among strided boxes, its remainder and quotient by the period; null if they must be
  /// computed by division.
  Value column = {}, inColumn = {};
};
/// Starts the TMA copies of `rows` to `to`; their bytes arrive at `barrier`. Called by one thread.
void copyRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &to,
                  Value barrier);

/// Rows of one warpgroup: those of a wgmma instruction.
constexpr int64_t groupRows = 64;

/// Calls body(row, 16-byte chunk of the row) (both i64) for `columns` 16-bit columns of the 64 rows of a warpgroup,
/// distributed over its threads.
void forChunks(ThreadBlock &block, int64_t columns, function_ref<void(Value row, Value chunk)> body);
/// Returns the type of a 16-byte chunk: vector<4xi32>.
Type chunkType(KernelBuilder &kb);
/// Copies the 64 rows of a warpgroup from `groupRow` (i32) on, `depth` 16-bit elements each, to `to`; columns behind
/// them become zeros. addressOf(row of the block) points to 16-byte aligned rows. Called by all threads of the
/// warpgroup.
void copyWarpgroupRows(ThreadBlock &block, Type element, const SwizzledMatrix &to, Value groupRow, int64_t depth,
                       function_ref<Value(Value inBlock)> addressOf);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_TMACOPIES_H
