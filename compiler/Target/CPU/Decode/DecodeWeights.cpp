//===- DecodeWeights.cpp - Weights of few rows ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/PartialSums.h"
#include "compiler/Target/CPU/Decode/DecodeTask.h"
#include "compiler/Target/CPU/Decode/RegisterSums.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A band of rows whose weights are computed. `row` is its first row.
struct Band {
  DecodeTask &decode;
  const KeyBlock &block;
  Value row;
  bool isMasked; ///< whether some row of the block does not see all keys

  int64_t registers() const { return decode.z.tile.getKeys() / decode.z.width; }
  Value partial() const { return decode.partialAt(decode.kb.floorDiv(row, decode.z.rowsOfBand)); }
};

/// The scores of a band. `shift` and `change` hold the value of a row in all lanes of the row, because a scalar would
/// have to be moved out of a register and back.
struct BandScores {
  SmallVector<Value> scores;
  Value shift;  ///< the row's maximum m, or 0 while the row has seen no key
  Value change; ///< the maximum before this block, minus m
};
} // namespace

/// Returns the lower (`which` = 0) or upper (1) bound of the keys that each row of a band sees, in the row's lanes. A
/// bound is a column of the block.
static Value boundOf(const Band &band, int64_t which) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  Value bounds;
  for (int64_t r = 0; r < decode.z.rowsOfBand; ++r) {
    Value index = kb.add(kb.mul(kb.add(band.row, r), 2), which);
    Value bound = kb.load(kb.i64(), kb.at(kb.i64(), band.block.rowBounds, index));
    Value column = kb.clamp(kb.sub(bound, band.block.first), kb.integer(0), kb.integer(decode.z.tile.getKeys()));
    Value ofRow = kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), column), decode.lanes);
    auto isLater = llvm::map_to_vector(llvm::seq<int64_t>(0, decode.lanes),
                                       [&](int64_t lane) { return lane >= r * decode.z.width; });
    Value later =
        kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI1Type(), decode.lanes), ArrayRef<bool>(isLater)));
    bounds = r == 0 ? ofRow : kb.select(later, ofRow, bounds);
  }
  return bounds;
}

/// Returns the masks (i1 lanes) of the visible pairs of a band, one for each register. Returns an empty list if all
/// pairs are visible.
static SmallVector<Value> buildVisible(const Band &band) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  SmallVector<Value> visible;
  if (!band.isMasked)
    return visible;
  Value lower = boundOf(band, 0), upper = boundOf(band, 1);
  for (int64_t n = 0; n < band.registers(); ++n) {
    auto numbers = llvm::map_to_vector(llvm::seq<int64_t>(0, decode.lanes), [&](int64_t lane) {
      return static_cast<int32_t>(n * decode.z.width + lane % decode.z.width);
    });
    Value columns =
        kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI32Type(), decode.lanes), ArrayRef<int32_t>(numbers)));
    Value from = kb.compare(arith::CmpIPredicate::sge, columns, lower);
    Value to = kb.compare(arith::CmpIPredicate::slt, columns, upper);
    visible.push_back(arith::AndIOp::create(kb.b, kb.loc, from, to));
  }
  return visible;
}

/// Returns the scores of a band from its products. The score of a pair that `visible` masks is -inf. An empty `visible`
/// masks none.
static SmallVector<Value> buildScores(const Band &band, ArrayRef<Value> visible) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  int64_t groups = decode.z.width / decode.z.group;
  Value masked = kb.real(decode.vector(), -std::numeric_limits<double>::infinity());
  Value scale = kb.real(decode.vector(), decode.z.op.getScale()), partial = band.partial();
  SmallVector<Value> scores;
  for (int64_t n = 0; n < band.registers(); ++n) {
    SmallVector<Value> parts;
    for (int64_t g = 0; g < groups; ++g)
      parts.push_back(kb.load(decode.vector(), kb.at(decode.real, partial, (n * groups + g) * decode.lanes)));
    Value sum = addAcrossGroups(kb, parts, decode.z.width), score = decode.roundsOperands() ? kb.mulf(sum, scale) : sum;
    scores.push_back(visible.empty() ? score : kb.select(visible[n], score, masked));
  }
  return scores;
}

/// Returns the largest of a row's lanes of `values` in all lanes of the row.
static Value spreadMaximum(DecodeTask &decode, Value values) {
  KernelBuilder &kb = decode.kb;
  for (int64_t distance = 1; distance < decode.z.width; distance *= 2) {
    auto lanes = llvm::map_to_vector(llvm::seq<int64_t>(0, decode.lanes), [&](int64_t l) { return l ^ distance; });
    values = kb.maxf(values, vector::ShuffleOp::create(kb.b, kb.loc, values, values, lanes));
  }
  return values;
}

