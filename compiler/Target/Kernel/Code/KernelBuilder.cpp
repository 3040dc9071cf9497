//===- KernelBuilder.cpp - Code inside a kernel ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::xf::kernel;

static constexpr auto nsw = arith::IntegerOverflowFlags::nsw;

KernelBuilder::KernelBuilder(func::FuncOp kernel, const KernelMachine &machine)
    : b(kernel.getContext()), loc(kernel.getLoc()), machine(machine), entry(&kernel.getBody().front()) {
  b.setInsertionPoint(entry->getTerminator());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value KernelBuilder::constant(TypedAttr value) {
  Value &cached = constants[value];
  if (cached)
    return cached;
  OpBuilder::InsertionGuard guard(b);
  if (lastConstant)
    b.setInsertionPointAfter(lastConstant);
  else
    b.setInsertionPointToStart(entry);
  auto op = arith::ConstantOp::create(b, loc, value);
  lastConstant = op;
  return cached = op;
}

Value KernelBuilder::real(Type type, double value) {
  auto vector = dyn_cast<VectorType>(type);
  FloatAttr scalar = b.getFloatAttr(getElementTypeOrSelf(type), value);
  return vector ? constant(DenseElementsAttr::get(vector, Attribute(scalar))) : constant(scalar);
}

Value KernelBuilder::integerOf(Type type, int64_t value) {
  auto vector = dyn_cast<VectorType>(type);
  IntegerAttr scalar = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  return vector ? constant(DenseElementsAttr::get(vector, Attribute(scalar))) : constant(scalar);
}

Value KernelBuilder::iota(int64_t lanes) {
  SmallVector<int32_t> values = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(lanes)));
  return constant(DenseElementsAttr::get(vector(b.getI32Type(), lanes), ArrayRef<int32_t>(values)));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static std::optional<int64_t> known(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

Value KernelBuilder::add(Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c)
    return integer(*a + *c);
  if (a == 0)
    return y;
  if (c == 0)
    return x;
  return arith::AddIOp::create(b, loc, x, y, nsw);
}

Value KernelBuilder::sub(Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c)
    return integer(*a - *c);
  return c == 0 ? x : Value(arith::SubIOp::create(b, loc, x, y, nsw));
}

Value KernelBuilder::mul(Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c)
    return integer(*a * *c);
  if (a == 0 || c == 0)
    return integer(0);
  if (a == 1)
    return y;
  return c == 1 ? x : Value(arith::MulIOp::create(b, loc, x, y, nsw));
}

Value KernelBuilder::min(Value x, Value y) {
  auto a = known(x), c = known(y);
  return a && c ? integer(std::min(*a, *c)) : Value(arith::MinSIOp::create(b, loc, x, y));
}

Value KernelBuilder::max(Value x, Value y) {
  auto a = known(x), c = known(y);
  return a && c ? integer(std::max(*a, *c)) : Value(arith::MaxSIOp::create(b, loc, x, y));
}

Value KernelBuilder::floorDiv(Value x, int64_t y) {
  if (y == 1)
    return x;
  if (auto a = known(x))
    return integer(llvm::divideFloorSigned(*a, y));
  if (llvm::isPowerOf2_64(y))
    return arith::ShRSIOp::create(b, loc, x, integer(llvm::Log2_64(y)));
  return arith::FloorDivSIOp::create(b, loc, x, integer(y));
}

Value KernelBuilder::floorMod(Value x, int64_t y) {
  if (y == 1)
    return integer(0);
  if (llvm::isPowerOf2_64(y) && !known(x))
    return arith::AndIOp::create(b, loc, x, integer(y - 1));
  return sub(x, mul(floorDiv(x, y), y));
}

Value KernelBuilder::div(Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c && *c > 0)
    return integer(*a / *c);
  return c == 1 ? x : Value(arith::DivUIOp::create(b, loc, x, y));
}

Value KernelBuilder::rem(Value x, Value y) {
  return known(y) == 1 ? integer(0) : Value(arith::RemUIOp::create(b, loc, x, y));
}

Value KernelBuilder::compare(arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}

