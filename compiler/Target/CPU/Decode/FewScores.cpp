//===- FewScores.cpp - Scores and weights of few rows ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/FewRows.h"
#include "compiler/Target/CPU/Decode/RegisterSums.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// A register tile of scores: `rows` rows from `row` on, and a group of keys.
struct ScoreTile {
  FewRows &few;
  Value row;
  int64_t rows;
  SmallVector<Value> keys; ///< pointers to the rows of k
  bool prefetches;

  /// Adds the products of register `n` of each row, which is at `slot` in scratch memory and begins with `column`.
  void add(MutableArrayRef<Value> sums, int64_t n, Value slot, Value column) {
    KernelBuilder &kb = few.kb;
    const HeadRows &k = few.keys;
    if (prefetches)
      for (Value key : keys)
        k.prefetch(kb, key, column, k.registers.offset(n), k.registers.columns);
    Type operand = few.product.operand;
    VectorType operands = few.product.operands(kb);
    auto left = [&](int64_t r) { return kb.load(operands, kb.at(operand, few.queryAt(kb.add(row, r)), slot)); };
    auto right = [&](int64_t key) {
      return clearFirst(kb, k.registers.repeated(n), k.load(kb, operand, keys[key], column));
    };
    RegisterTile shape{rows, static_cast<int64_t>(keys.size())};
    addTerm(kb, few.product, shape, sums, 0, rows, left, right);
  }

  /// Returns the products, summed over all columns but not over lanes, in row-major order.
  SmallVector<Value> build() {
    constexpr int64_t unrolled = 16; // registers of a row; longer rows are a loop
    KernelBuilder &kb = few.kb;
    const RowRegisters &row = few.keys.registers;
    SmallVector<Value> sums(rows * keys.size(), kb.real(few.vector(), 0));
    int64_t first = 0;
    if (row.size() > unrolled) {
      first = row.whole();
      sums = kb.loop(kb.integer(0), kb.integer(first * row.lanes), row.lanes, sums, [&](Value column, ValueRange sums) {
        SmallVector<Value> next(sums);
        add(next, 0, column, column);
        return next;
      });
    }
    for (int64_t n = first; n < row.size(); ++n)
      add(sums, n, kb.integer(n * row.lanes), kb.integer(row.offset(n)));
    return sums;
  }
};
} // namespace

