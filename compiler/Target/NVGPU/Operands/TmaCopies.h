//===- TmaCopies.h - Rows of matrices become boxes ------------ -*- C++ -*-===//
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

/// The tensor maps that a kernel lists as `xft.tensor_maps`: arguments behind all others.
class TensorMaps {
public:
  TensorMaps(func::FuncOp kernel, KernelBuilder &kb);

  Value find(xft::TensorMapAttr map) const;

private:
  ArrayAttr listed;
  SmallVector<Value> maps;
};

/// Rows of a matrix BxHxNxD, an operand of the kernel, in the order of an index map.
struct RankRows {
  Value operand;
  xft::RankBoxes boxes;
  Value b, h, n;                           ///< n: N
  function_ref<Value(int64_t rank)> rowAt; ///< of those to be copied; those of N and beyond arrive as zeros
  /// Where the first of them lies among strided boxes, if known: else it is found by division.
  Value column = {}, inColumn = {};
};
/// Starts copies of `rows` by one thread.
void copyRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &to,
                  Value barrier);

/// Rows of one group of warps: those of an instruction.
constexpr int64_t groupRows = 64;

/// body(row of the group, i64; 16 bytes of it, i64) for all of `columns` columns, each in one thread of the group.
void forChunks(ThreadBlock &block, int64_t columns, function_ref<void(Value row, Value chunk)> body);
/// Four integers of 32 bits.
Type chunkType(KernelBuilder &kb);
/// Copies the group's rows from `groupRow` (i32) on, `depth` elements each; columns behind them become zeros. By all
/// threads of the group.
void copyWarpgroupRows(ThreadBlock &block, Type element, const SwizzledMatrix &to, Value groupRow, int64_t depth,
                       function_ref<Value(Value inBlock)> addressOf);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_TMACOPIES_H