Value KernelBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::at(Type element, Value pointer, Value index) {
  if (auto offset = known(index))
    return at(element, pointer, *offset);
  return LLVM::GEPOp::create(b, loc, this->pointer(), element, pointer, ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value KernelBuilder::at(Type element, Value pointer, int64_t index) {
  if (index == 0)
    return pointer;
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(index))
    return LLVM::GEPOp::create(b, loc, this->pointer(), element, pointer,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)}, LLVM::GEPNoWrapFlags::inbounds);
  return LLVM::GEPOp::create(b, loc, this->pointer(), element, pointer, ArrayRef<LLVM::GEPArg>{integer(index)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

/// Returns the alignment in bytes of an element of `type`. Accesses to whole vectors assume the same alignment, unless
/// the caller gives another.
static int64_t elementAlignment(Type type) {
  return std::max<int64_t>(1, getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

Value KernelBuilder::load(Type type, Value pointer, int64_t alignment) {
  return LLVM::LoadOp::create(b, loc, type, pointer, alignment ? alignment : elementAlignment(type));
}

void KernelBuilder::store(Value value, Value pointer, int64_t alignment) {
  LLVM::StoreOp::create(b, loc, value, pointer, alignment ? alignment : elementAlignment(value.getType()));
}

Value KernelBuilder::loadIndex(Type element, Value pointer) {
  Value x = load(element, pointer);
  return element.isInteger(64) ? x : Value(arith::ExtSIOp::create(b, loc, i64(), x));
}

void KernelBuilder::storeIndex(Value value, Type element, Value pointer) {
  store(element.isInteger(64) ? value : Value(arith::TruncIOp::create(b, loc, element, value)), pointer);
}

void KernelBuilder::storeStreamed(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, streamedAlignment, /*isVolatile=*/false, /*isNonTemporal=*/true);
}

void KernelBuilder::prefetch(Value pointer, bool writes) {
  LLVM::Prefetch::create(b, loc, pointer, writes, /*hint=*/2, /*cache=*/1);
}

void KernelBuilder::prefetchRow(Type element, Value row, int64_t count) {
  constexpr int64_t most = 64, unrolled = 16; // lines: the hardware prefetcher continues within a page
  int64_t perLine = std::max<int64_t>(1, cacheLine * 8 / element.getIntOrFloatBitWidth());
  count = std::min(count, most * perLine);
  auto prefetchAt = [&](Value index) { prefetch(at(element, row, index)); };
  if (count > unrolled * perLine)
    return loop(integer(0), integer(count), perLine, prefetchAt);
  for (int64_t index = 0; index < count; index += perLine)
    prefetchAt(integer(index));
}

Value KernelBuilder::stack(Type element, int64_t count) {
  Value size = integer(count); // before the allocation: constants precede it
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(size.getDefiningOp());
  return LLVM::AllocaOp::create(b, loc, pointer(), element, size, /*alignment=*/64);
}

Value KernelBuilder::maskedLoad(VectorType type, Value pointer, Value mask) {
  Value zeros = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  return LLVM::MaskedLoadOp::create(b, loc, type, pointer, mask, zeros, static_cast<unsigned>(elementAlignment(type)));
}

void KernelBuilder::maskedStore(Value value, Value pointer, Value mask) {
  LLVM::MaskedStoreOp::create(b, loc, value, pointer, mask, static_cast<unsigned>(elementAlignment(value.getType())));
}

Value KernelBuilder::laneMask(int64_t lanes, Value count) {
  Type i32 = b.getI32Type();
  Value limit = arith::TruncIOp::create(b, loc, i32, clamp(count, integer(0), integer(lanes)));
  Value limits = vector::BroadcastOp::create(b, loc, vector(i32, lanes), limit);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iota(lanes), limits);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static constexpr auto contract = arith::FastMathFlags::contract;

Value KernelBuilder::addf(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y, contract); }
Value KernelBuilder::subf(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y, contract); }
Value KernelBuilder::mulf(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y, contract); }
Value KernelBuilder::divf(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }

