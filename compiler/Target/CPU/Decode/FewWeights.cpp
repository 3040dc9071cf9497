//===- FewWeights.cpp - Weights of few rows -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/PartialSums.h"
#include "compiler/Target/CPU/Decode/FewRows.h"
#include "compiler/Target/CPU/Decode/RegisterSums.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns the masks (i1 lanes) of the keys of a block that row `row` sees, one for each register.
static SmallVector<Value> buildVisible(FewRows &few, const KeyBlock &block, Value row) {
  KernelBuilder &kb = few.kb;
  auto limit = [&](int64_t which) {
    Value bound = kb.load(kb.i64(), kb.at(kb.i64(), block.rowBounds, kb.add(kb.mul(row, 2), which)));
    Value column = kb.clamp(kb.sub(bound, block.first), kb.integer(0), kb.integer(few.tile.getKeys()));
    return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), column), few.lanes);
  };
  Value lower = limit(0), upper = limit(1);
  SmallVector<Value> visible;
  for (int64_t first = 0; first < few.tile.getKeys(); first += few.lanes) {
    SmallVector<int32_t> numbers;
    for (int64_t lane = 0; lane < few.lanes; ++lane)
      numbers.push_back(static_cast<int32_t>(first + lane));
    Value columns =
        kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI32Type(), few.lanes), ArrayRef<int32_t>(numbers)));
    Value from = kb.compare(arith::CmpIPredicate::sge, columns, lower);
    Value to = kb.compare(arith::CmpIPredicate::slt, columns, upper);
    visible.push_back(arith::AndIOp::create(kb.b, kb.loc, from, to));
  }
  return visible;
}

/// Returns the scores of a row from its products at `partial`: -inf for pairs that `visible` masks, if it is not empty.
static SmallVector<Value> buildScores(FewRows &few, Value partial, ArrayRef<Value> visible) {
  KernelBuilder &kb = few.kb;
  int64_t groups = few.lanes / xft::AttendFewScratch::groupOf(few.real);
  Value masked = kb.real(few.vector(), -std::numeric_limits<double>::infinity());
  Value scale = kb.real(few.vector(), few.op.getScale());
  SmallVector<Value> scores;
  for (int64_t n = 0; n < few.tile.getKeys() / few.lanes; ++n) {
    SmallVector<Value> parts;
    for (int64_t g = 0; g < groups; ++g)
      parts.push_back(kb.load(few.vector(), kb.at(few.real, partial, (n * groups + g) * few.lanes)));
    Value sum = addAcrossGroups(kb, parts), score = few.roundsOperands() ? kb.mulf(sum, scale) : sum;
    scores.push_back(visible.empty() ? score : kb.select(visible[n], score, masked));
  }
  return scores;
}

/// Returns the largest of all lanes in all lanes.
static Value spreadMaximum(FewRows &few, Value values) {
  KernelBuilder &kb = few.kb;
  for (int64_t distance = 1; distance < few.lanes; distance *= 2) {
    auto lanes = llvm::map_to_vector(llvm::seq<int64_t>(0, few.lanes), [&](int64_t l) { return l ^ distance; });
    values = kb.maxf(values, vector::ShuffleOp::create(kb.b, kb.loc, values, values, lanes));
  }
  return values;
}

namespace {
/// The scores of a row, m or 0 while the row has seen no key, and m before less m. The last two are in all lanes: a
/// scalar would have to come from a register and go back.
struct RowScores {
  SmallVector<Value> scores;
  Value shift, change;
};
} // namespace

/// Raises m of row `row` to the maximum of its scores and stores it. A NaN among the scores does not count.
static RowScores raiseMaximum(FewRows &few, Value row, SmallVector<Value> scores) {
  KernelBuilder &kb = few.kb;
  Value lowest = kb.real(few.vector(), -std::numeric_limits<double>::infinity()), largest = lowest;
  for (Value score : scores)
    largest = kb.maxf(score, largest);
  Value before = kb.load(few.vector(), few.maximumAt(row)), m = kb.maxf(spreadMaximum(few, largest), before);
  kb.store(m, few.maximumAt(row));
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  Value shift = kb.select(isNone, kb.real(few.vector(), 0), m);
  return {std::move(scores), shift, kb.subf(before, shift)};
}

/// Loads the partial sums of row `row`, times `decay`.
static PartialSums partialSumsOf(FewRows &few, Value row, Value decay) {
  Value pointer = few.sumsAt(row);
  PartialSums sums(few.kb, few.product, few.sumsWeights() ? pointer : Value(),
                   few.roundsOperands() ? few.roundedSumsAt(pointer) : Value());
  sums.scale(decay);
  return sums;
}

