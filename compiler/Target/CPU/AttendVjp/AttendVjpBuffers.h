//===- AttendVjpBuffers.h - Scratch memory of gradients ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch buffers of xft.attend_vjp. Each is declared once, as a member with its size
// (Target/Kernel/Code/Scratch.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPBUFFERS_H
#define XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPBUFFERS_H

#include "compiler/Target/CPU/Attend/AttendBuffers.h"

namespace mlir::xf::cpu {

/// The buffers of a block of query rows. D' and Dv' are D and Dv in whole registers.
struct AttendVjpRows {
  Scratch &s;
  const AttendSizes &z;

  /// [row][D']: q, times scale unless isNarrow
  ScratchBuffer query = s.take(z.real, z.rows() * z.columns(), z.columns());
  ScratchBuffer cotangent = s.take(z.real, z.rows() * z.valueColumns(), z.valueColumns()); ///< [row][Dv']: d_o
  ScratchBuffer shift = s.take(z.real, z.rows());                                          ///< [row]: -m
  ScratchBuffer rest = s.take(z.real, z.rows());                                           ///< [row]: -log2 l
  ScratchBuffer negDelta = s.take(z.real, z.rows());                                       ///< [row]: -delta
};

/// P, dS, q and d_o as operands of products. If operands have 16 bits, these are rounded copies. Products whose terms
/// are rows need copies in term groups. A *term group* is as many rows as an instruction takes terms. In such a copy,
/// the elements that a column has in these rows lie next to each other (xft.gather_panels).
struct AttendVjpOperands {
  Scratch &s;
  const AttendSizes &z;
  const AttendVjpRows &rows;
  const ScratchBuffer &p, &ds;

  ScratchBuffer pTerms = narrowed(p);               ///< [row][key] of P, in term groups
  ScratchBuffer dsTerms = narrowed(ds);             ///< [row][key] of dS, in term groups
  ScratchBuffer dsRows = narrowed(ds);              ///< [row][key] of dS
  ScratchBuffer queryTerms = narrowed(rows.query);  ///< [row][D'] of q, in term groups
  ScratchBuffer dOTerms = narrowed(rows.cotangent); ///< [row][Dv'] of d_o, in term groups

private:
  /// Declares a buffer for a 16-bit copy of `buffer`. Returns `buffer` itself if the operands of products do not have
  /// 16 bits.
  ScratchBuffer narrowed(const ScratchBuffer &buffer) {
    return z.isNarrow ? s.take(z.operand, z.rows() * buffer.pitch, buffer.pitch) : buffer;
  }
};

/// The buffers of a block of keys.
struct AttendVjpKeys {
  Scratch &s;
  const AttendSizes &z;

  ScratchBuffer keyPanels = s.take(z.real, z.keys() * z.columns());                      ///< [panel][D'][width]
  ScratchBuffer valuePanels = s.take(z.real, z.keys() * z.valueColumns());               ///< [panel][Dv'][width]
  ScratchBuffer keys = s.take(z.real, z.keys() * z.columns(), z.columns());              ///< [key][D']
  ScratchBuffer dKeys = s.take(z.real, z.keys() * z.columns(), z.columns());             ///< [key][D']
  ScratchBuffer dValues = s.take(z.real, z.keys() * z.valueColumns(), z.valueColumns()); ///< [key][Dv']
};

/// The buffers of xft.attend_vjp.
struct AttendVjpBuffers {
  Scratch s;
  xft::AttendVjpOp op;
  AttendSizes z{op, op.getV()};

  ScratchBuffer rowOf = s.take(z.word, z.rows());             ///< [row]: row of q
  ScratchBuffer rowBounds = s.take(z.word, z.rows() * 2);     ///< [row][2]
  ScratchBuffer groupBounds = s.take(z.word, z.groups() * 4); ///< [group of rows][4]
  /// [group of keys][3]: which rows of the query block see some of its keys (RowsOfKeys)
  ScratchBuffer keyRows = s.take(z.word, z.keys() / z.tile.getRows() * 3);
  AttendVjpRows rows{s, z};
  ScratchBuffer p = s.take(z.real, z.rows() * z.keys(), z.keys());  ///< [row][key]
  ScratchBuffer ds = s.take(z.real, z.rows() * z.keys(), z.keys()); ///< [row][key]
  /// [row][key]: masks of pairs that a predicate decides on. They share memory with `p`, which overwrites them.
  ScratchBuffer masks = s.share(p, z.real, op.getTiles() ? z.rows() * z.keys() : 0, z.keys());
  AttendVjpOperands operands{s, z, rows, p, ds};
  /// [row][D']: the sum of dS K over the block of keys
  ScratchBuffer dQuery = s.take(z.real, z.rows() * z.columns(), z.columns());
  AttendVjpKeys keys{s, z};
  /// [row of a tile][width of a tile]: dP - delta of a tile, if the op has a score region
  ScratchBuffer spill = s.take(z.real, op.getScore().empty() ? 0 : z.tile.getRows() * z.tile.getWidth());
  ScratchBuffer keyOf = s.take(z.word, z.asksForKeys ? z.keys() : 0); ///< [key]: positions of the keys, by rank
  /// [row of a tile][key]: the dropout mask. A register of counters yields the bits of four registers of keys, so
  /// stores may reach behind the last row.
  ScratchBuffer kept = s.take(z.real, op.getDropout() ? z.tile.getRows() * z.keys() + 4 * z.tile.getLanes() : 0);
  /// [group of rows][tile of keys][tileEntries]: the state of each tile and its interval of columns (GroupTiles::Entry)
  ScratchBuffer tileStates = s.take(z.word, op.getTiles() ? z.groups() * tiles() * tileEntries : 0);
  /// The number of runs, then the begin and end of each. Runs are intervals of rows or keys whose tiles have visible
  /// pairs.
  ScratchBuffer runs = s.take(z.word, op.getTiles() ? 2 * std::max(z.groups(), tiles()) + 1 : 0);
  /// [2]: how many rows of the next block of rows, and of the next block of keys, are prefetched
  ScratchBuffer requested = s.take(z.word, 2);

private:
  int64_t tiles() const { return z.keys() / z.tile.getWidth(); }
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPBUFFERS_H