Value KernelBuilder::exactFma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }

Value KernelBuilder::fma(Value x, Value y, Value z) {
  return isa<VectorType>(x.getType()) ? Value(vector::FMAOp::create(b, loc, x, y, z)) : exactFma(x, y, z);
}

Value KernelBuilder::maxf(Value x, Value y) { // as x86 has it; arith.maxnumf expands to three instructions
  return select(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x, y), x, y);
}

Value KernelBuilder::broadcast(Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(b, loc, vector(scalar.getType(), lanes), scalar);
}

Value KernelBuilder::broadcastLoad(Type element, int64_t lanes, Value pointer) {
  return broadcast(load(element, pointer), lanes);
}

Value KernelBuilder::reduceAdd(Value vector) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, vector, arith::FastMathFlags::reassoc);
}

Value KernelBuilder::reduceMax(Value vector) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXNUMF, vector,
                                     arith::FastMathFlags::nnan | arith::FastMathFlags::nsz);
}

/// Returns the coefficients, highest power first, of a polynomial that approximates 2^f on [-1/2, 1/2] and is exactly 1
/// at f = 0. The degree is 5 for f32 (minimax, relative error 9e-8) and 13 for f64 (Taylor series in f ln 2).
static SmallVector<double> exp2Polynomial(bool isDouble) {
  if (!isDouble)
    return {0.0013264727, 0.0096715126, 0.055507337, 0.24022242, 0.69314698, 1.0};
  SmallVector<double> coefficients = {1.0};
  for (int n = 1; n <= 13; ++n)
    coefficients.insert(coefficients.begin(), coefficients.front() * 0.69314718055994530942 / n);
  return coefficients;
}

/// Returns p 2^n for vectors, by adding n to the exponent bits of p. n must be at least -127 for f32 and -1023 for f64.
/// For p = 1 and this least n, the result is +0.
static Value addToExponent(KernelBuilder &kb, Value p, Value n) {
  OpBuilder &b = kb.b;
  auto type = cast<VectorType>(p.getType());
  bool isDouble = type.getElementType().isF64();
  Type bits = kb.vector(isDouble ? b.getI64Type() : b.getI32Type(), type.getNumElements());
  Value exponent;
  if (isDouble) // no conversion to 64-bit integers before AVX-512: the low bits of n + 1.5 2^52 are n
    exponent = arith::BitcastOp::create(b, kb.loc, bits, kb.addf(n, kb.real(type, 0x1.8p52)));
  else
    exponent = arith::FPToSIOp::create(b, kb.loc, bits, n);
  Value shifted = arith::ShLIOp::create(b, kb.loc, exponent, kb.integerOf(bits, isDouble ? 52 : 23));
  Value scaled = arith::AddIOp::create(b, kb.loc, arith::BitcastOp::create(b, kb.loc, bits, p), shifted);
  return arith::BitcastOp::create(b, kb.loc, type, scaled);
}

Value KernelBuilder::scale(Value p, Value n) {
  int64_t lanes = cast<VectorType>(p.getType()).getNumElements();
  Value all = constant(b.getIntegerAttr(b.getIntegerType(lanes), -1)), nearest = constant(b.getI32IntegerAttr(4));
  // The op passes its operands in the order of the intrinsic: (a, b, passthrough).
  return x86vector::MaskScaleFOp::create(b, loc, p.getType(), p, n, p, all, nearest);
}

