//===- DecodeTask.h - Attention of few rows ------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_decode` computes all rows of a head with a slice of its keys. Few rows wait for memory, so k
// and v are read once, where they lie. These are the parts of the code for a block of keys. If blocks form runs, each
// part computes all blocks of a run before the next part does:
//
//   products  DecodeScores.cpp   register tiles of rows by a few keys sum along the columns of k; the sums over the
//                                lanes of these registers are transposed (RegisterSums.h)
//   weights   DecodeWeights.cpp  P = exp(S - m)
//   values    DecodeValues.cpp   o = exp(m before - m) o + P V
//
// From 8 rows on, several rows share a register. They form a band, and each of them has some lanes of the register. All
// rows of a band multiply the same part of a row of k.
//
// An instruction whose operands have 16 bits adds several terms to a lane. In products with k, the terms are
// neighbouring columns. In products with v, the terms are keys, and the rows of v of these keys are interleaved.
//
// As in all attention kernels, a masked pair has P = -0, and the results of a row do not depend on other rows: blocks
// and slices begin at absolute keys.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_DECODETASK_H
#define XF_COMPILER_TARGET_CPU_DECODE_DECODETASK_H

#include "compiler/Target/CPU/Decode/DecodeBuffers.h"
#include "compiler/Target/CPU/Decode/RowRegisters.h"
#include "compiler/Target/Kernel/Attend/AttendTask.h"

namespace mlir::xf::cpu {

/// The keys or the values of a head: the rows of `view` from the pointer `first` on.
struct HeadRows {
  View view;
  RowRegisters registers; ///< of a row; those of k have as many lanes as a row of queries has in a band
  Value first;            ///< pointer

  /// Returns a pointer to row `key`.
  Value at(KernelBuilder &kb, Value key) const { return kb.at(view.element, first, kb.mul(key, view.strides[2])); }
  /// Loads the register at column `column` of the row at pointer `row`, as elements of type `operand`. This is the
  /// element type in memory or the type of sums.
  Value load(KernelBuilder &kb, Type operand, Value row, Value column) const {
    Value from = kb.at(view.element, row, column);
    if (operand == view.element)
      return kb.load(kb.vector(operand, registers.lanes), from, operand.getIntOrFloatBitWidth() / 8);
    return loadRegister(kb, view.element, registers.lanes, from);
  }
};

/// A block of keys from key `first` on, for one piece. No row sees a column outside of [begin, end), and all rows see
/// the columns [commonBegin, commonEnd).
struct KeyBlock {
  Value first;
  Value rowBounds; ///< i64 [row][2]: the keys that each row sees
  Value begin, commonBegin, commonEnd, end;
};

/// The expansion of an `xft.attend_decode`: its sizes, operands and buffers, and the run-time values of the task that
/// is being built.
struct DecodeTask : AttendTask {
  DecodeTask(xft::AttendDecodeOp op, KernelBuilder &kb);

  DecodeSizes z;
  ProductForm product; ///< how products are computed; all terms of an instruction add to one lane
  HeadRows keys, values;
  DecodeBuffers buffers;

  /// Returns whether the operands of products have 16 bits. Then weights are rounded, o is normalised by the sum of
  /// rounded weights, and scores are multiplied by scale instead of the queries.
  bool roundsOperands() const { return product.operand != real; }
  /// Returns whether the unrounded weights are summed, because a result or the saved softmax state needs their sum.
  bool sumsWeights() { return !roundsOperands() || z.op.getLse() || !z.op.getKept().empty() || z.op.getSave(); }

  /// Returns whether registers `n` and `n` + 1 of a tile are a pair. `offsets` are the first columns of its registers
  /// (see RowRegisters::forEach). interleaveParts() interleaves the values of a pair, which leaves their columns in
  /// another order.
  bool isPair(ArrayRef<int64_t> offsets, size_t n) const {
    return product.terms == 2 && n % 2 == 0 && n + 1 < offsets.size() && offsets[n + 1] == offsets[n] + lanes;
  }

