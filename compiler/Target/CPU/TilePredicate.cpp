//===- TilePredicate.cpp - Patterns that are decided tile by tile ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/TilePredicate.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// As scalar code
//===----------------------------------------------------------------------===//

namespace {
/// Affine expressions as arith ops on indices, dimensions and symbols being arguments of the block.
struct PredicateBuilder {
  OpBuilder b;
  Location loc;
  Block &block;
  unsigned numDims;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// x - c floor(x / c), or the low bits.
  Value modulo(Value x, int64_t divisor) {
    if (llvm::isPowerOf2_64(divisor))
      return arith::AndIOp::create(b, loc, x, index(divisor - 1));
    Value quotient = arith::FloorDivSIOp::create(b, loc, x, index(divisor));
    return arith::SubIOp::create(b, loc, x, arith::MulIOp::create(b, loc, quotient, index(divisor)));
  }

  Value build(AffineExpr expression) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return index(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      return block.getArgument(dim.getPosition());
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
      return block.getArgument(numDims + symbol.getPosition());
    auto binary = cast<AffineBinaryOpExpr>(expression);
    Value left = build(binary.getLHS());
    if (expression.getKind() == AffineExprKind::Add)
      return arith::AddIOp::create(b, loc, left, build(binary.getRHS()));
    int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue(); // checked where solutions are verified
    switch (expression.getKind()) {
    case AffineExprKind::Mul:
      return arith::MulIOp::create(b, loc, left, index(right));
    case AffineExprKind::Mod:
      return modulo(left, right);
    case AffineExprKind::FloorDiv:
      return arith::FloorDivSIOp::create(b, loc, left, index(right));
    default:
      return arith::FloorDivSIOp::create(b, loc, arith::AddIOp::create(b, loc, left, index(right - 1)), index(right));
    }
  }

  Value build(IntegerSet set) {
    Value all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      auto predicate = isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
      all = arith::AndIOp::create(b, loc, all, arith::CmpIOp::create(b, loc, predicate, build(constraint), index(0)));
    }
    return all;
  }
};
} // namespace

TilePredicate::TilePredicate(KernelBuilder &kb, TilesAttr tiles, unsigned numSymbols, ValueRange sizes)
    : tiles(tiles), block(std::make_shared<Block>()) {
  constexpr unsigned numDims = 2;
  for (unsigned n = 0; n < numDims + 2 + numSymbols; ++n)
    block->addArgument(kb.b.getIndexType(), kb.loc);
  PredicateBuilder builder{OpBuilder(kb.b.getContext()), kb.loc, *block, numDims};
  builder.b.setInsertionPointToEnd(block.get());
  Value some = arith::ConstantOp::create(builder.b, kb.loc, kb.b.getBoolAttr(false));
  for (IntegerSet set : tiles.getConjunctions())
    some = arith::OrIOp::create(builder.b, kb.loc, some, builder.build(set));
  YieldOp::create(builder.b, kb.loc, some);
  isSmall = buildSmallIndices(kb, *block, sizes);
}

void TilePredicate::startTask(AttendTask &task) {
  symbols = {task.nq, task.nk};
  for (Value symbol : task.symbols)
    symbols.push_back(loadPerHead(task, symbol));
}

SmallVector<Value> TilePredicate::forEachVersion(KernelBuilder &kb, TypeRange types, VersionBody body) const {
  auto general = [&] { return body(anyIndexLimit); };
  return isSmall ? kb.ifElse(isSmall, types, [&] { return body(narrowIndexLimit); }, general) : general();
}

Value TilePredicate::evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit) const {
  SmallVector<LaneValue> arguments = {LaneValue::index(position, 0, -indexLimit, indexLimit),
                                      LaneValue::index(key, 1, 0, indexLimit)};
  for (auto [number, symbol] : llvm::enumerate(symbols)) // sizes, then what the user gives
    arguments.push_back(number < 2 ? LaneValue::index(symbol, 0, 0, indexLimit) : LaneValue::uniform(symbol));
  return asRegister(task.kb, buildLaneRegion(task.kb, *block, arguments, {}, task.lanes)[0], task.lanes);
}

