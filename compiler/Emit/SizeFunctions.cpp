//===- SizeFunctions.cpp - Functions that compute sizes of a call ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/SizeFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

/// Builds an i1 that is true if `op`, a sum or product of sizes, does not fit into 64 bits. Returns null for other ops.
static Value overflows(OpBuilder &b, Operation *op) {
  if (!isa<arith::AddIOp, arith::MulIOp>(op) || !op->getResult(0).getType().isIndex())
    return {};
  Location loc = op->getLoc();
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value); };
  auto wide = [&](Value size) { return arith::IndexCastOp::create(b, loc, b.getI64Type(), size); };
  Value left = wide(op->getOperand(0)), right = wide(op->getOperand(1)), result = wide(op->getResult(0));
  if (isa<arith::MulIOp>(op)) { // the upper half of the product is more than the sign
    Value upper = arith::MulSIExtendedOp::create(b, loc, left, right).getHigh();
    Value sign = arith::ShRSIOp::create(b, loc, result, number(63));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, upper, sign);
  }
  Value differs = arith::AndIOp::create(b, loc, arith::XOrIOp::create(b, loc, left, result),
                                        arith::XOrIOp::create(b, loc, right, result)); // both in the sign bit
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, differs, number(0));
}

void xf::addPrepare(func::FuncOp host, const SymbolClasses &symbols, ArrayRef<std::pair<Value, int32_t>> computed,
                    HostTable &table, OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = host.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  table.prepare = (host.getName() + "_prepare").str();
  auto prepare = func::FuncOp::create(b, loc, table.prepare, b.getFunctionType({pointer, pointer}, {}));
  prepare.setPrivate();
  Block *body = prepare.addEntryBlock();
  b.setInsertionPointToStart(body);
  Type i64 = b.getI64Type();
  auto element = [&](Value array, int32_t index) -> Value {
    return LLVM::GEPOp::create(b, loc, pointer, i64, array, ArrayRef<LLVM::GEPArg>{index});
  };
  IRMapping mapping;
  Value isTooLarge = arith::ConstantIntOp::create(b, loc, b.getI1Type(), false), isUnequal = isTooLarge;
  for (Operation &op : host.getBody().front()) {
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      int32_t symbol = symbols.symbol(cast<BlockArgument>(dim.getSource()).getArgNumber(), *dim.getConstantIndex());
      Value size = LLVM::LoadOp::create(b, loc, i64, element(body->getArgument(0), symbol));
      mapping.map(dim.getResult(), arith::IndexCastOp::create(b, loc, b.getIndexType(), size));
    } else if (auto equal = dyn_cast<xft::RequireEqualOp>(op)) {
      Value differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, mapping.lookup(equal.getX()),
                                            mapping.lookup(equal.getY()));
      isUnequal = arith::OrIOp::create(b, loc, isUnequal, differs);
    } else if (isa<arith::ArithDialect>(op.getDialect())) {
      if (Value overflow = overflows(b, b.clone(op, mapping)))
        isTooLarge = arith::OrIOp::create(b, loc, isTooLarge, overflow);
    }
  }
  auto storeSlot = [&](Value value, int32_t slot) {
    LLVM::StoreOp::create(b, loc, value, element(body->getArgument(1), slot));
  };
  for (auto [value, slot] : computed)
    storeSlot(arith::IndexCastOp::create(b, loc, i64, mapping.lookup(value)), slot);
  for (auto [slot, constant] : llvm::enumerate(table.frame))
    if (constant)
      storeSlot(arith::ConstantIntOp::create(b, loc, i64, *constant), slot);
  Value arena = element(body->getArgument(1), table.arenaBytes);
  Value bytes = LLVM::LoadOp::create(b, loc, i64, arena);
  for (auto [refused, code] : {std::pair(isUnequal, XFRT_SIZES_DIFFER), {isTooLarge, XFRT_SIZES_TOO_LARGE}})
    bytes = arith::SelectOp::create(b, loc, refused, arith::ConstantIntOp::create(b, loc, i64, code), bytes);
  LLVM::StoreOp::create(b, loc, bytes, arena);
  func::ReturnOp::create(b, loc);
}

