//===- GroupTiles.h - The tiles of a group of rows ------------------*- C++ -*-===//
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

#ifndef XF_COMPILER_TARGET_CPU_GROUPTILES_H
#define XF_COMPILER_TARGET_CPU_GROUPTILES_H

#include "compiler/Target/CPU/TilePredicate.h"

namespace mlir::xf::cpu {

/// What a tile holds of the pattern.
enum class TileState : int64_t { None, Some, All };

/// The tiles of a group of rows and a block of keys, whose states are kept for later passes over them.
struct GroupTiles {
  AttendTask &task;
  const TilePredicate &predicate;
  Value rowBounds; ///< see buildBounds
  Value states;    ///< i64 [tile]
  Value p;         ///< [row of the group][blockKeys]
  Value row, keyBlock;
  ColumnRange range;

  /// Columns of the first tile, and behind the last one.
  Value begin() const;
  Value end() const;
  RegisterTile shape() const { return {task.tileRows, task.tileRegisters}; }

  /// Decides on a tile, and stores its state and, where that is Some, its masks. Returns the state.
  Value classify(Value column);
  Value loadState(Value column);
  void storeState(Value column, TileState state);
  Value isState(Value state, TileState which);
  /// Lanes of a register of a tile that is Some, before P overwrites them.
  Value loadVisible(Value n, Value column);

private:
  Value stateOf(Value column);
  Value slot(Value n, Value column);
  Value decide(Value column);
  Value evaluate(Value column);
};

/// The columns [begin, end) of a key block outside of which interval arithmetic shows that no row of the task sees a
/// key; begin >= end for none.
std::pair<Value, Value> buildSeenColumns(AttendTask &task, const TilePredicate &predicate, Value keyBlock);
/// `range` within such columns.
ColumnRange limitRange(KernelBuilder &kb, const ColumnRange &range, std::pair<Value, Value> columns);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_GROUPTILES_H
