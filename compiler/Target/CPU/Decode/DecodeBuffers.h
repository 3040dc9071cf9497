//===- DecodeBuffers.h - Scratch memory of few rows ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes and the buffers of xft.attend_decode, each buffer declared once (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H
#define XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H

#include "compiler/Target/Kernel/Code/Scratch.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the number of keys whose scores a register tile computes: the elements of 128 bits, which instructions
/// interleave.
inline int64_t interleavedKeys(Type real) { return 128 / real.getIntOrFloatBitWidth(); }

/// The most keys of a register tile.
inline constexpr int64_t mostKeysOfTile = 8;

/// The sizes of an xft.attend_decode. A register of sums belongs to the rows of a band: to one row, or to several, of
/// which each has as many lanes as a group of keys. Rows are padded to whole bands.
struct DecodeSizes {
  explicit DecodeSizes(xft::AttendDecodeOp op);

  xft::AttendDecodeOp op;
  xft::DecodeTileAttr tile;
  MemRefType q, k, v;
  Type real;
  int64_t pieces, rows, rowsOfBand, bands;
  int64_t width; ///< lanes of a row in a band
  int64_t group; ///< keys whose sums are transposed together

  /// The type of numbers as they enter products. Those narrower than sums fill a register with more elements.
  Type operand() const { return tile.getOperand() ? tile.getOperand() : real; }
  int64_t terms() const { return real.getIntOrFloatBitWidth() / operand().getIntOrFloatBitWidth(); }
  /// The elements of a row in a register of operands of a band.
  int64_t operandsOfRow() const { return width * terms(); }
  int64_t paddedRows() const { return bands * rowsOfBand; }
  /// Returns whether rows take about as long to multiply as memory takes to deliver a key: fewer only wait for it, and
  /// more only multiply.
  bool overlaps() const { return rows >= 3 && rows <= 8; }
  /// Returns the number of blocks of a run, whose scores are computed before any of their values are read.
  int64_t blocksOfRun() const;
};

/// The buffers of xft.attend_decode. D' and Dv' are D and Dv in the lanes of a row, and in whole registers.
struct DecodeBuffers {
  Scratch s;
  DecodeSizes z;
  Type word = IntegerType::get(z.tile.getContext(), 64);

  /// [band][part of D'][row][lane], as q enters products: times scale, unless weights are rounded
  ScratchBuffer query = s.take(z.operand(), z.paddedRows() * llvm::alignTo(z.q.getDimSize(3), z.operandsOfRow()));
  /// [row][Dv'], unnormalised
  ScratchBuffer output = s.take(z.real, z.paddedRows() * llvm::alignTo(z.v.getDimSize(3), z.tile.getLanes()));
  ScratchBuffer maximum = s.take(z.real, z.paddedRows() * z.width); ///< [row][lane of it]: m
  /// [block of a run][row][lane of it]: exp(m before the block - m)
  ScratchBuffer decay = ofRun(z.real, z.paddedRows() * z.width);
  ScratchBuffer sums = s.take(z.real, z.paddedRows() * z.width); ///< [row][lane of it]: partial sums of P
  /// [row][lanes of it / terms]: partial sums of rounded P
  ScratchBuffer rounded = s.take(z.real, z.tile.getOperand() ? z.paddedRows() * z.width / z.terms() : 0);
  /// [block of a run][row][key], or [..][group of keys][row][key] in bands of several rows: P, as it enters products
  ScratchBuffer p = ofRun(z.operand(), z.paddedRows() * z.tile.getKeys());
  /// [block of a run][band][group of keys][lane]: sums, which scores and a shift replace between two loops
  ScratchBuffer partial = ofRun(z.real, z.tile.getKeys() * z.bands / z.group * z.tile.getLanes());
  /// [key of a tile][D]: the last rows of k, the last one repeated
  ScratchBuffer copied = s.take(z.q.getElementType(), z.q.getDimSize(3) * mostKeysOfTile);
  ScratchBuffer rowBounds = s.take(word, 2 * z.pieces * z.paddedRows()); ///< [piece][row][2]: keys that each row sees
  ScratchBuffer ranges = s.take(word, z.pieces * 4); ///< [piece][4]: keys that some row sees, and that all rows see

private:
  ScratchBuffer ofRun(Type element, int64_t ofBlock) { return s.take(element, z.blocksOfRun() * ofBlock, ofBlock); }
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_DECODEBUFFERS_H