Value KernelBuilder::exp2(Value x) {
  Type type = x.getType(), element = getElementTypeOrSelf(type);
  bool isDouble = element.isF64();
  if (!isa<VectorType>(type)) { // one lane of a register
    Value wide = exp2(broadcast(x, machine.lanes(element)));
    return vector::ExtractOp::create(b, loc, wide, ArrayRef<int64_t>{0});
  }
  Value least = real(type, leastExponent(element)), isNormal;
  bool scales = hasScale(cast<VectorType>(type));
  if (scales) // p is NaN for -inf; NaN passes: the comparison is unordered
    isNormal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UGE, x, least);
  else // below, 2^x is 0, also for -inf, whose fraction would be NaN; NaN passes: the comparison is ordered
    x = select(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, least), real(type, isDouble ? -1023 : -127),
               x);
  Value whole = math::RoundEvenOp::create(b, loc, x);
  Value fraction = subf(x, whole);
  SmallVector<double> coefficients = exp2Polynomial(isDouble);
  Value p = real(type, coefficients.front());
  for (double c : ArrayRef<double>(coefficients).drop_front())
    p = fma(p, fraction, real(type, c));
  // LLVM folds the selection into the mask of the instruction.
  return scales ? select(isNormal, scale(p, whole), real(type, 0)) : addToExponent(*this, p, whole);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelBuilder::loop(Value lower, Value upper, int64_t step, ValueRange state, LoopBody body) {
  return loop(lower, upper, integer(step), state, body);
}

SmallVector<Value> KernelBuilder::loop(Value lower, Value upper, Value step, ValueRange state, LoopBody body) {
  auto op = scf::ForOp::create(b, loc, lower, upper, step, state);
  OpBuilder::InsertionGuard guard(b);
  Block *block = op.getBody();
  if (state.empty()) // the builder gave the block its terminator
    b.setInsertionPoint(block->getTerminator());
  else
    b.setInsertionPointToEnd(block);
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  if (!state.empty())
    scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(op.getResults());
}

void KernelBuilder::loop(Value lower, Value upper, int64_t step, function_ref<void(Value)> body) {
  loop(lower, upper, integer(step), body);
}

void KernelBuilder::loop(Value lower, Value upper, Value step, function_ref<void(Value)> body) {
  loop(lower, upper, step, {}, [&](Value index, ValueRange) {
    body(index);
    return SmallVector<Value>();
  });
}

SmallVector<Value> KernelBuilder::repeat(ValueRange state, function_ref<SmallVector<Value>(ValueRange)> body) {
  TypeRange types(state);
  SmallVector<Location> locations(state.size(), loc);
  auto op = scf::WhileOp::create(b, loc, types, state);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&op.getBefore(), {}, types, locations);
  SmallVector<Value> next = body(before->getArguments());
  Value again = next.pop_back_val();
  scf::ConditionOp::create(b, loc, again, next);
  Block *after = b.createBlock(&op.getAfter(), {}, types, locations);
  scf::YieldOp::create(b, loc, after->getArguments());
  return SmallVector<Value>(op.getResults());
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto op = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op.thenBlock()->getTerminator());
  then();
}

SmallVector<Value> KernelBuilder::ifElse(Value condition, TypeRange types, function_ref<SmallVector<Value>()> then,
                                         function_ref<SmallVector<Value>()> otherwise) {
  auto op = scf::IfOp::create(b, loc, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (auto [block, build] : {std::pair(op.thenBlock(), then), std::pair(op.elseBlock(), otherwise)}) {
    b.setInsertionPointToEnd(block);
    SmallVector<Value> values = build();
    scf::YieldOp::create(b, loc, values);
  }
  return SmallVector<Value>(op.getResults());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

View View::of(KernelBuilder &kb, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  auto metadata = memref::ExtractStridedMetadataOp::create(kb.b, kb.loc, memref);
  auto pick = [&](int64_t known, Value dynamic) -> Value {
    if (!ShapedType::isDynamic(known))
      return kb.integer(known);
    return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), dynamic);
  };
  View view;
  view.element = type.getElementType();
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(kb.b, kb.loc, memref);
  view.pointer = LLVM::IntToPtrOp::create(kb.b, kb.loc, kb.pointer(),
                                          arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), address).getResult());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    view.sizes.push_back(pick(type.getDimSize(d), metadata.getSizes()[d]));
    view.strides.push_back(pick(strides[d], metadata.getStrides()[d]));
  }
  return view;
}

Value View::at(KernelBuilder &kb, ValueRange indices) const {
  Value offset = kb.integer(0);
  for (auto [index, stride] : llvm::zip(indices, strides))
    offset = kb.add(offset, kb.mul(index, stride));
  return kb.at(element, pointer, offset);
}
