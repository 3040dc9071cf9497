//===- DatumCode.cpp - Data of a predicate in a kernel --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/DatumCode.h"
#include "compiler/Target/Kernel/Attend/TabulateCode.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt, sle = arith::CmpIPredicate::sle, eq = arith::CmpIPredicate::eq;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static IntegerRange buildModulo(KernelBuilder &kb, IntegerRange x, int64_t divisor) {
  Value low = kb.floorDiv(x.low, divisor), high = kb.floorDiv(x.high, divisor);
  Value sameQuotient = kb.compare(eq, low, high), base = kb.mul(low, divisor);
  return {kb.select(sameQuotient, kb.sub(x.low, base), kb.integer(0)),
          kb.select(sameQuotient, kb.sub(x.high, base), kb.integer(divisor - 1))};
}

IntegerRange kernel::buildRange(KernelBuilder &kb, AffineExpr expression, ArrayRef<IntegerRange> dims,
                                ArrayRef<IntegerRange> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return {kb.integer(constant.getValue()), kb.integer(constant.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  IntegerRange x = buildRange(kb, binary.getLHS(), dims, symbols);
  if (expression.getKind() == AffineExprKind::Add) {
    IntegerRange y = buildRange(kb, binary.getRHS(), dims, symbols);
    return {kb.add(x.low, y.low), kb.add(x.high, y.high)};
  }
  int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue(); // checked where solutions are verified
  switch (expression.getKind()) {
  case AffineExprKind::Mul:
    return right < 0 ? IntegerRange{kb.mul(x.high, right), kb.mul(x.low, right)}
                     : IntegerRange{kb.mul(x.low, right), kb.mul(x.high, right)};
  case AffineExprKind::Mod:
    return buildModulo(kb, x, right);
  case AffineExprKind::FloorDiv:
    return {kb.floorDiv(x.low, right), kb.floorDiv(x.high, right)};
  default:
    return {kb.ceilDiv(x.low, right), kb.ceilDiv(x.high, right)};
  }
}

Value kernel::buildIndexCode(OpBuilder &b, Location loc, AffineExpr expression, unsigned numDims) {
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return number(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return b.getBlock()->getArgument(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return b.getBlock()->getArgument(numDims + symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value left = buildIndexCode(b, loc, binary.getLHS(), numDims);
  if (expression.getKind() == AffineExprKind::Add)
    return arith::AddIOp::create(b, loc, left, buildIndexCode(b, loc, binary.getRHS(), numDims));
  int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expression.getKind()) {
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, loc, left, number(right));
  case AffineExprKind::Mod: {
    if (llvm::isPowerOf2_64(right))
      return arith::AndIOp::create(b, loc, left, number(right - 1));
    Value quotient = arith::FloorDivSIOp::create(b, loc, left, number(right));
    return arith::SubIOp::create(b, loc, left, arith::MulIOp::create(b, loc, quotient, number(right)));
  }
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(b, loc, left, number(right));
  default:
    return arith::FloorDivSIOp::create(b, loc, arith::AddIOp::create(b, loc, left, number(right - 1)), number(right));
  }
}

/// Builds the code of an affine map with one dimension and one result: a block (x, symbols..) -> index.
static std::shared_ptr<Block> codeOf(KernelBuilder &kb, AffineMap map) {
  auto block = std::make_shared<Block>();
  for (unsigned n = 0; n < 1 + map.getNumSymbols(); ++n)
    block->addArgument(kb.b.getIndexType(), kb.loc);
  OpBuilder b(kb.b.getContext());
  b.setInsertionPointToEnd(block.get());
  YieldOp::create(b, kb.loc, buildIndexCode(b, kb.loc, map.getResult(0), 1));
  return block;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

DatumCode::DatumCode(KernelBuilder &kb, DatumAttr datum, Value first, Value second)
    : datum(datum), first(View::of(kb, first)), second(View::of(kb, second)) {
  if (!datum.isOfPair())
    return;
  rowCode = codeOf(kb, datum.getRow());
  columnCode = codeOf(kb, datum.getColumn());
}

void DatumCode::startTask(AttendTask &task) {
  KernelBuilder &kb = task.kb;
  if (!datum.isOfPair()) {
    values = first.at(kb, task.b);
    ranges = second.at(kb, task.b);
    return;
  }
  lists = first;
  if (first.sizes.size() == 3) // lists for each batch entry and head
    lists = {first.at(kb, {task.b, task.h}), first.element, {first.sizes[2]}, {first.strides[2]}};
  bool isPerHead = datum.getHeads() > 1;
  numLists = isPerHead ? kb.integer(datum.getRows()) : kb.add(lists.sizes[0], -1);
  firstList = isPerHead ? kb.mul(kb.rem(task.h, kb.integer(datum.getHeads())), datum.getRows()) : kb.integer(0);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Builds a binary search. Returns the first index of [begin, end) at which `numbers` has a value of at least x, or
/// `end` if there is none. The values of [begin, end) must be sorted.
static Value buildSearch(KernelBuilder &kb, Type element, Value numbers, Value begin, Value end, Value x) {
  Value length = kb.sub(end, begin);
  Value zeros = LLVM::CountLeadingZerosOp::create(kb.b, kb.loc, kb.i64(), length, /*is_zero_poison=*/false);
  SmallVector<Value> state = {begin, length};
  return kb.loop(kb.integer(0), kb.sub(kb.integer(64), zeros), 1, state, [&](Value, ValueRange state) {
    Value half = arith::ShRUIOp::create(kb.b, kb.loc, state[1], kb.integer(1)), middle = kb.add(state[0], half);
    Value number = kb.loadIndex(element, kb.at(element, numbers, kb.min(middle, kb.add(end, -1))));
    Value isBelow = both(kb, kb.compare(slt, number, x), kb.compare(slt, kb.integer(0), state[1]));
    return SmallVector<Value>{kb.select(isBelow, kb.add(middle, 1), state[0]),
                              kb.select(isBelow, kb.sub(state[1], kb.add(half, 1)), half)};
  })[0];
}

/// Returns the function @find_number_<element>(%numbers, %begin, %end, %x) -> i64, whose body is a binary search
/// (buildSearch). All kernels of the module share the function. The first call creates it.
static func::FuncOp findFunction(AttendTask &task, Type element) {
  KernelBuilder &outer = task.kb;
  auto module = outer.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  llvm::raw_string_ostream(name) << "find_number_" << element;
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Type i64 = outer.i64(), types[] = {outer.pointer(), i64, i64, i64};
  auto function = func::FuncOp::create(b, outer.loc, name, b.getFunctionType(types, i64));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
  b.setInsertionPointToStart(function.addEntryBlock());
  auto end = func::ReturnOp::create(b, outer.loc, function.getArgument(1));
  KernelBuilder kb(function, outer.machine);
  auto argument = [&](unsigned n) { return function.getArgument(n); };
  end->setOperand(0, buildSearch(kb, element, argument(0), argument(1), argument(2), argument(3)));
  return function;
}

/// Searches for x among the sorted `numbers` in [begin, end). If the machine has calls, builds a call, which keeps hot
/// loops short. Otherwise builds the search in place.
static Value findNumber(AttendTask &task, const View &numbers, Value begin, Value end, Value x) {
  KernelBuilder &kb = task.kb;
  if (!kb.machine.hasCalls())
    return buildSearch(kb, numbers.element, numbers.pointer, begin, end, x);
  Value arguments[] = {numbers.pointer, begin, end, x};
  return func::CallOp::create(kb.b, kb.loc, findFunction(task, numbers.element), arguments).getResult(0);
}

std::pair<Value, Value> DatumCode::listAt(AttendTask &task, Value row) const {
  KernelBuilder &kb = task.kb;
  Value exists = both(kb, kb.compare(sle, kb.integer(0), row), kb.compare(slt, row, numLists));
  Value list = kb.add(firstList, kb.select(exists, row, kb.integer(0))), zero = kb.integer(0);
  SmallVector<Type> types(2, kb.i64());
  auto read = [&]() -> SmallVector<Value> {
    auto [begin, end] = buildListBounds(kb, lists, list, second.sizes[0]);
    return {begin, end};
  };
  auto found = kb.ifElse(exists, types, read, [&]() -> SmallVector<Value> { return {zero, zero}; });
  return {found[0], found[1]};
}

/// Returns the range of a datum of lists over a box of rows and columns. The datum is 1 for pairs (row, column) in the
/// lists and 0 for others. The lower end can be 1 only for a box of a single column, because a list may contain a
/// number twice.
IntegerRange DatumCode::rangeOfLists(AttendTask &task, IntegerRange rows, IntegerRange columns) const {
  constexpr int64_t most = 128; // more rows are not searched
  KernelBuilder &kb = task.kb;
  Value zero = kb.integer(0), one = kb.integer(1), isMany = kb.compare(sle, kb.add(rows.low, most), rows.high);
  Value begin = kb.max(rows.low, zero), end = kb.min(kb.add(rows.high, 1), numLists);
  end = kb.select(isMany, begin, end);
  SmallVector<Value> state = {zero};
  Value found = kb.loop(begin, end, 1, state, [&](Value row, ValueRange found) {
    auto [from, to] = listAt(task, row);
    Value place = findNumber(task, second, from, to, columns.low);
    auto read = [&]() -> SmallVector<Value> {
      Value number = kb.loadIndex(second.element, kb.at(second.element, second.pointer, place));
      return {kb.select(kb.compare(sle, number, columns.high), one, zero)};
    };
    auto none = [&]() -> SmallVector<Value> { return {zero}; };
    return SmallVector<Value>{kb.add(found[0], kb.ifElse(kb.compare(slt, place, to), kb.i64(), read, none)[0])};
  })[0];
  Value isEach = kb.compare(eq, found, kb.add(kb.sub(rows.high, rows.low), 1));
  Value isAll = both(kb, isEach, kb.compare(eq, columns.low, columns.high));
  Value isSome = arith::OrIOp::create(kb.b, kb.loc, isMany, kb.compare(slt, zero, found));
  return {kb.select(isAll, one, zero), kb.select(isSome, one, zero)};
}

LaneValue DatumCode::evaluateLists(AttendTask &task, Value row, const LaneValue &columns) const {
  KernelBuilder &kb = task.kb;
  unsigned width = columns.fitsI32() ? 32 : 64;
  Value lanes = asRegister(kb, columns, task.lanes, width);
  VectorType bits = cast<VectorType>(lanes.getType());
  auto extreme = [&](vector::CombiningKind kind) -> Value {
    Value x = vector::ReductionOp::create(kb.b, kb.loc, kind, lanes);
    return width == 64 ? x : Value(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), x));
  };
  auto [from, to] = listAt(task, row);
  Value begin = findNumber(task, second, from, to, extreme(vector::CombiningKind::MINSI));
  Value most = kb.min(extreme(vector::CombiningKind::MAXSI), kb.integer(INT64_MAX - 1)); // ids may be any
  Value end = findNumber(task, second, begin, to, kb.add(most, 1));
  Value seen = kb.loop(begin, end, 1, kb.integerOf(bits, 0), [&](Value place, ValueRange seen) {
    Value number = kb.loadIndex(second.element, kb.at(second.element, second.pointer, place));
    if (width == 32)
      number = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), number);
    Value same = kb.compare(eq, lanes, kb.broadcast(number, task.lanes));
    Value mask = arith::ExtUIOp::create(kb.b, kb.loc, bits, same);
    return SmallVector<Value>{arith::OrIOp::create(kb.b, kb.loc, seen[0], mask)};
  })[0];
  return LaneValue::indices(seen, 0, 1);
}

//===----------------------------------------------------------------------===//
// Numbers of rows and keys
//===----------------------------------------------------------------------===//

IntegerRange DatumCode::rangeOfNumbers(AttendTask &task, IntegerRange positions, IntegerRange keys) const {
  KernelBuilder &kb = task.kb;
  bool isRow = static_cast<bool>(datum.getRow());
  Value offset = isRow ? task.firstPosition() : kb.integer(0);
  IntegerRange box = isRow ? positions : keys;
  int64_t group = isRow ? task.tableGroups.rows : task.tableGroups.keys;
  Value begin = kb.floorDiv(kb.sub(box.low, offset), group);
  Value end = kb.min(kb.add(kb.floorDiv(kb.sub(box.high, offset), group), 1), second.sizes[1]);
  SmallVector<Value> none = {kb.integer(INT64_MAX), kb.integer(INT64_MIN)};
  auto range = kb.loop(begin, end, 1, none, [&](Value g, ValueRange range) {
    Value entry = kb.at(second.element, ranges, kb.mul(g, second.strides[1]));
    Value low = kb.loadIndex(second.element, entry);
    Value high = kb.loadIndex(second.element, kb.at(second.element, entry, second.strides[2]));
    return SmallVector<Value>{kb.min(range[0], low), kb.max(range[1], high)};
  });
  return {range[0], range[1]};
}

IntegerRange DatumCode::range(AttendTask &task, IntegerRange positions, IntegerRange keys,
                              ArrayRef<IntegerRange> symbols) const {
  if (!datum.isOfPair())
    return rangeOfNumbers(task, positions, keys);
  return rangeOfLists(task, buildRange(task.kb, datum.getRow().getResult(0), positions, symbols),
                      buildRange(task.kb, datum.getColumn().getResult(0), keys, symbols));
}

LaneValue DatumCode::evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit,
                              ArrayRef<LaneValue> symbols) const {
  KernelBuilder &kb = task.kb;
  auto limits = [](Type element) -> std::pair<int64_t, int64_t> {
    return element.isInteger(64) ? std::pair(INT64_MIN, INT64_MAX) : std::pair<int64_t, int64_t>(INT32_MIN, INT32_MAX);
  };
  auto [low, high] = limits(first.element);
  if (datum.getNumbers() && !datum.getNumbers().empty()) {
    auto numbers = datum.getNumbers().asArrayRef();
    low = std::min<int64_t>(-1, *llvm::min_element(numbers));
    high = *llvm::max_element(numbers);
  }
  if (!datum.isOfPair()) {
    if (!datum.getRow())
      return LaneValue::indices(kb.load(kb.vector(first.element, task.lanes), kb.at(first.element, values, key)), low,
                                high);
    Value row = kb.sub(position, task.firstPosition());
    return LaneValue::index(kb.loadIndex(first.element, kb.at(first.element, values, row)), 0, low, high);
  }
  auto place = [&](Block &code, const LaneValue &x) {
    SmallVector<LaneValue> arguments = {x};
    arguments.append(symbols.begin(), symbols.end());
    arguments.resize(code.getNumArguments(), LaneValue::uniform(kb.integer(0))); // later data, which are not read
    return buildLaneRegion(kb, code, arguments, {}, task.lanes)[0];
  };
  LaneValue row = place(*rowCode, LaneValue::index(position, 0, -indexLimit, indexLimit));
  return evaluateLists(task, row.first, place(*columnCode, LaneValue::index(key, 1, 0, indexLimit)));
}
