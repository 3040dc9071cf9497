//===- FewRows.h - Attention of few rows -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_few` has all rows of a head and a slice of its keys. Few rows wait for memory, so k and v are
// read once, as they lie. For each block of keys:
//
//   products  FewScores.cpp   register tiles of rows by a few keys sum along the columns of k; the sums over the lanes
//   of
//                             these registers are transposed (RegisterSums.h)
//   weights   FewWeights.cpp  P = exp(S - m)
//   values    FewValues.cpp   o = exp(m before - m) o + P V
//
// An instruction whose operands have 16 bits adds several terms to a lane: columns of k, which lie side by side, or
// keys, whose rows of v are interleaved.
//
// As in all attention kernels, a masked pair has P = -0, and the bits of a row depend on the row alone: blocks and
// slices lie at absolute keys.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_FEWROWS_H
#define XF_COMPILER_TARGET_CPU_DECODE_FEWROWS_H

#include "compiler/Target/CPU/Decode/RowRegisters.h"
#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

namespace mlir::xf::cpu {

/// The keys or the values of a head: rows of `view` from `first` on, `registers` each.
struct HeadRows {
  View view;
  RowRegisters registers;
  Value first; ///< pointer

  /// Returns a pointer to row `key`.
  Value at(KernelBuilder &kb, Value key) const { return kb.at(view.element, first, kb.mul(key, view.strides[2])); }
  /// Loads the register at column `column` of the row at `row` as elements of type `operand`, the element type in
  /// memory or that of sums.
  Value load(KernelBuilder &kb, Type operand, Value row, Value column) const {
    Value from = kb.at(view.element, row, column);
    if (operand == view.element)
      return kb.load(kb.vector(operand, registers.lanes), from, operand.getIntOrFloatBitWidth() / 8);
    return loadRegister(kb, view.element, registers.lanes, from);
  }
};

/// A block of keys from `first` on: the columns that some row sees, and those that all rows see, of one piece.
struct KeyBlock {
  Value first;
  Value rowBounds; ///< i64 [row][2]: the keys that each row sees
  Value begin, commonBegin, commonEnd, end;
};

/// The expansion of an `xft.attend_few`: its operands, its buffers in scratch (xft::AttendFewScratch), and the run-time
/// values of the task that is being built.
struct FewRows : AttendTask {
  FewRows(xft::AttendFewOp op, KernelBuilder &kb);

  xft::AttendFewOp op;
  xft::FewTileAttr tile;
  int64_t rows;
  ProductForm product; ///< of numbers as they enter products; all terms of an instruction add to one lane
  HeadRows keys, values;
  Value query, output, maximum, decay, sums, p, partial, rowBounds, ranges;

  /// Returns whether 16-bit numbers enter products: queries without scale, and rounded weights, by whose sum o is
  /// normalised.
  bool roundsOperands() const { return product.operand != real; }
  /// Returns whether the unrounded weights are summed, because a result or the state has their sum.
  bool sumsWeights() { return !roundsOperands() || op.getLse() || !op.getKept().empty() || op.getSave(); }

  /// Return pointers to row `row` of the buffers of q, o and P, to its m and decay, and to its partial sums.
  Value queryAt(Value row) { return operandAt(query, row, keys.registers.padded()); }
  Value outputAt(Value row) { return at(output, row, values.registers.padded()); }
  Value weightsAt(Value row) { return operandAt(p, row, tile.getKeys()); }
  Value maximumAt(Value row) { return at(maximum, row, lanes); }
  Value decayAt(Value row) { return at(decay, row, lanes); }
  Value sumsAt(Value row) { return at(sums, row, xft::AttendFewScratch::sumsOf(tile)); }
  /// Returns a pointer to the partial sums of the rounded weights of a row, given one to those of P.
  Value roundedSumsAt(Value sums) { return kb.at(real, sums, lanes); }
  /// Returns the type of the partial sums of rounded weights: an instruction adds `terms` of them to a lane.
  VectorType roundedSums() { return kb.vector(real, lanes / product.terms); }

private:
  Value operandAt(Value buffer, Value row, int64_t stride) {
    return kb.at(product.operand, buffer, kb.mul(row, stride));
  }
};

/// Returns the size of the parts when `count` things are split to the fewest parts of at most `most`, all but the last
/// of one size.
inline int64_t balanced(int64_t count, int64_t most) { return llvm::divideCeil(count, llvm::divideCeil(count, most)); }

/// Calls `build` for the rows of the task in tiles of `size` rows; the last one may have fewer.
void forEachRowTile(FewRows &few, int64_t size, function_ref<void(Value row, int64_t count)> build);

/// Stores the products of all rows with the keys of a block that some row sees to the buffer `partial`.
void buildProducts(FewRows &few, const KeyBlock &block);
/// Computes P of all rows and keys of a block from their products, and updates m, l and the factor of o of each row.
void buildWeights(FewRows &few, const KeyBlock &block);
/// Adds P V of a block to the rows of o.
void buildValues(FewRows &few, const KeyBlock &block);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_FEWROWS_H