/// Raises m of the rows of a band to the maximum of their scores, and stores it. A NaN among the scores does not count.
/// Returns the scores unchanged, together with the shift and the change of m.
static BandScores raiseMaximum(const Band &band, SmallVector<Value> scores) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  Value lowest = kb.real(decode.vector(), -std::numeric_limits<double>::infinity()), largest = lowest;
  for (Value score : scores)
    largest = kb.maxf(score, largest);
  Value before = kb.load(decode.vector(), decode.maximumAt(band.row)),
        m = kb.maxf(spreadMaximum(decode, largest), before);
  kb.store(m, decode.maximumAt(band.row));
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  Value shift = kb.select(isNone, kb.real(decode.vector(), 0), m);
  return {std::move(scores), shift, kb.subf(before, shift)};
}

/// Loads the partial sums of a band, times `decay`.
static PartialSums partialSumsOf(const Band &band, Value decay) {
  DecodeTask &decode = band.decode;
  PartialSums sums(decode.kb, decode.product, decode.sumsWeights() ? decode.sumsAt(band.row) : Value(),
                   decode.roundsOperands() ? decode.roundedSumsAt(band.row) : Value());
  sums.scale(decay);
  return sums;
}

/// Computes P of a band from its scores, and adds it to the sums of the rows. Masks the pairs that `visible` masks. An
/// empty `visible` masks none.
static void buildWeights(const Band &band, const BandScores &ofBand, ArrayRef<Value> visible) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  Value masked = kb.real(decode.vector(), -0.0);
  Value decay = kb.exp2(kb.mulf(ofBand.change, kb.real(decode.vector(), M_LOG2E)));
  kb.store(decay, decode.decayAt(band.row));
  PartialSums sums = partialSumsOf(band, decay);
  for (auto [n, score] : llvm::enumerate(ofBand.scores)) {
    Value weight = kb.exp2(kb.mulf(kb.subf(score, ofBand.shift), kb.real(decode.vector(), M_LOG2E)));
    if (!visible.empty())
      weight = kb.select(visible[n], weight, masked);
    storeRegister(kb, weight, decode.product.operand,
                  decode.weightsAt(band.row, kb.integer(0), n * decode.z.width, decode.z.width));
    sums.add(weight);
  }
  sums.store();
}

/// Stores the scores of a band for the second of two loops over rows. Scores and shift replace the products in the
/// buffer `partial`, and the change goes to the buffer of decays.
static void storeScores(const Band &band, const BandScores &ofBand) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  assert((band.registers() + 1) * decode.z.group <= decode.z.tile.getKeys() && "expected room for scores and a shift");
  Value partial = band.partial();
  for (auto [n, score] : llvm::enumerate(ofBand.scores))
    kb.store(score, kb.at(decode.real, partial, n * decode.lanes));
  kb.store(ofBand.shift, kb.at(decode.real, partial, band.registers() * decode.lanes));
  kb.store(ofBand.change, decode.decayAt(band.row));
}

static BandScores loadScores(const Band &band) {
  DecodeTask &decode = band.decode;
  KernelBuilder &kb = decode.kb;
  Value partial = band.partial();
  BandScores ofBand;
  for (int64_t n = 0; n < band.registers(); ++n)
    ofBand.scores.push_back(kb.load(decode.vector(), kb.at(decode.real, partial, n * decode.lanes)));
  ofBand.shift = kb.load(decode.vector(), kb.at(decode.real, partial, band.registers() * decode.lanes));
  ofBand.change = kb.load(decode.vector(), decode.decayAt(band.row));
  return ofBand;
}

// A row's maximum follows from a chain of shuffles, its weights from one of multiply-adds. Each chain alone is short
// enough that a processor overlaps those of several rows; both together are not. So several rows take two loops, unless
// they are in one band.
void cpu::buildWeights(DecodeTask &decode, const KeyBlock &block) {
  KernelBuilder &kb = decode.kb;
  auto forEachBand = [&](bool isMasked, function_ref<void(const Band &)> body) {
    kb.loop(kb.integer(0), kb.integer(decode.z.paddedRows()), decode.z.rowsOfBand,
            [&](Value row) { body({decode, block, row, isMasked}); });
  };
  auto scores = [&](const Band &band, ArrayRef<Value> visible) {
    return raiseMaximum(band, buildScores(band, visible));
  };
  auto build = [&](bool isMasked) {
    constexpr int64_t fewestOfTwoLoops = 4;
    // In registers as wide as a group the sums of a row are no more than its scores: nothing else could wait there.
    bool isWide = decode.z.width > decode.z.group;
    if (decode.z.bands < fewestOfTwoLoops || !isWide) {
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
  Value isWhole = kb.compare(arith::CmpIPredicate::eq, seen, kb.integer(decode.z.tile.getKeys()));
  kb.ifElse(isWhole, {}, [&] { return build(/*isMasked=*/false); }, [&] { return build(/*isMasked=*/true); });
}
