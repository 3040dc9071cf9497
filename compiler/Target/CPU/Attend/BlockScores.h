//===- BlockScores.h - Score regions on blocks of keys -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a score region for one row and a register of keys of consecutive ranks. Its code has up to three versions:
// for small indices and consecutive keys, for small indices and any keys, and for any indices and keys. The kernel
// chooses one of them at run time.
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

  /// Returns `map` as a key map. Its period and width are constants if they are known at compile time.
  static KeyMap of(KernelBuilder &kb, const RankMap &map) {
    if (!map.hasKnownWindows())
      return {map.fixed.start, map.period, map.width};
    return {map.fixed.start, kb.integer(map.fixed.map.getPeriod()), kb.integer(map.fixed.map.getWidth())};
  }
};

/// How the key maps of all pieces map consecutive ranks. Consecutive: every map gives consecutive keys. Scattered:
/// every map gives keys with gaps. Either: some maps give consecutive keys, and some give keys with gaps. Then the
/// kernel finds out at run time.
enum class KeyOrder { Consecutive, Scattered, Either };
/// Returns the key order that all maps have in common, or Either if they differ.
KeyOrder keyOrder(ArrayRef<IndexMapAttr> maps);

/// Writes the positions of the keys of ranks [keyBlock, keyBlock + count) to `keys`, an array of i64.
void buildKeys(KernelBuilder &kb, const KeyMap &map, Value keyBlock, int64_t count, Value keys);

/// The score region of a kernel that computes the scores of a block of keys. The region is evaluated for a register of
/// scores at a time, whose lanes are keys of consecutive ranks.
class BlockScores : public ScoreRegion {
public:
  BlockScores() = default;
  /// Builds the code that all evaluations share, so it must be called at the head of the kernel. `sizes` are B, H, Nq
  /// and Nk.
  BlockScores(KernelBuilder &kb, Region &region, ValueRange captures, KeyOrder order, ValueRange sizes)
      : ScoreRegion(kb, region, captures, sizes), order(order) {}

  KeyOrder getKeyOrder() const { return order; }

  /// One version of the region's code, for one key block. `keys` points to the positions of the block's keys (i64).
  /// `keys` is not read if the keys are consecutive.
  struct Version {
    /// Evaluates the region for `row` of the task and a register of keys, whose ranks begin at keyBlock + column.
    /// `score` holds the scores of these pairs. Returns the results of the region.
    SmallVector<LaneValue> evaluate(Value row, Value column, Value score) const;

    AttendBlock &task;
    const BlockScores &region;
    const KeyMap &map;
    Value keyBlock, keys;
    bool isConsecutive;
    int64_t limit;
  };

  using VersionBody = function_ref<SmallVector<Value>(const Version &version)>;
  /// Calls `body` for each version of the code that the task may need, and builds the choice between them at run time.
  /// Returns the results of the chosen version, of types `types`.
  SmallVector<Value> forEachVersion(AttendBlock &task, const KeyMap &map, Value keyBlock, Value keys, TypeRange types,
                                    VersionBody body) const;

private:
  KeyOrder order = KeyOrder::Consecutive;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_BLOCKSCORES_H
