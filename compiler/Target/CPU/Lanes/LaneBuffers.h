//===- LaneBuffers.h - Scratch memory of rows in lanes -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch buffers of xft.attend_residues and its gradient. Each is declared once, as a member with its size
// (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_LANES_LANEBUFFERS_H
#define XF_COMPILER_TARGET_CPU_LANES_LANEBUFFERS_H

#include "compiler/Target/Kernel/Code/Scratch.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the distance in elements from a row [column][lane] to the next one. Rows are padded, because the same column
/// of many rows would otherwise map to the same sets of a cache.
constexpr int64_t lanePitch(int64_t columns, int64_t lanes) { return columns * lanes + 16; }

/// Declares buffers of registers that have one row in each lane.
struct LaneScratch : Scratch {
  template <typename OpTy>
  LaneScratch(const Scratch &scratch, OpTy op)
      : Scratch(scratch), real(accumulatorType(typeOf(op.getQ()).getElementType())), lanes(op.getTile().getLanes()),
        depth(typeOf(op.getQ()).getDimSize(3)), valueDepth(typeOf(op.getV()).getDimSize(3)) {}

  Type real;
  int64_t lanes, depth, valueDepth; ///< D and Dv

  /// Declares a buffer [count][columns][lane] with padded rows.
  ScratchBuffer rows(int64_t count, int64_t columns) {
    return take(real, count * lanePitch(columns, lanes), lanePitch(columns, lanes));
  }
  /// Declares a buffer [count][lane].
  ScratchBuffer registers(int64_t count) { return take(real, count * lanes, lanes); }
  /// Declares a buffer [count][pairs][lane], for P or dS.
  ScratchBuffer pairs(int64_t count, int64_t pairs) { return take(real, count * pairs * lanes, pairs * lanes); }
  /// Declares a buffer i32 [count][2][lane], for the bounds of the ranks that a row sees in each lane.
  ScratchBuffer bounds(int64_t count) { return take(IntegerType::get(real.getContext(), 32), count * 2 * lanes); }

private:
  static MemRefType typeOf(Value memref) { return cast<MemRefType>(memref.getType()); }
};

/// The buffers of the softmax state of the rows of a tile.
struct LaneSoftmaxBuffers {
  LaneScratch &s;
  int64_t rows;

  ScratchBuffer shift = s.registers(rows);   ///< [row]: m
  ScratchBuffer sums = s.registers(rows);    ///< [row]: l
  ScratchBuffer inverse = s.registers(rows); ///< [row]: 1 / l
};

/// The buffers of m, log l and delta, which a gradient reads for each of its rows.
struct LaneWeightBuffers {
  LaneScratch &s;
  int64_t rows;

  ScratchBuffer shift = s.registers(rows);    ///< [row]: -m
  ScratchBuffer rest = s.registers(rows);     ///< [row]: -log2 l
  ScratchBuffer negDelta = s.registers(rows); ///< [row]: -delta
};

/// The buffers of xft.attend_residues.
struct AttendResiduesBuffers {
  LaneScratch s;
  xft::ResiduesTileAttr tile;

  ScratchBuffer query = s.rows(tile.getRows(), s.depth);        ///< [row of a tile][D], times scale
  ScratchBuffer keys = s.rows(tile.getRanks(), s.depth);        ///< [rank][D]
  ScratchBuffer values = s.rows(tile.getRanks(), s.valueDepth); ///< [rank][Dv]
  ScratchBuffer output = s.rows(tile.getRows(), s.valueDepth);  ///< [row of a tile][Dv]
  ScratchBuffer p = s.pairs(tile.getRows(), tile.getRanks());   ///< [row of a tile][rank]
  LaneSoftmaxBuffers softmax{s, tile.getRows()};
  ScratchBuffer bounds = s.bounds(tile.getRows()); ///< [row of a tile]
};

/// The buffers of xft.attend_residues_vjp.
struct AttendResiduesVjpBuffers {
  LaneScratch s;
  xft::ResiduesTileAttr tile;

  ScratchBuffer query = s.rows(tile.getQueries(), s.depth);          ///< [row][D], times scale
  ScratchBuffer cotangent = s.rows(tile.getQueries(), s.valueDepth); ///< [row][Dv]
  ScratchBuffer dQuery = s.rows(tile.getRows(), s.depth);            ///< [row of a tile][D]
  ScratchBuffer keys = s.rows(tile.getRanks(), s.depth);             ///< [rank][D]
  ScratchBuffer values = s.rows(tile.getRanks(), s.valueDepth);      ///< [rank][Dv]
  ScratchBuffer dKeys = s.rows(tile.getRanks(), s.depth);            ///< [rank][D]
  ScratchBuffer dValues = s.rows(tile.getRanks(), s.valueDepth);     ///< [rank][Dv]
  ScratchBuffer p = s.pairs(tile.getQueries(), tile.getRanks());     ///< [row][rank]
  ScratchBuffer ds = s.pairs(tile.getQueries(), tile.getRanks());    ///< [row][rank]
  LaneWeightBuffers weights{s, tile.getQueries()};
  ScratchBuffer bounds = s.bounds(tile.getQueries()); ///< [row]
  /// i64 [group of rows][2]: the interval of ranks that some lane sees
  ScratchBuffer ranges = s.take(IntegerType::get(tile.getContext(), 64), tile.getQueries() / tile.getRows() * 2, 2);
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_LANES_LANEBUFFERS_H