/// Computes P of row `row` from its scores, and adds it to the row's sums. Pairs are masked that `visible` masks, if it
/// is not empty.
static void buildRowWeights(FewRows &few, Value row, const RowScores &ofRow, ArrayRef<Value> visible) {
  KernelBuilder &kb = few.kb;
  Value weights = few.weightsAt(row), masked = kb.real(few.vector(), -0.0);
  Value decay = kb.exp2(kb.mulf(ofRow.change, kb.real(few.vector(), M_LOG2E)));
  kb.store(decay, few.decayAt(row));
  PartialSums sums = partialSumsOf(few, row, decay);
  for (auto [n, score] : llvm::enumerate(ofRow.scores)) {
    Value weight = kb.exp2(kb.mulf(kb.subf(score, ofRow.shift), kb.real(few.vector(), M_LOG2E)));
    if (!visible.empty())
      weight = kb.select(visible[n], weight, masked);
    storeRegister(kb, weight, few.product.operand, kb.at(few.product.operand, weights, n * few.lanes));
    sums.add(weight);
  }
  sums.store();
}

namespace {
/// Where RowScores wait for the second of two loops over rows: in the buffer `partial`, whose sums they replace, and
/// that of decays.
struct WaitingScores {
  FewRows &few;
  Value partial;
  int64_t count; ///< registers of scores

  Value at(int64_t n) const { return few.kb.at(few.real, partial, n * few.lanes); }
  void store(Value row, const RowScores &ofRow) const {
    for (auto [n, score] : llvm::enumerate(ofRow.scores))
      few.kb.store(score, at(n));
    few.kb.store(ofRow.shift, at(count));
    few.kb.store(ofRow.change, few.decayAt(row));
  }
  RowScores load(Value row) const {
    RowScores ofRow;
    for (int64_t n = 0; n < count; ++n)
      ofRow.scores.push_back(few.kb.load(few.vector(), at(n)));
    ofRow.shift = few.kb.load(few.vector(), at(count));
    ofRow.change = few.kb.load(few.vector(), few.decayAt(row));
    return ofRow;
  }
};
} // namespace

// A row's maximum follows from a chain of shuffles, its weights from one of multiply-adds. Each chain alone is short
// enough that a processor overlaps those of several rows; both together are not. So several rows take two loops.
void cpu::buildWeights(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  int64_t group = xft::AttendFewScratch::groupOf(few.real), perRow = few.tile.getKeys() / group * few.lanes;
  auto forEachRow = [&](function_ref<void(Value row, const WaitingScores &)> body) {
    kb.loop(kb.integer(0), kb.integer(few.rows), 1,
            [&](Value row) { body(row, {few, few.at(few.partial, row, perRow), few.tile.getKeys() / few.lanes}); });
  };
  auto build = [&](bool isMasked) {
    auto visible = [&](Value row) { return isMasked ? buildVisible(few, block, row) : SmallVector<Value>(); };
    auto scores = [&](Value row, const WaitingScores &waiting, ArrayRef<Value> visible) {
      return raiseMaximum(few, row, buildScores(few, waiting.partial, visible));
    };
    constexpr int64_t fewestOfTwoLoops = 4;
    // In registers as long as a group the sums of a row are no more than its scores: nothing else could wait there.
    if (few.rows < fewestOfTwoLoops || few.lanes == group) {
      forEachRow([&](Value row, const WaitingScores &waiting) {
        SmallVector<Value> ofRow = visible(row);
        buildRowWeights(few, row, scores(row, waiting, ofRow), ofRow);
      });
      return SmallVector<Value>();
    }
    forEachRow(
        [&](Value row, const WaitingScores &waiting) { waiting.store(row, scores(row, waiting, visible(row))); });
    forEachRow(
        [&](Value row, const WaitingScores &waiting) { buildRowWeights(few, row, waiting.load(row), visible(row)); });
    return SmallVector<Value>();
  };
  // Most blocks are seen whole by all rows.
  Value seen = kb.sub(block.commonEnd, block.commonBegin);
  Value isWhole = kb.compare(arith::CmpIPredicate::eq, seen, kb.integer(few.tile.getKeys()));
  kb.ifElse(isWhole, {}, [&] { return build(/*isMasked=*/false); }, [&] { return build(/*isMasked=*/true); });
}
