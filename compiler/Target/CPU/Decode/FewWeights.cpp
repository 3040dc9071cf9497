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

namespace {
/// A band of rows whose weights are computed: its first row, and the registers of its scores, of `width` keys each.
struct Band {
  FewRows &few;
  const KeyBlock &block;
  Value row;
  bool isMasked; ///< whether some row of the block does not see all keys

  int64_t registers() const { return few.tile.getKeys() / few.width; }
  Value partial() const { return few.partialAt(few.kb.floorDiv(row, few.rowsOfBand)); }
};

/// The scores of a band. `shift` and `change` stand in all lanes of their row: a scalar would have to come from a
/// register and go back.
struct BandScores {
  SmallVector<Value> scores;
  Value shift;  ///< the row's maximum m, or 0 while the row has seen no key
  Value change; ///< the maximum before this block, minus m
};
} // namespace

/// Returns the lower (`which` = 0) or upper (1) bound of the keys that each row of a band sees, in the row's lanes. A
/// bound is a column of the block.
static Value boundOf(const Band &band, int64_t which) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  Value bounds;
  for (int64_t r = 0; r < few.rowsOfBand; ++r) {
    Value index = kb.add(kb.mul(kb.add(band.row, r), 2), which);
    Value bound = kb.load(kb.i64(), kb.at(kb.i64(), band.block.rowBounds, index));
    Value column = kb.clamp(kb.sub(bound, band.block.first), kb.integer(0), kb.integer(few.tile.getKeys()));
    Value ofRow = kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), column), few.lanes);
    auto isLater =
        llvm::map_to_vector(llvm::seq<int64_t>(0, few.lanes), [&](int64_t lane) { return lane >= r * few.width; });
    Value later = kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI1Type(), few.lanes), ArrayRef<bool>(isLater)));
    bounds = r == 0 ? ofRow : kb.select(later, ofRow, bounds);
  }
  return bounds;
}

/// Returns the masks (i1 lanes) of the pairs of a band that are visible, one for each register; none if all are.
static SmallVector<Value> buildVisible(const Band &band) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  SmallVector<Value> visible;
  if (!band.isMasked)
    return visible;
  Value lower = boundOf(band, 0), upper = boundOf(band, 1);
  for (int64_t n = 0; n < band.registers(); ++n) {
    auto numbers = llvm::map_to_vector(llvm::seq<int64_t>(0, few.lanes), [&](int64_t lane) {
      return static_cast<int32_t>(n * few.width + lane % few.width);
    });
    Value columns =
        kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI32Type(), few.lanes), ArrayRef<int32_t>(numbers)));
    Value from = kb.compare(arith::CmpIPredicate::sge, columns, lower);
    Value to = kb.compare(arith::CmpIPredicate::slt, columns, upper);
    visible.push_back(arith::AndIOp::create(kb.b, kb.loc, from, to));
  }
  return visible;
}

/// Returns the scores of a band from its products: -inf for pairs that `visible` masks, if it is not empty.
static SmallVector<Value> buildScores(const Band &band, ArrayRef<Value> visible) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  int64_t groups = few.width / few.group;
  Value masked = kb.real(few.vector(), -std::numeric_limits<double>::infinity());
  Value scale = kb.real(few.vector(), few.op.getScale()), partial = band.partial();
  SmallVector<Value> scores;
  for (int64_t n = 0; n < band.registers(); ++n) {
    SmallVector<Value> parts;
    for (int64_t g = 0; g < groups; ++g)
      parts.push_back(kb.load(few.vector(), kb.at(few.real, partial, (n * groups + g) * few.lanes)));
    Value sum = addAcrossGroups(kb, parts, few.width), score = few.roundsOperands() ? kb.mulf(sum, scale) : sum;
    scores.push_back(visible.empty() ? score : kb.select(visible[n], score, masked));
  }
  return scores;
}

/// Returns the largest of the lanes of a row in all of its lanes.
static Value spreadMaximum(FewRows &few, Value values) {
  KernelBuilder &kb = few.kb;
  for (int64_t distance = 1; distance < few.width; distance *= 2) {
    auto lanes = llvm::map_to_vector(llvm::seq<int64_t>(0, few.lanes), [&](int64_t l) { return l ^ distance; });
    values = kb.maxf(values, vector::ShuffleOp::create(kb.b, kb.loc, values, values, lanes));
  }
  return values;
}