//===----------------------------------------------------------------------===//
// On boxes
//===----------------------------------------------------------------------===//

namespace {
/// Interval arithmetic on quasi-affine expressions.
struct IntervalBuilder {
  KernelBuilder &kb;
  ArrayRef<TilePredicate::Interval> dims;
  ArrayRef<Value> symbols;

  using Interval = TilePredicate::Interval;

  Interval modulo(Interval x, int64_t divisor) {
    Value low = kb.floorDiv(x.low, divisor), high = kb.floorDiv(x.high, divisor);
    Value sameQuotient = kb.compare(arith::CmpIPredicate::eq, low, high);
    Value base = kb.mul(low, divisor);
    return {kb.select(sameQuotient, kb.sub(x.low, base), kb.integer(0)),
            kb.select(sameQuotient, kb.sub(x.high, base), kb.integer(divisor - 1))};
  }

  Interval build(AffineExpr expression) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return {kb.integer(constant.getValue()), kb.integer(constant.getValue())};
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      return dims[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
      return {symbols[symbol.getPosition()], symbols[symbol.getPosition()]};
    auto binary = cast<AffineBinaryOpExpr>(expression);
    Interval x = build(binary.getLHS());
    if (expression.getKind() == AffineExprKind::Add) {
      Interval y = build(binary.getRHS());
      return {kb.add(x.low, y.low), kb.add(x.high, y.high)};
    }
    int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    switch (expression.getKind()) {
    case AffineExprKind::Mul:
      return right < 0 ? Interval{kb.mul(x.high, right), kb.mul(x.low, right)}
                       : Interval{kb.mul(x.low, right), kb.mul(x.high, right)};
    case AffineExprKind::Mod:
      return modulo(x, right);
    case AffineExprKind::FloorDiv:
      return {kb.floorDiv(x.low, right), kb.floorDiv(x.high, right)};
    default:
      return {kb.ceilDiv(x.low, right), kb.ceilDiv(x.high, right)};
    }
  }
};
} // namespace

TilePredicate::Decision TilePredicate::decide(KernelBuilder &kb, Interval positions, Interval keys) const {
  Interval dims[] = {positions, keys};
  IntervalBuilder intervals{kb, dims, symbols};
  auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(kb.b, kb.loc, x, y); };
  auto either = [&](Value x, Value y) -> Value { return arith::OrIOp::create(kb.b, kb.loc, x, y); };
  auto negative = [&](Value x) { return kb.compare(arith::CmpIPredicate::slt, x, kb.integer(0)); };
  auto positive = [&](Value x) { return kb.compare(arith::CmpIPredicate::sgt, x, kb.integer(0)); };
  auto notNegative = [&](Value x) { return kb.compare(arith::CmpIPredicate::sge, x, kb.integer(0)); };
  auto notPositive = [&](Value x) { return kb.compare(arith::CmpIPredicate::sle, x, kb.integer(0)); };
  Value yes = kb.constant(kb.b.getBoolAttr(true)), no = kb.constant(kb.b.getBoolAttr(false));
  Decision all{yes, no};
  for (IntegerSet set : tiles.getConjunctions()) {
    Decision one{no, yes};
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      Interval x = intervals.build(constraint);
      one.isEmpty = either(one.isEmpty, negative(x.high));
      one.isFull = both(one.isFull, notNegative(x.low));
      if (!isEquality)
        continue;
      one.isEmpty = either(one.isEmpty, positive(x.low));
      one.isFull = both(one.isFull, notPositive(x.high));
    }
    all.isEmpty = both(all.isEmpty, one.isEmpty);
    all.isFull = either(all.isFull, one.isFull);
  }
  return all;
}
