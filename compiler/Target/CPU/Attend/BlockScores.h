//===- BlockScores.h - Score regions on blocks of keys -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A score region is evaluated for one row and a register of consecutive key ranks. Up to three versions of its code
// exist, chosen at run time: for small indices and consecutive keys, for small indices, and for any.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_BLOCKSCORES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_BLOCKSCORES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/CPU/Operands/RankMap.h"
#include "compiler/Target/Kernel/Attend/ScoreRegion.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The keys of a piece as a function of the rank: key = start + period (rank div width) + rank mod width.
struct KeyMap {
  Value start, period, width; ///< i64

  /// Returns the key map of a rank map; period and width are constants if they are known at compile time.
  static KeyMap of(KernelBuilder &kb, const RankMap &map) {
    if (!map.hasKnownWindows())
      return {map.fixed.start, map.period, map.width};
    return {map.fixed.start, kb.integer(map.fixed.map.getPeriod()), kb.integer(map.fixed.map.getWidth())};
  }
};

/// Whether key maps take consecutive ranks to consecutive keys.
enum class KeyOrder { Consecutive, Scattered, Either };
/// Returns the order of keys that holds for all maps, Either if they differ.
KeyOrder keyOrder(ArrayRef<IndexMapAttr> maps);

/// Writes the keys of the ranks [keyBlock, keyBlock + count) to `keys`, an array of i64.
void buildKeys(KernelBuilder &kb, const KeyMap &map, Value keyBlock, int64_t count, Value keys);

/// A score region in a kernel whose registers hold consecutive key ranks of a block.
class BlockScores : public ScoreRegion {
public:
  BlockScores() = default;
  /// Builds code at the kernel's head. `sizes` are B, H, Nq and Nk.
  BlockScores(KernelBuilder &kb, Region &region, ValueRange captures, KeyOrder order, ValueRange sizes)
      : ScoreRegion(kb, region, captures, sizes), order(order) {}

  KeyOrder getKeyOrder() const { return order; }

  /// One version of the code, for the key block whose keys lie in `keys` (unless order is Consecutive).
  struct Version {
    /// Returns the results of the region for `row` of the task and the register of ranks at keyBlock + column.
    SmallVector<LaneValue> evaluate(Value row, Value column, Value score) const;

    AttendBlock &task;
    const BlockScores &region;
    const KeyMap &map;
    Value keyBlock, keys;
    bool isConsecutive;
    int64_t limit;
  };

  using VersionBody = function_ref<SmallVector<Value>(const Version &version)>;
  /// Builds `body` once for each version of the code, and the choice between them.
  SmallVector<Value> forEachVersion(AttendBlock &task, const KeyMap &map, Value keyBlock, Value keys, TypeRange types,
                                    VersionBody body) const;

private:
  KeyOrder order = KeyOrder::Consecutive;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_BLOCKSCORES_H