/// Raises m of the rows of a band to the maximum of their scores and stores it. A NaN among the scores does not count.
static BandScores raiseMaximum(const Band &band, SmallVector<Value> scores) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  Value lowest = kb.real(few.vector(), -std::numeric_limits<double>::infinity()), largest = lowest;
  for (Value score : scores)
    largest = kb.maxf(score, largest);
  Value before = kb.load(few.vector(), few.maximumAt(band.row)), m = kb.maxf(spreadMaximum(few, largest), before);
  kb.store(m, few.maximumAt(band.row));
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  Value shift = kb.select(isNone, kb.real(few.vector(), 0), m);
  return {std::move(scores), shift, kb.subf(before, shift)};
}

/// Loads the partial sums of a band, times `decay`.
static PartialSums partialSumsOf(const Band &band, Value decay) {
  FewRows &few = band.few;
  PartialSums sums(few.kb, few.product, few.sumsWeights() ? few.sumsAt(band.row) : Value(),
                   few.roundsOperands() ? few.roundedSumsAt(band.row) : Value());
  sums.scale(decay);
  return sums;
}

/// Computes P of a band from its scores, and adds it to the rows' sums. Pairs are masked that `visible` masks, if it is
/// not empty.
static void buildWeights(const Band &band, const BandScores &ofBand, ArrayRef<Value> visible) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  Value masked = kb.real(few.vector(), -0.0);
  Value decay = kb.exp2(kb.mulf(ofBand.change, kb.real(few.vector(), M_LOG2E)));
  kb.store(decay, few.decayAt(band.row));
  PartialSums sums = partialSumsOf(band, decay);
  for (auto [n, score] : llvm::enumerate(ofBand.scores)) {
    Value weight = kb.exp2(kb.mulf(kb.subf(score, ofBand.shift), kb.real(few.vector(), M_LOG2E)));
    if (!visible.empty())
      weight = kb.select(visible[n], weight, masked);
    storeRegister(kb, weight, few.product.operand, few.weightsAt(band.row, kb.integer(0), n * few.width, few.width));
    sums.add(weight);
  }
  sums.store();
}

/// Stores the scores of a band for the second of two loops over rows. Scores and shift replace the sums in the buffer
/// of products; the change goes to the buffer of decays.
static void storeScores(const Band &band, const BandScores &ofBand) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  Value partial = band.partial();
  for (auto [n, score] : llvm::enumerate(ofBand.scores))
    kb.store(score, kb.at(few.real, partial, n * few.lanes));
  kb.store(ofBand.shift, kb.at(few.real, partial, band.registers() * few.lanes));
  kb.store(ofBand.change, few.decayAt(band.row));
}

static BandScores loadScores(const Band &band) {
  FewRows &few = band.few;
  KernelBuilder &kb = few.kb;
  Value partial = band.partial();
  BandScores ofBand;
  for (int64_t n = 0; n < band.registers(); ++n)
    ofBand.scores.push_back(kb.load(few.vector(), kb.at(few.real, partial, n * few.lanes)));
  ofBand.shift = kb.load(few.vector(), kb.at(few.real, partial, band.registers() * few.lanes));
  ofBand.change = kb.load(few.vector(), few.decayAt(band.row));
  return ofBand;
}

// A row's maximum follows from a chain of shuffles, its weights from one of multiply-adds. Each chain alone is short
// enough that a processor overlaps those of several rows; both together are not. So several rows take two loops, unless
// they are in one band.
void cpu::buildWeights(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  auto forEachBand = [&](bool isMasked, function_ref<void(const Band &)> body) {
    kb.loop(kb.integer(0), kb.integer(few.paddedRows()), few.rowsOfBand,
            [&](Value row) { body({few, block, row, isMasked}); });
  };
  auto scores = [&](const Band &band, ArrayRef<Value> visible) {
    return raiseMaximum(band, buildScores(band, visible));
  };
  auto build = [&](bool isMasked) {
    constexpr int64_t fewestOfTwoLoops = 4;
    // In registers as wide as a group the sums of a row are no more than its scores: nothing else could wait there.
    bool isWide = few.width > few.group;
    if (few.bands < fewestOfTwoLoops || !isWide) {
      forEachBand(isMasked, [&](const Band &band) {
        SmallVector<Value> visible = buildVisible(band);
        ::buildWeights(band, scores(band, visible), visible);
      });
      return SmallVector<Value>();
    }
    forEachBand(isMasked, [&](const Band &band) { storeScores(band, scores(band, buildVisible(band))); });
    forEachBand(isMasked, [&](const Band &band) { ::buildWeights(band, loadScores(band), buildVisible(band)); });
    return SmallVector<Value>();
  };
  // Most blocks are seen whole by all rows.
  Value seen = kb.sub(block.commonEnd, block.commonBegin);
  Value isWhole = kb.compare(arith::CmpIPredicate::eq, seen, kb.integer(few.tile.getKeys()));
  kb.ifElse(isWhole, {}, [&] { return build(/*isMasked=*/false); }, [&] { return build(/*isMasked=*/true); });
}