namespace {
/// Builds the values of expressions of sizes as 64-bit integers. Also builds the condition that some value does not fit
/// into 64 bits.
struct ExpressionBuilder {
  OpBuilder &b;
  Location loc;
  function_ref<Value(const std::string &)> valueOf;
  Value isTooLarge;

  Value number(int64_t value) { return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value); }

  template <typename OpTy>
  Value binary(Value x, Value y) {
    Value left = arith::IndexCastOp::create(b, loc, b.getIndexType(), x);
    Value right = arith::IndexCastOp::create(b, loc, b.getIndexType(), y);
    Operation *op = OpTy::create(b, loc, left, right);
    if (Value overflow = overflows(b, op))
      isTooLarge = arith::OrIOp::create(b, loc, isTooLarge, overflow);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), op->getResult(0));
  }

  Value build(const SizeExpression &size) {
    Value total = number(0);
    for (const SizeExpression::Term &term : size.terms()) {
      Value product = number(term.coefficient);
      for (const SizeExpression::Factor &factor : term.factors) {
        Value value = factor.dividend ? binary<arith::FloorDivSIOp>(build(*factor.dividend), number(factor.divisor))
                                      : valueOf(factor.name);
        product = binary<arith::MulIOp>(product, value);
      }
      total = binary<arith::AddIOp>(total, product);
    }
    return total;
  }
};
} // namespace

/// Returns a name in `size` that names no size of an argument. Returns an empty text if there is no such name.
static std::string unknownName(const SizeExpression &size, const HostTable &table) {
  std::string unknown;
  size.forEachName([&](const std::string &name) {
    if (!table.symbolOfName.count(name))
      unknown = name;
  });
  return unknown;
}

LogicalResult xf::addDerive(func::FuncOp host, HostTable &table, OpBuilder &b) {
  auto isDerived = [](const HostTable::Symbol &symbol) { return symbol.value.has_value(); };
  if (llvm::none_of(table.symbols, isDerived))
    return success();
  for (const HostTable::Symbol &symbol : table.symbols)
    if (std::string name = symbol.value ? unknownName(*symbol.value, table) : ""; !name.empty())
      return host.emitError("expected a size that an argument has, got '") << name << "' in " << symbol.name;
  OpBuilder::InsertionGuard guard(b);
  Location loc = host.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  table.derive = (host.getName() + "_derive").str();
  auto derive = func::FuncOp::create(b, loc, table.derive, b.getFunctionType({pointer, i32}, {i64}));
  derive.setPrivate();
  Block *body = derive.addEntryBlock();
  b.setInsertionPointToStart(body);
  auto valueOf = [&](const std::string &name) -> Value {
    Value place = LLVM::GEPOp::create(b, loc, pointer, i64, body->getArgument(0),
                                      ArrayRef<LLVM::GEPArg>{table.symbolOfName.at(name)});
    return LLVM::LoadOp::create(b, loc, i64, place);
  };
  Value result;
  int64_t number = 0;
  for (const HostTable::Symbol &symbol : table.symbols) {
    if (!symbol.value)
      continue;
    ExpressionBuilder builder{b, loc, valueOf, arith::ConstantIntOp::create(b, loc, b.getI1Type(), false)};
    Value value = builder.build(*symbol.value);
    value = arith::SelectOp::create(b, loc, builder.isTooLarge, builder.number(INT64_MIN), value);
    Value isAsked = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, body->getArgument(1),
                                          arith::ConstantIntOp::create(b, loc, i32, number++));
    result = result ? arith::SelectOp::create(b, loc, isAsked, value, result).getResult() : value;
  }
  func::ReturnOp::create(b, loc, result);
  return success();
}
