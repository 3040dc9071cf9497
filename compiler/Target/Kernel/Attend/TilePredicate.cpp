//===- TilePredicate.cpp - Predicates on tiles and pairs ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/TilePredicate.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Pair by pair
//===----------------------------------------------------------------------===//

/// Splits a sum into `added`, the sum of its added terms, and `subtracted`, the sum of its subtracted terms. A
/// comparison of these two sums with each other overflows less easily than a comparison of their difference with 0.
static void splitSigns(AffineExpr expression, AffineExpr &added, AffineExpr &subtracted) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (binary && expression.getKind() == AffineExprKind::Add) {
    splitSigns(binary.getLHS(), added, subtracted);
    return splitSigns(binary.getRHS(), added, subtracted);
  }
  auto constant = binary && expression.getKind() == AffineExprKind::Mul ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                                                                        : dyn_cast<AffineConstantExpr>(expression);
  bool isNegative = constant && constant.getValue() < 0 && constant.getValue() > INT32_MIN;
  if (isNegative)
    subtracted = subtracted + (binary ? binary.getLHS() * -constant.getValue() : -expression);
  else
    added = added + expression;
}

static Value buildCondition(OpBuilder &b, Location loc, IntegerSet set) {
  Value all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    AffineExpr added = b.getAffineConstantExpr(0), subtracted = added;
    splitSigns(constraint, added, subtracted);
    auto predicate = isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    Value left = buildIndexCode(b, loc, added, 2), right = buildIndexCode(b, loc, subtracted, 2);
    all = arith::AndIOp::create(b, loc, all, arith::CmpIOp::create(b, loc, predicate, left, right));
  }
  return all;
}

TilePredicate::TilePredicate(KernelBuilder &kb, TilesAttr tiles, ValueRange operands, ValueRange sizes)
    : tiles(tiles), block(std::make_shared<Block>()) {
  for (IntegerSet set : tiles.getConjunctions())
    numSymbols = std::max(numSymbols, set.getNumSymbols());
  for (unsigned n = 0; n < 2 + numSymbols; ++n)
    block->addArgument(kb.b.getIndexType(), kb.loc);
  numSymbols -= tiles.getData().size();
  OpBuilder b(kb.b.getContext());
  b.setInsertionPointToEnd(block.get());
  Value some = arith::ConstantOp::create(b, kb.loc, kb.b.getBoolAttr(false));
  for (IntegerSet set : tiles.getConjunctions())
    some = arith::OrIOp::create(b, kb.loc, some, buildCondition(b, kb.loc, set));
  YieldOp::create(b, kb.loc, some);
  isSmall = buildSmallIndices(kb, *block, sizes);
  for (auto [number, datum] : llvm::enumerate(tiles.getData()))
    data.emplace_back(kb, datum, operands[2 * number], operands[2 * number + 1]);
}

void TilePredicate::startTask(AttendTask &task) {
  symbols = {task.queryCount(), task.nk};
  for (Value symbol : task.limits.symbols)
    symbols.push_back(loadPerHead(task, symbol));
  symbols.resize(numSymbols);
  for (DatumCode &datum : data)
    datum.startTask(task);
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
  for (const DatumCode &datum : data)
    arguments.push_back(datum.evaluate(task, position, key, indexLimit, ArrayRef(arguments).drop_front(2)));
  return asRegister(task.kb, buildLaneRegion(task.kb, *block, arguments, {}, task.lanes)[0], task.lanes);
}

//===----------------------------------------------------------------------===//
// On boxes
//===----------------------------------------------------------------------===//

TilePredicate::Decision TilePredicate::decide(AttendTask &task, Interval positions, Interval keys) const {
  KernelBuilder &kb = task.kb;
  Interval dims[] = {positions, keys};
  auto intervals = llvm::map_to_vector(symbols, [](Value symbol) { return Interval{symbol, symbol}; });
  for (const DatumCode &datum : data)
    intervals.push_back(datum.range(task, positions, keys, intervals));
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
      Interval x = buildRange(kb, constraint, dims, intervals);
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
