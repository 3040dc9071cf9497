//===- AttendBuffers.h - Scratch memory of attention kernels -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch buffers of xft.attend. Each is declared once, as a member with its size (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBUFFERS_H
#define XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBUFFERS_H

#include "compiler/Target/Kernel/Code/Scratch.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The static sizes of xft.attend or its gradient. `values` is an operand whose rows have Dv elements.
struct AttendSizes {
  template <typename OpTy>
  AttendSizes(OpTy op, Value values)
      : tile(op.getTile()), stored(cast<MemRefType>(op.getQ().getType()).getElementType()),
        real(accumulatorType(stored)), word(IntegerType::get(op.getContext(), 64)),
        depth(cast<MemRefType>(op.getQ().getType()).getDimSize(3)),
        valueDepth(cast<MemRefType>(values.getType()).getDimSize(3)) {
    auto schedule = dyn_cast<xft::RegisterTilesAttr>(op.getSchedule());
    isNarrow = schedule && schedule.getOperand();
    operand = isNarrow ? schedule.getOperand() : real;
    asksForKeys = !op.getScore().empty() || op.getDropout();
  }

  xft::AttendTileAttr tile;
  Type stored, real, word, operand; ///< types of elements: of q in memory, of sums, i64, and of operands of products
  int64_t depth, valueDepth;        ///< D, Dv
  bool isNarrow;                    ///< whether the operands of products have 16 bits
  bool asksForKeys;                 ///< whether a score region or dropout reads the keys of ranks

  int64_t rows() const { return tile.getQueries(); }
  int64_t keys() const { return tile.getKeys(); }
  int64_t groups() const { return rows() / tile.getRows(); }
  /// Return D and Dv rounded up to whole registers.
  int64_t columns() const { return padded(depth); }
  int64_t valueColumns() const { return padded(valueDepth); }
  int64_t padded(int64_t columns) const { return llvm::alignTo(columns, tile.getLanes()); }
};

inline constexpr int64_t tileEntries = 3;    ///< numbers per tile that a predicate decides on (GroupTiles::Entry)
inline constexpr int64_t spillRegisters = 3; ///< the most registers of a row of a tile

/// The scratch buffers of xft.attend. Their comments give the dimensions in brackets: [row] is a row of the task's
/// block of query rows, and [row of a tile] is a row of one register tile.
struct AttendBuffers {
  Scratch s;
  xft::AttendOp op;
  AttendSizes z{op, op.getO()};
  int64_t pieces = std::max<int64_t>(1, op.getPieces().size());

  ScratchBuffer rowOf = s.take(z.word, z.rows()); ///< [row]: row of q
  /// [row][D]: q, times scale unless the operands of products have 16 bits
  ScratchBuffer query = s.take(z.real, z.rows() * z.depth);
  ScratchBuffer output = s.take(z.real, z.rows() * z.valueColumns()); ///< [row][Dv in whole registers], unnormalised
  ScratchBuffer sums = s.take(z.real, z.rows() * sumColumns());       ///< [row][sumColumns]: partial sums of P
  ScratchBuffer shift = s.take(z.real, z.rows());                     ///< [row]: -m
  /// [row]: the guards of groups of rows, each at the first row of its group. A guard is open until all rows of the
  /// group have seen a key (AttendSoftmax.cpp).
  ScratchBuffer guard = s.take(z.real, z.rows());
  ScratchBuffer logSums = s.take(z.real, hasLogs() ? z.padded(z.rows()) : 0); ///< [row]: log l, at the end of a task
  ScratchBuffer factor = s.take(z.real, z.tile.getRows()); ///< [row of a tile]: factor that normalises o
  ScratchBuffer p = s.take(z.real, ofTile());              ///< [row of a tile][key]: P as an operand of P V
  /// [row of a tile][register]: the scores of a masked tile, or of a tile whose rows must be rescaled
  ScratchBuffer spill = s.take(z.real, z.tile.getRows() * spillRegisters * z.tile.getLanes());
  ScratchBuffer pieceTable = s.take(z.word, pieces * 8);               ///< [piece][8]
  ScratchBuffer rowBounds = s.take(z.word, 2 * pieces * z.rows());     ///< [piece][row][2]
  ScratchBuffer groupBounds = s.take(z.word, 4 * pieces * z.groups()); ///< [piece][group of rows][4]
  /// [tile of a key block][tileEntries]: the state of the tile and its interval of columns (GroupTiles::Entry)
  ScratchBuffer tileStates = s.take(z.word, op.getTiles() ? z.keys() / z.tile.getWidth() * tileEntries : 0);
  /// [row of a tile][key]: masks of pairs that a predicate decides on. They share memory with `p`, which overwrites
  /// them, unless P has 16 bits.
  ScratchBuffer masks = z.isNarrow ? s.take(z.real, op.getTiles() ? ofTile() : 0) : s.share(p, z.real, ofTile());
  ScratchBuffer keyOf = s.take(z.word, z.asksForKeys ? z.keys() : 0); ///< [key]: positions of the keys, by rank
  /// [row of a tile][key]: the dropout mask, -1 or 0
  ScratchBuffer kept = s.take(z.real, op.getDropout() ? ofTile() : 0);
  /// [panel][D][width]: the keys that the task packs, in the element type of memory. If the operands of products have
  /// 16 bits, D is rounded up to an even number, because an instruction may take two terms.
  ScratchBuffer keyPanels = s.take(z.stored, op.getGathered() * llvm::alignTo(z.depth, z.isNarrow ? 2 : 1));
  ScratchBuffer valueRows = s.take(z.stored, packsValues() ? op.getGathered() * z.valueColumns() : 0); ///< [rank][Dv]
  ScratchBuffer packedRange = s.take(z.word, 2); ///< [2]: interval of the panels of the head that the ring holds
  ScratchBuffer requested = s.take(z.word, 1);   ///< rows of the next task that are prefetched

  /// Returns the number of partial sums of a row: one for each lane. If operands of products have 16 bits, a row has
  /// twice as many; the second half is for the rounded weights, whose sum normalises o.
  int64_t sumColumns() const { return z.tile.getLanes() * (z.isNarrow ? 2 : 1); }
  int64_t ofTile() const { return z.tile.getRows() * z.keys(); }

private:
  bool hasLogs() { return op.getLse() || !op.getKept().empty(); }
  bool packsValues() { return op.getResidues() > 1 || z.isNarrow; }
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBUFFERS_H