  /// Returns a copy of the task that uses the buffers of block `number` of a run.
  DecodeTask ofBlock(Value number) const;

  /// Return pointers to what buffers hold for row `row`: its o, its m, its decay, its partial sums of P, and its
  /// partial sums of rounded P.
  Value outputAt(Value row) { return at(buffers.output, row, values.registers.padded()); }
  Value maximumAt(Value row) { return at(buffers.maximum, row, z.width); }
  Value decayAt(Value row) { return at(buffers.decay, row, z.width); }
  Value sumsAt(Value row) { return at(buffers.sums, row, z.width); }
  Value roundedSumsAt(Value row) { return at(buffers.rounded, row, z.width / product.terms); }
  /// Returns the type of the partial sums of rounded weights for `lanes` lanes of P. An instruction adds product.terms
  /// weights to each partial sum.
  VectorType roundedSums(int64_t lanes) { return kb.vector(real, lanes / product.terms); }
  /// Loads registers of o that lie one behind the other from `from` on, and puts their columns in order. `offsets` are
  /// the first columns of the registers (see isPair).
  SmallVector<Value> loadOutput(Value from, ArrayRef<int64_t> offsets);
  /// Returns a pointer to the queries of band `band`. They have a register for each part of a row of k.
  Value queryAt(Value band) { return operandAt(buffers.query, band, keys.registers.padded() * z.rowsOfBand); }
  /// Returns a pointer to the queries `count` bands behind those at `query`.
  Value ofLaterBand(Value query, int64_t count) const {
    return kb.at(product.operand, query, count * keys.registers.padded() * z.rowsOfBand);
  }
  /// Returns a pointer to P of row `row` and of key `key` + `number` of a block. `key` is a multiple of `unit`.
  /// `number` is less than `unit`, unless `unit` is a multiple of z.width.
  Value weightsAt(Value row, Value key, int64_t number, int64_t unit) {
    Type operand = product.operand;
    if (z.rowsOfBand == 1)
      return kb.at(operand, kb.at(operand, operandAt(buffers.p, row, z.tile.getKeys()), key), number);
    Value within = unit % z.width == 0 ? kb.integer(0) : kb.floorMod(key, z.width);
    Value ofKeys = operandAt(buffers.p, kb.sub(key, within), z.paddedRows());
    int64_t offset = number / z.width * z.width * z.paddedRows() + number % z.width;
    return kb.at(operand, kb.at(operand, operandAt(ofKeys, row, z.width), within), offset);
  }
  /// Returns a pointer to the products of band `band` in the buffer `partial`.
  Value partialAt(Value band) { return at(buffers.partial, band, z.tile.getKeys() / z.group * lanes); }

private:
  Value operandAt(Value buffer, Value row, int64_t stride) {
    return kb.at(product.operand, buffer, kb.mul(row, stride));
  }
};

/// Returns the size of the parts when `count` things are divided into the fewest parts of at most `most` things. All
/// parts but the last have this size.
inline int64_t balanced(int64_t count, int64_t most) { return llvm::divideCeil(count, llvm::divideCeil(count, most)); }

/// Divides `count` rows, or bands, of the task into tiles of `size`, and calls `build` for each tile. The last tile may
/// have fewer.
void forEachTile(DecodeTask &decode, int64_t count, int64_t size, function_ref<void(Value first, int64_t count)> build);

/// Multiplies all rows with the keys of a block that some row sees. Stores the products to the buffer `partial`.
void buildProducts(DecodeTask &decode, const KeyBlock &block);
/// Computes P of all rows and keys of a block from their products. Updates m, l and the decay of o of each row.
void buildWeights(DecodeTask &decode, const KeyBlock &block);
/// Adds P V of a block to the rows of o.
void buildValues(DecodeTask &decode, const KeyBlock &block);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_DECODETASK_H
