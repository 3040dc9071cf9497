//===- GroupTiles.h - The tiles of a group of rows ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate of the pattern makes a tile (a group of rows by a register tile of keys) empty, partial or full. Interval
// arithmetic on the tile decides where it can; else the predicate is evaluated pair by pair, and its masks are stored
// in the buffer of P, which overwrites them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/Kernel/Attend/TilePredicate.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// How many pairs of a tile belong to the pattern.
enum class TileState : int64_t { None, Some, All };

/// The tiles of a group of rows and a block of keys. Their states are stored for later passes over the tiles.
struct GroupTiles {
  /// The entry of a tile: its state, and the columns [Begin, End) outside of which no row sees a key.
  enum Entry : int64_t { State, Begin, End };

  AttendBlock &task;
  const TilePredicate &predicate;
  Value rowBounds; ///< see buildRowBounds
  Value entries;   ///< i64 [tile][Entry]
  Value p;         ///< [row of the group][blockKeys]
  Value row, keyBlock;
  ColumnRange range;

  /// The first column of the first tile, and the column after the last tile.
  Value begin() const;
  Value end() const;
  RegisterTile shape() const { return {task.tileRows, task.tileRegisters}; }

  /// Decides the state of the tile at `column`; stores its entry and, if the state is Some, its masks. Returns the
  /// state.
  Value classify(Value column);
  Value load(Value column, Entry entry) { return load(task, entries, column, entry); }
  static Value load(AttendBlock &task, Value entries, Value column, Entry entry);
  /// Stores the state of the tile that holds `column`; its columns stay.
  void storeState(Value column, TileState state);
  /// Stores an entry with the state None for the tile at `column`.
  void storeEmpty(Value column);
  /// Returns an i1, whether `state` is `which`.
  Value isState(Value state, TileState which);
  /// Builds the computation of a tile in state Some: of one register per row if that holds all visible keys, else of
  /// the whole tile.
  void forSome(Value column, function_ref<void(RegisterTile shape, Value column)> build);
  /// Loads the mask (i1 per lane) of a register of a tile in state Some, before P overwrites it.
  Value loadVisible(Value n, Value column);

private:
  Value slot(Value n, Value column);
  void store(Value column, ValueRange entry);
  SmallVector<Value> decide(Value column);
  SmallVector<Value> evaluate(Value column);
};

/// Returns columns [begin, end) of a key block outside of which interval arithmetic shows that no row of the task sees
/// a key; begin >= end for none.
std::pair<Value, Value> buildSeenColumns(AttendBlock &task, const TilePredicate &predicate, Value keyBlock);
/// Returns `range` limited to `columns`.
ColumnRange limitRange(KernelBuilder &kb, const ColumnRange &range, std::pair<Value, Value> columns);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
