//===- ScoreReads.cpp - What score regions read ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Scores/ScoreReads.h"
#include "dialects/xf/Scores/IndexRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Computes the ranges of the integers in a score region.
class ScoreIndices {
public:
  explicit ScoreIndices(const AttentionCall &call);

  /// Computes the range of each integer of the region, and verifies the reads of captured tensors.
  LogicalResult verify();

private:
  IndexRange of(Value value) const { return ranges.lookup(value); }
  IndexRange find(Operation &op) const;
  IndexRange divided(Value dividend, Value divisor, bool roundsDown) const;
  IndexRange remaining(Value dividend, Value divisor, bool roundsDown) const;
  LogicalResult verifyRead(tensor::ExtractOp read) const;

  Block &body;
  bool seesAllPairs;
  DenseMap<Value, IndexRange> ranges;
};
} // namespace

/// Returns `divisor` if it is a positive constant, else nullopt.
static std::optional<int64_t> positiveConstant(Value divisor) {
  APInt number;
  if (!matchPattern(divisor, m_ConstantInt(&number)) || !number.isStrictlyPositive())
    return std::nullopt;
  return number.getSExtValue();
}

/// If `op` computes a - (a floordiv b) * b, which is the remainder with the sign of b, returns b. Otherwise returns
/// null.
static Value divisorOfRemainder(arith::SubIOp op) {
  auto product = op.getRhs().getDefiningOp<arith::MulIOp>();
  auto quotient = product ? product.getLhs().getDefiningOp<arith::FloorDivSIOp>() : arith::FloorDivSIOp();
  return quotient && quotient.getLhs() == op.getLhs() && quotient.getRhs() == product.getRhs() ? quotient.getRhs()
                                                                                               : Value();
}

/// Returns `range` if all of its numbers fit `type`. Returns an unknown range if not, because numbers wrap around then.
static IndexRange within(Type type, const IndexRange &range) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  bool fits = width == 64 || (llvm::isIntN(width, range.low) && llvm::isIntN(width, range.high));
  return fits ? range : IndexRange();
}

ScoreIndices::ScoreIndices(const AttentionCall &call)
    : body(call.score.front()),
      seesAllPairs(isa<DensePatternAttr>(call.pattern) && !call.lengths && !call.queryLengths && !call.part) {
  auto counting = [](int64_t size, IndexRange::Leaf leaf) {
    return ShapedType::isDynamic(size) ? IndexRange{.leaves = leaf}
                                       : IndexRange::counting(size, /*isExact=*/true, leaf);
  };
  IndexRange query = counting(call.queries(), IndexRange::ofQuery), key = counting(call.keys(), IndexRange::ofKey);
  ranges[body.getArgument(1)] = counting(call.batches(), IndexRange::ofBatch);
  ranges[body.getArgument(2)] = counting(call.heads(), IndexRange::ofHead);
  if (!call.part) // of whose queries the op has some
    ranges[body.getArgument(3)] = IndexRange::position(query, key, call.keys());
  ranges[body.getArgument(4)] = key;
}

IndexRange ScoreIndices::divided(Value dividend, Value divisor, bool roundsDown) const {
  IndexRange range = of(dividend);
  std::optional<int64_t> by = positiveConstant(divisor);
  return by && range.isKnown && (roundsDown || range.low >= 0) ? range.quotient(*by) : IndexRange();
}

IndexRange ScoreIndices::remaining(Value dividend, Value divisor, bool roundsDown) const {
  IndexRange range = of(dividend);
  std::optional<int64_t> by = positiveConstant(divisor);
  return by && (roundsDown || (range.isKnown && range.low >= 0)) ? range.remainder(*by) : IndexRange();
}

IndexRange ScoreIndices::find(Operation &op) const {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  auto clamped = [&](Value a, Value b, bool fromBelow) -> IndexRange {
    if (APInt bound; matchPattern(b, m_ConstantInt(&bound)))
      return fromBelow ? of(a).clamped(bound.getSExtValue(), most) : of(a).clamped(least, bound.getSExtValue());
    return IndexRange();
  };
  auto operand = [&](unsigned number) { return op.getOperand(number); };
  return TypeSwitch<Operation *, IndexRange>(&op)
      .Case([&](arith::ConstantOp constant) {
        auto number = dyn_cast<IntegerAttr>(constant.getValue());
        return number ? IndexRange::constant(number.getValue().getSExtValue()) : IndexRange();
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](Operation *) { return of(operand(0)); })
      .Case([&](arith::AddIOp) { return of(operand(0)).plus(of(operand(1))); })
      .Case([&](arith::SubIOp difference) {
        if (Value divisor = divisorOfRemainder(difference))
          return remaining(operand(0), divisor, /*roundsDown=*/true);
        return of(operand(0)).minus(of(operand(1)));
      })
      .Case([&](arith::MulIOp) { return of(operand(0)).times(of(operand(1))); })
      .Case([&](arith::FloorDivSIOp) { return divided(operand(0), operand(1), /*roundsDown=*/true); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](Operation *) { return divided(operand(0), operand(1), false); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *) { return remaining(operand(0), operand(1), false); })
      .Case([&](arith::MaxSIOp) { return clamped(operand(0), operand(1), /*fromBelow=*/true); })
      .Case([&](arith::MinSIOp) { return clamped(operand(0), operand(1), /*fromBelow=*/false); })
      .Default([](Operation *) { return IndexRange(); });
}

LogicalResult ScoreIndices::verifyRead(tensor::ExtractOp read) const {
  auto type = cast<RankedTensorType>(read.getTensor().getType());
  for (auto [axis, index] : llvm::enumerate(read.getIndices())) {
    IndexRange range = of(index);
    int64_t size = type.getDimSize(axis);
    if (ShapedType::isDynamic(size) || range.mayFit(size, seesAllPairs))
      continue;
    InFlightDiagnostic error = read.emitError("expected an index in [0, ")
                               << size << ") in dimension " << axis << " of a captured " << type << ", got "
                               << range.low;
    return range.high == range.low ? error : error << " to " << range.high;
  }
  return success();
}

LogicalResult ScoreIndices::verify() {
  for (Operation &op : body.without_terminator()) {
    if (auto read = dyn_cast<tensor::ExtractOp>(op); read && failed(verifyRead(read)))
      return failure();
    if (Value result = op.getResult(0); result.getType().isIntOrIndex())
      ranges[result] = within(result.getType(), find(op));
  }
  return success();
}

LogicalResult xf::verifyScoreReads(const AttentionCall &call) {
  bool hasPairs = !llvm::is_contained({call.batches(), call.heads(), call.queries(), call.keys()}, 0);
  return hasPairs ? ScoreIndices(call).verify() : success();
}
