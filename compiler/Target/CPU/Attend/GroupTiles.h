//===- GroupTiles.h - The tiles of a group of rows ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate says which pairs of a group of rows and a tile of keys there are: none, all, or some. Interval arithmetic
// on the tile decides where it can; else the predicate is evaluated pair by pair, and its masks lie where P will.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/Kernel/Attend/TilePredicate.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// What a tile holds of the pattern.
enum class TileState : int64_t { None, Some, All };

/// The tiles of a group of rows and a block of keys, whose states are kept for later passes over them.
struct GroupTiles {
  /// What is kept of a tile: its state, and the columns [Begin, End) outside of which no row sees a key.
  enum Entry : int64_t { State, Begin, End };

  AttendBlock &task;
  const TilePredicate &predicate;
  Value rowBounds; ///< see buildBounds
  Value entries;   ///< i64 [tile][Entry]
  Value p;         ///< [row of the group][blockKeys]
  Value row, keyBlock;
  ColumnRange range;

  /// Columns of the first tile, and behind the last one.
  Value begin() const;
  Value end() const;
  RegisterTile shape() const { return {task.tileRows, task.tileRegisters}; }

  /// Decides on a tile, and stores its entry and, where its state is Some, its masks. Returns the state.
  Value classify(Value column);
  Value load(Value column, Entry entry) { return load(task, entries, column, entry); }
  static Value load(AttendBlock &task, Value entries, Value column, Entry entry);
  void storeState(Value column, TileState state);
  /// Stores that no row sees a key of the tile.
  void storeEmpty(Value column);
  Value isState(Value state, TileState which);
  /// What there is to compute of a tile that is Some: one register of each row where that holds all seen keys.
  void forSome(Value column, function_ref<void(RegisterTile shape, Value column)> build);
  /// Lanes of a register of a tile that is Some, before P overwrites them.
  Value loadVisible(Value n, Value column);

private:
  Value slot(Value n, Value column);
  void store(Value column, ValueRange entry);
  SmallVector<Value> decide(Value column);
  SmallVector<Value> evaluate(Value column);
};

/// The columns [begin, end) of a key block outside of which interval arithmetic shows that no row of the task sees a
/// key; begin >= end for none.
std::pair<Value, Value> buildSeenColumns(AttendBlock &task, const TilePredicate &predicate, Value keyBlock);
/// `range` within such columns.
ColumnRange limitRange(KernelBuilder &kb, const ColumnRange &range, std::pair<Value, Value> columns);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_GROUPTILES_H
