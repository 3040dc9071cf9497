//===- GroupTiles.h - The tiles of a group of rows ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides for each tile of a key block which of its pairs belong to the pattern: none, some or all. A tile is a group
// of rows (AttendBlock.h) by the columns of a register tile. Interval arithmetic decides where it can. Elsewhere, the
// predicate of the pattern is evaluated pair by pair, and the masks of the pairs are stored. They lie in the buffer of
// P, so P later overwrites them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/Kernel/Attend/TilePredicate.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Whether no pair, some pairs or all pairs of a tile belong to the pattern.
enum class TileState : int64_t { None, Some, All };

/// The register tiles of a group of rows and a key block, with the state that a predicate gives to each. The states are
/// stored for later passes over the tiles.
struct GroupTiles {
  /// The numbers stored for each tile, called the *entry* of the tile: the state of the tile, and an interval [Begin,
  /// End) of columns of the key block. No row of the group sees a key of the tile outside of this interval.
  enum Entry : int64_t { State, Begin, End };

  AttendBlock &task;
  const TilePredicate &predicate;
  Value rowBounds; ///< see buildRowBounds
  Value entries;   ///< i64 [tile][Entry]
  Value masks;     ///< [row of the group][tile.keys]: the buffer of P or, if P is smaller than a mask, one of its own
  Value row, keyBlock;
  ColumnRange range;

  /// Return the first column of the first tile that `range` meets, and the column behind the last such tile.
  Value begin() const;
  Value end() const;
  RegisterTile shape() const { return {task.tile.getRows(), task.tile.getRegisters()}; }

  /// Decides the state of the tile at `column`, and stores its entry. If the state is Some, also stores the masks of
  /// the tile. Returns the state (i64).
  Value classify(Value column);
  Value load(Value column, Entry entry) { return load(task, entries, column, entry); }
  static Value load(AttendBlock &task, Value entries, Value column, Entry entry);
  /// Replaces the state of the tile that holds `column`, and keeps its Begin and End.
  void storeState(Value column, TileState state);
  /// Stores an entry with the state None and no columns for the tile at `column`.
  void storeEmpty(Value column);
  /// Returns whether `state` is `which` (i1).
  Value isState(Value state, TileState which);
  /// Calls `build` twice for a tile in state Some: once with a tile of one register per row, and once with the whole
  /// tile. Builds the choice between the two at run time. One register per row is chosen if it holds all visible keys
  /// of the tile.
  void forSome(Value column, function_ref<void(RegisterTile shape, Value column)> build);
  /// Loads the mask (i1 per lane) of row `n` of the group for the register at `column`. The tile of this register must
  /// be in state Some. Valid until P overwrites the mask.
  Value loadVisible(Value n, Value column);

private:
  Value slot(Value n, Value column);
  void store(Value column, ValueRange entry);
  SmallVector<Value> decide(Value column);
  SmallVector<Value> evaluate(Value column);
};

/// Returns an interval [begin, end) of columns of the key block at rank `keyBlock`. Interval arithmetic shows that no
/// row of the task sees a key of the block outside of it. If begin >= end, no row sees any key of the block.
std::pair<Value, Value> buildSeenColumns(AttendBlock &task, const TilePredicate &predicate, Value keyBlock);
/// Returns the intersection of `range` with the interval `columns`.
ColumnRange limitRange(KernelBuilder &kb, const ColumnRange &range, std::pair<Value, Value> columns);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