/// Stores the products of all rows with the keys of a block that some row sees, summed within groups of lanes, to the
/// buffer `partial`: [row][group of keys][lane]. A group of keys stays in the first-level cache for all rows. Keys
/// behind the last one that is seen are not read.
static void buildProducts(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  int64_t group = xft::AttendFewScratch::groupOf(few.real), perRow = few.tile.getKeys() / group * few.lanes;
  Value first = kb.mul(kb.floorDiv(block.begin, group), group), last = kb.add(block.end, -1);
  kb.loop(first, block.end, group, [&](Value key) {
    SmallVector<Value> keys;
    for (int64_t n = 0; n < group; ++n)
      keys.push_back(few.keys.at(kb, kb.add(block.first, kb.min(kb.add(key, n), last))));
    Value to = kb.at(few.real, few.partial, kb.mul(key, few.lanes / group));
    forEachRowTile(few, few.tile.getSums() / group, [&](Value row, int64_t rows, bool isFirst) {
      SmallVector<Value> sums = ScoreTile{few, row, rows, keys, /*prefetches=*/isFirst}.build();
      for (int64_t r = 0; r < rows; ++r)
        kb.store(addWithinGroups(kb, ArrayRef(sums).slice(r * group, group)),
                 kb.at(few.real, to, kb.mul(kb.add(row, r), perRow)));
    });
  });
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

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

/// Returns the scores of a row, -inf for masked pairs, from its products at `partial`.
static SmallVector<Value> buildScores(FewRows &few, Value partial, ArrayRef<Value> visible) {
  KernelBuilder &kb = few.kb;
  int64_t groups = few.lanes / xft::AttendFewScratch::groupOf(few.real);
  Value masked = kb.real(few.vector(), -std::numeric_limits<double>::infinity());
  Value scale = kb.real(few.vector(), few.op.getScale());
  SmallVector<Value> scores;
  for (auto [n, mask] : llvm::enumerate(visible)) {
    SmallVector<Value> parts;
    for (int64_t g = 0; g < groups; ++g)
      parts.push_back(kb.load(few.vector(), kb.at(few.real, partial, (n * groups + g) * few.lanes)));
    Value sum = addAcrossGroups(kb, parts), score = few.roundsOperands() ? kb.mulf(sum, scale) : sum;
    scores.push_back(kb.select(mask, score, masked));
  }
  return scores;
}

/// Raises m of row `row` to the maximum of its scores and stores it, and exp(m before - m) to the buffer `decay`.
/// Returns m in all lanes, or 0 while the row has seen no key. A NaN among the scores does not count.
static Value buildMaximum(FewRows &few, Value row, ArrayRef<Value> scores) {
  KernelBuilder &kb = few.kb;
  Value lowest = kb.real(few.real, -std::numeric_limits<double>::infinity());
  Value largest = kb.broadcast(lowest, few.lanes);
  for (Value score : scores)
    largest = kb.maxf(score, largest);
  Value before = kb.load(few.real, few.at(few.maximum, row, 1)), m = kb.maxf(kb.reduceMax(largest), before);
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  Value shift = kb.select(isNone, kb.real(few.real, 0), m);
  kb.store(m, few.at(few.maximum, row, 1));
  kb.store(kb.exp2(kb.mulf(kb.subf(before, shift), kb.real(few.real, M_LOG2E))), few.at(few.decay, row, 1));
  return kb.broadcast(shift, few.lanes);
}

namespace {
/// The partial sums of a row: of P, if some result has them, and of P as it enters P V, if it is rounded there.
struct PartialSums {
  FewRows &few;
  Value pointer, sum, rounded;

  /// Loads the sums of row `row`, times the row's exp(m before - m).
  PartialSums(FewRows &few, Value row) : few(few), pointer(few.sumsAt(row)) {
    KernelBuilder &kb = few.kb;
    Value decay = kb.load(few.real, few.at(few.decay, row, 1));
    auto load = [&](VectorType type, Value from) {
      return kb.mulf(kb.load(type, from), kb.broadcast(decay, type.getNumElements()));
    };
    if (few.sumsWeights())
      sum = load(few.vector(), pointer);
    if (few.roundsOperands())
      rounded = load(few.roundedSums(), few.roundedSumsAt(pointer));
  }

  void add(Value weight) {
    KernelBuilder &kb = few.kb;
    if (sum)
      sum = kb.addf(sum, weight);
    if (!rounded)
      return;
    Value weights = convertFloat(kb, weight, few.product.operand);
    rounded = few.product.emit(kb, weights, kb.real(weights.getType(), 1), rounded);
  }

  void store() const {
    if (sum)
      few.kb.store(sum, pointer);
    if (rounded)
      few.kb.store(rounded, few.roundedSumsAt(pointer));
  }
};
} // namespace

/// Computes P of row `row` from its products at `partial`, and adds it to the row's sums.
static void buildRowWeights(FewRows &few, const KeyBlock &block, Value row, Value partial) {
  KernelBuilder &kb = few.kb;
  SmallVector<Value> visible = buildVisible(few, block, row), scores = buildScores(few, partial, visible);
  Value shift = buildMaximum(few, row, scores), weights = few.weightsAt(row), masked = kb.real(few.vector(), -0.0);
  PartialSums sums(few, row);
  for (auto [n, score, mask] : llvm::enumerate(scores, visible)) {
    Value exponent = kb.mulf(kb.subf(score, shift), kb.real(few.vector(), M_LOG2E));
    Value weight = kb.select(mask, kb.exp2(exponent), masked);
    storeRegister(kb, weight, few.product.operand, kb.at(few.product.operand, weights, n * few.lanes));
    sums.add(weight);
  }
  sums.store();
}

void cpu::buildWeights(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  int64_t perRow = few.tile.getKeys() / xft::AttendFewScratch::groupOf(few.real) * few.lanes;
  buildProducts(few, block);
  kb.loop(kb.integer(0), kb.integer(few.rows), 1,
          [&](Value row) { buildRowWeights(few, block, row, few.at(few.partial, row, perRow)); });
}
