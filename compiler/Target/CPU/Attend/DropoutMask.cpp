//===- DropoutMask.cpp - The dropout mask of a block ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the dropout mask from random words. Four consecutive keys share one block of four words. So where keys are
// consecutive, one register of blocks gives the masks of four registers of keys.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/DropoutMask.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void DropoutMask::build(AttendBlock &task, const KeyMap &map, Value row, Value keyBlock, Value begin, Value end,
                        Value keys, Value kept) const {
  KernelBuilder &kb = task.kb;
  int64_t lanes = task.lanes, chunk = 4 * lanes;
  VectorType bits = kb.vector(task.integer(), lanes);
  auto store = [&](Value keep, Value n, Value column) {
    Value line = kb.at(task.integer(), kept, kb.mul(n, task.tile.getKeys()));
    kb.store(arith::ExtSIOp::create(kb.b, kb.loc, bits, keep), kb.at(task.integer(), line, column));
  };
  auto rowOf = [&](Value n) { return task.rowNumber(task.rowIndex(kb.add(row, n))); };
  /// Stores the mask of columns [column, column + 4 lanes) of row `n`. `draw` returns four registers; register w holds
  /// word w of every lane. The four words of a lane belong to four consecutive keys, so the registers are interleaved.
  auto consecutive = [&](Value n, Value column) {
    Value first = kb.floorDiv(kb.add(keyBlock, column), 4);
    Value blocks = kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), first), lanes);
    blocks = arith::AddIOp::create(kb.b, kb.loc, blocks, kb.iota(lanes));
    std::array<Value, 4> words = draw(task, rowOf(n), blocks);
    auto interleave = [&](Value x, Value y) -> Value { return vector::InterleaveOp::create(kb.b, kb.loc, x, y); };
    Value all = interleave(interleave(words[0], words[2]), interleave(words[1], words[3]));
    for (int64_t part = 0; part < 4; ++part) {
      auto numbers = llvm::to_vector(llvm::seq<int64_t>(part * lanes, (part + 1) * lanes));
      Value some = vector::ShuffleOp::create(kb.b, kb.loc, all, all, numbers);
      store(isKept(kb, some), n, kb.add(column, part * lanes));
    }
  };
  auto scattered = [&](Value n, Value column) {
    Value key = kb.load(kb.vector(kb.i64(), lanes), kb.at(kb.i64(), keys, column));
    store(keeps(task, rowOf(n), key), n, column);
  };
  auto fill = [&](bool isConsecutive) {
    int64_t step = isConsecutive ? chunk : lanes;
    Value from = kb.mul(kb.floorDiv(begin, step), step);
    kb.loop(kb.integer(0), kb.integer(task.tile.getRows()), 1, [&](Value n) {
      kb.loop(from, end, step, [&](Value column) { isConsecutive ? consecutive(n, column) : scattered(n, column); });
    });
    return SmallVector<Value>();
  };
  if (order != KeyOrder::Either) {
    fill(order == KeyOrder::Consecutive);
    return;
  }
  Value isConsecutive = kb.compare(arith::CmpIPredicate::eq, map.period, map.width);
  kb.ifElse(isConsecutive, {}, [&] { return fill(true); }, [&] { return fill(false); });
}
