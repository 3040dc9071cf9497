//===- DecodeBuffers.h - Scratch memory of few rows ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes and the scratch buffers of xft.attend_decode. Each buffer is declared once, as a member with its size
// (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H
#define XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H

#include "compiler/Target/Kernel/Code/Scratch.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the number of keys whose sums of type `real` can be transposed together. It is the number of elements in 128
/// bits, because instructions interleave within 128 bits.
inline int64_t interleavedKeys(Type real) { return 128 / real.getIntOrFloatBitWidth(); }

/// The most keys of a register tile of scores.
inline constexpr int64_t mostKeysOfTile = 8;

/// The sizes of an xft.attend_decode. A *band* is the rows whose sums share a register: one row, or several rows of
/// `width` lanes each. Rows are padded to whole bands.
struct DecodeSizes {
  explicit DecodeSizes(xft::AttendDecodeOp op);

  xft::AttendDecodeOp op;
  xft::DecodeTileAttr tile;
  MemRefType q, k, v;
  Type real;
  int64_t pieces, rows, rowsOfBand, bands;
  int64_t width; ///< lanes of a row in a band
  int64_t group; ///< keys whose sums are transposed together

  /// Returns the element type of the operands of products. If it is narrower than the type of sums, a register holds
  /// more elements of it.
  Type operand() const { return tile.getOperand() ? tile.getOperand() : real; }
  int64_t terms() const { return real.getIntOrFloatBitWidth() / operand().getIntOrFloatBitWidth(); }
  /// Returns how many elements of a row of q one register of operands holds. In a band of several rows, this is the
  /// row's share of the register.
  int64_t operandsOfRow() const { return width * terms(); }
  int64_t paddedRows() const { return bands * rowsOfBand; }
  /// Returns whether the products of the rows with a key take about as long as memory takes to deliver the key. Fewer
  /// rows only wait for memory, and more rows only multiply.
  bool overlaps() const { return rows >= 3 && rows <= 8; }
  /// Returns the number of blocks in a run. The scores of all blocks of a run are computed before any of their values
  /// are read.
  int64_t blocksOfRun() const;
};

/// The scratch buffers of xft.attend_decode. A *part* of a row of k has z.operandsOfRow() elements. D' is D rounded up
/// to whole parts. Dv' is Dv rounded up to whole registers.
struct DecodeBuffers {
  Scratch s;
  DecodeSizes z;
  Type word = IntegerType::get(z.tile.getContext(), 64);

  /// [band][part of D'][row][lane]: q as operands of products, times scale unless weights are rounded
  ScratchBuffer query = s.take(z.operand(), z.paddedRows() * llvm::alignTo(z.q.getDimSize(3), z.operandsOfRow()));
  /// [row][Dv']: o, unnormalised
  ScratchBuffer output = s.take(z.real, z.paddedRows() * llvm::alignTo(z.v.getDimSize(3), z.tile.getLanes()));
  ScratchBuffer maximum = s.take(z.real, z.paddedRows() * z.width); ///< [row][lane of the row]: m
  /// [block of a run][row][lane of the row]: exp(m before the block - m)
  ScratchBuffer decay = ofRun(z.real, z.paddedRows() * z.width);
  ScratchBuffer sums = s.take(z.real, z.paddedRows() * z.width); ///< [row][lane of the row]: partial sums of P
  /// [row][lanes of the row / terms]: partial sums of rounded P
  ScratchBuffer rounded = s.take(z.real, z.tile.getOperand() ? z.paddedRows() * z.width / z.terms() : 0);
  /// [block of a run][row][key], or [..][group of keys][row][key] in bands of several rows: P as operands of products
  ScratchBuffer p = ofRun(z.operand(), z.paddedRows() * z.tile.getKeys());
  /// [block of a run][band][group of keys][lane]: products of q and k. The weights are computed in two loops over rows;
  /// between the two, the buffer holds the scores and the shift in place of the products.
  ScratchBuffer partial = ofRun(z.real, z.tile.getKeys() * z.bands / z.group * z.tile.getLanes());
  /// [key of a tile][D]: copies of the last rows of k, the last one repeated
  ScratchBuffer copied = s.take(z.q.getElementType(), z.q.getDimSize(3) * mostKeysOfTile);
  /// [piece][row][2]: the interval of keys that each row sees
  ScratchBuffer rowBounds = s.take(word, 2 * z.pieces * z.paddedRows());
  /// [piece][4]: intervals of keys that some row sees, and that all rows see
  ScratchBuffer ranges = s.take(word, z.pieces * 4);

private:
  ScratchBuffer ofRun(Type element, int64_t ofBlock) { return s.take(element, z.blocksOfRun() * ofBlock, ofBlock); }
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H
