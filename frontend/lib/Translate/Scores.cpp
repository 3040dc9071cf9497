//===- Scores.cpp - Score functions to regions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Graph/Expression.h"
#include "Translator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using graph::Expression;
using E = graph::ExpressionOp;

namespace {
class ScoreBuilder {
public:
  ScoreBuilder(OpBuilder &builder, ValueRange arguments, ArrayRef<fe::Tensor> captures)
      : builder(builder), arguments(arguments), captures(captures), real(arguments[0].getType()) {}

  /// Builds the operations of a score function, operands before their users, and returns its result. Uses no recursion,
  /// since a long loop may build a deep expression.
  Value build(const Expression &score) {
    SmallVector<const Expression *> pending = {&score};
    while (!pending.empty()) {
      const Expression *expression = pending.back();
      size_t before = pending.size();
      for (const graph::ExpressionPtr &operand : expression->operands)
        if (!known.contains(operand.get()))
          pending.push_back(operand.get());
      if (pending.size() > before)
        continue;
      pending.pop_back();
      if (!known.contains(expression))
        known[expression] = make(*expression);
    }
    return known[&score];
  }

private:
  Value make(const Expression &e);
  Value makeLeaf(const Expression &e);
  Value makeInteger(const Expression &e, Value a, Value b);
  Value makeReal(const Expression &e, Value a, Value b);
  Value makeCondition(const Expression &e, Value a, Value b);
  Value load(const Expression &e);

  template <typename OpTy>
  Value op(Value a, Value b) {
    return OpTy::create(builder, loc(), a, b);
  }
  template <typename OpTy>
  Value op(Value a) {
    return OpTy::create(builder, loc(), a);
  }
  Location loc() const { return translateLocation(builder.getContext(), line); }

  OpBuilder &builder;
  ValueRange arguments;
  ArrayRef<fe::Tensor> captures;
  Type real;
  fe::Here line;
  llvm::DenseMap<const Expression *, Value> known;
};
} // namespace

Value ScoreBuilder::make(const Expression &e) {
  if (e.here.line() != 0)
    line = e.here; // a constant has no line of its own, and takes that of its user
  auto operand = [&](size_t n) { return n < e.operands.size() ? known[e.operands[n].get()] : Value(); };
  if (e.op == E::load)
    return load(e);
  if (e.op == E::select)
    return arith::SelectOp::create(builder, loc(), operand(0), operand(1), operand(2));
  if (e.operands.empty())
    return makeLeaf(e);
  if (Value value = makeInteger(e, operand(0), operand(1)))
    return value;
  if (Value value = makeReal(e, operand(0), operand(1)))
    return value;
  return makeCondition(e, operand(0), operand(1));
}

Value ScoreBuilder::makeLeaf(const Expression &e) {
  switch (e.op) {
  case E::value:
    return arguments[0];
  case E::batch:
    return arguments[1];
  case E::head:
    return arguments[2];
  case E::query:
    return arguments[3];
  case E::key:
    return arguments[4];
  case E::integer:
    return arith::ConstantOp::create(builder, loc(), builder.getIndexAttr(e.integer));
  case E::real:
    return arith::ConstantOp::create(builder, loc(), FloatAttr::get(real, e.real));
  default:
    llvm_unreachable("all leaves are handled");
  }
}

/// Builds an operation on integers. Returns null for any other operation. Quotients and remainders round down.
Value ScoreBuilder::makeInteger(const Expression &e, Value a, Value b) {
  switch (e.op) {
  case E::add:
    return op<arith::AddIOp>(a, b);
  case E::sub:
    return op<arith::SubIOp>(a, b);
  case E::mul:
    return op<arith::MulIOp>(a, b);
  case E::floorDiv:
    return op<arith::FloorDivSIOp>(a, b);
  case E::mod:
    return op<arith::SubIOp>(a, op<arith::MulIOp>(op<arith::FloorDivSIOp>(a, b), b));
  default:
    return {};
  }
}

Value ScoreBuilder::makeReal(const Expression &e, Value a, Value b) {
  switch (e.op) {
  case E::toReal: {
    Value integer = arith::IndexCastOp::create(builder, loc(), builder.getI64Type(), a);
    return arith::SIToFPOp::create(builder, loc(), real, integer);
  }
  case E::addReal:
    return op<arith::AddFOp>(a, b);
  case E::subReal:
    return op<arith::SubFOp>(a, b);
  case E::mulReal:
    return op<arith::MulFOp>(a, b);
  case E::divReal:
    return op<arith::DivFOp>(a, b);
  case E::maximum:
    return op<arith::MaximumFOp>(a, b);
  case E::minimum:
    return op<arith::MinimumFOp>(a, b);
  case E::pow:
    return op<math::PowFOp>(a, b);
  case E::atan2:
    return op<math::Atan2Op>(a, b);
#define XF_SCALAR(NAME, OP)                                                                                            \
  case E::NAME:                                                                                                        \
    return op<math::OP>(a);
#include "../Graph/ScalarFunctions.def"
  default:
    return {};
  }
}

Value ScoreBuilder::makeCondition(const Expression &e, Value a, Value b) {
  auto compare = [&](arith::CmpIPredicate kind) -> Value { return arith::CmpIOp::create(builder, loc(), kind, a, b); };
  auto compareReal = [&](arith::CmpFPredicate kind) -> Value {
    return arith::CmpFOp::create(builder, loc(), kind, a, b);
  };
  switch (e.op) {
  case E::equal:
    return compare(arith::CmpIPredicate::eq);
  case E::notEqual:
    return compare(arith::CmpIPredicate::ne);
  case E::less:
    return compare(arith::CmpIPredicate::slt);
  case E::lessEqual:
    return compare(arith::CmpIPredicate::sle);
  case E::lessReal:
    return compareReal(arith::CmpFPredicate::OLT);
  case E::lessEqualReal:
    return compareReal(arith::CmpFPredicate::OLE);
  case E::conjunction:
    return op<arith::AndIOp>(a, b);
  case E::disjunction:
    return op<arith::OrIOp>(a, b);
  case E::negation:
    return op<arith::XOrIOp>(a, arith::ConstantOp::create(builder, loc(), builder.getBoolAttr(true)));
  default:
    llvm_unreachable("all conditions are handled");
  }
}

/// Builds the load of one element of a captured tensor, converted to the type of the score.
Value ScoreBuilder::load(const Expression &e) {
  const fe::Tensor *found = llvm::find_if(captures, [&](const fe::Tensor &capture) {
    return capture.node() == e.tensor.node() && capture.result() == e.tensor.result();
  });
  SmallVector<Value> indices;
  for (const graph::ExpressionPtr &operand : e.operands)
    indices.push_back(known[operand.get()]);
  Value tensor = arguments[5 + (found - captures.begin())];
  Value element = tensor::ExtractOp::create(builder, loc(), tensor, indices);
  unsigned width = element.getType().getIntOrFloatBitWidth(), wanted = real.getIntOrFloatBitWidth();
  if (width < wanted)
    return arith::ExtFOp::create(builder, loc(), real, element);
  return width == wanted ? element : arith::TruncFOp::create(builder, loc(), real, element);
}

Value buildScore(OpBuilder &builder, const Expression &score, ValueRange arguments, ArrayRef<fe::Tensor> captures) {
  return ScoreBuilder(builder, arguments, captures).build(score);
}
