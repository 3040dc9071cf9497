//===- CapturedTensor.cpp - Tensors that a score region reads -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses the elements of a captured tensor for a register of keys. There are three cases: one scalar for all lanes
// (slopes of heads); a run of consecutive elements, forwards or backwards (a bias by key, or by distance); and a gather
// (a bias on a grid).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/CapturedTensor.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value reverse(KernelBuilder &kb, Value vector) {
  auto lanes = llvm::reverse(llvm::seq<int64_t>(0, cast<VectorType>(vector.getType()).getNumElements()));
  return vector::ShuffleOp::create(kb.b, kb.loc, vector, vector, llvm::to_vector(lanes));
}

Value kernel::anyOf(KernelBuilder &kb, Value x, Value y, int64_t lanes) {
  bool isRegister = isa<VectorType>(x.getType()) || isa<VectorType>(y.getType());
  auto widen = [&](Value one) {
    return isRegister && !isa<VectorType>(one.getType()) ? kb.broadcast(one, lanes) : one;
  };
  return arith::OrIOp::create(kb.b, kb.loc, widen(x), widen(y));
}

/// Returns a NaN of the float type `element`, in the form in which memory holds it (of type `stored`). The result has
/// type `like`, which is `stored` or a register of it.
static Value storedNaN(KernelBuilder &kb, Type element, Type stored, Type like) {
  if (isa<FloatType>(stored))
    return kb.real(like, std::numeric_limits<double>::quiet_NaN());
  APInt bits = APFloat::getNaN(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt();
  return kb.integerOf(like, bits.getSExtValue());
}

/// Returns a pointer to 8 zero bytes, which are read in place of the elements of a tensor without elements. On a GPU,
/// they lie in global memory, as other tensors do. Then the address space of loads is known when code is generated.
static Value buildNoElement(KernelBuilder &kb) {
  static constexpr StringLiteral name = "xf_no_element";
  unsigned space = kb.machine.bufferSpace();
  if (space == 0) {
    Value zero = kb.stack(kb.i64(), 1);
    kb.store(kb.integer(0), zero);
    return zero;
  }
  auto module = kb.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto zero = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!zero) {
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    zero = LLVM::GlobalOp::create(b, kb.loc, kb.i64(), /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                  b.getI64IntegerAttr(0), /*alignment=*/8, space);
  }
  Value address = LLVM::AddressOfOp::create(kb.b, kb.loc, zero);
  return LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, kb.pointer(), address);
}

CapturedTensor::CapturedTensor(KernelBuilder &kb, Value memref)
    : view(View::of(kb, memref)), sizes(view.sizes.begin(), view.sizes.end()), stored(memoryType(view.element)) {
  SmallVector<int64_t> strides;
  int64_t offset;
  unitInner = succeeded(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset)) && !strides.empty() &&
              strides.back() == 1;
  Value zero = buildNoElement(kb), some = kb.constant(kb.b.getBoolAttr(true));
  for (Value size : view.sizes)
    some = arith::AndIOp::create(kb.b, kb.loc, some, kb.compare(slt, kb.integer(0), size));
  view.pointer = kb.select(some, view.pointer, zero);
  for (Value &size : view.sizes)
    size = kb.select(some, size, kb.integer(1));
}

Value CapturedTensor::isOutside(KernelBuilder &kb, const LaneValue &index, unsigned dimension, int64_t lanes) const {
  constexpr auto uge = arith::CmpIPredicate::uge;
  APInt size;
  if (matchPattern(sizes[dimension], m_ConstantInt(&size)) && index.isNonNegative() && index.range->smax().slt(size))
    return nullptr;
  if (index.isUniform())
    return kb.compare(uge, index.first, sizes[dimension]);
  if (!index.fitsI32())
    return kb.compare(uge, asRegister(kb, index, lanes, 64), kb.broadcast(sizes[dimension], lanes));
  Value least = kb.min(sizes[dimension], kb.integer(INT32_MAX));
  Value limit = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), least);
  return kb.compare(uge, asRegister(kb, index, lanes, 32), kb.broadcast(limit, lanes));
}

Value CapturedTensor::outside(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const {
  Value some;
  for (auto [dimension, index] : llvm::enumerate(indices))
    if (Value one = isOutside(kb, index, dimension, lanes))
      some = some ? anyOf(kb, some, one, lanes) : one;
  return some;
}

CapturedTensor::Access CapturedTensor::access(KernelBuilder &kb, ArrayRef<LaneValue> indices) const {
  Access access;
  Value offset = kb.integer(0);
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (!index.isUniform()) {
      access.varying.push_back(d);
      continue;
    }
    Value last = kb.add(view.sizes[d], -1);
    offset = kb.add(offset, kb.mul(kb.clamp(index.first, kb.integer(0), last), view.strides[d]));
  }
  access.pointer = kb.at(stored, view.pointer, offset);
  return access;
}

/// Returns the distance from access.pointer to the element of each lane, as a register of i64 (in elements). Clamps the
/// indices that lie outside of the tensor.
Value CapturedTensor::offsets(KernelBuilder &kb, const Access &access, ArrayRef<LaneValue> indices,
                              int64_t lanes) const {
  Value sum;
  for (unsigned d : access.varying) {
    Type i64 = kb.vector(kb.i64(), lanes);
    Value last = kb.add(view.sizes[d], -1), index;
    if (indices[d].fitsI32()) {
      Type i32 = kb.b.getI32Type();
      Value limit = arith::TruncIOp::create(kb.b, kb.loc, i32, kb.min(last, kb.integer(INT32_MAX)));
      Value narrow = kb.min(asRegister(kb, indices[d], lanes, 32), kb.broadcast(limit, lanes));
      narrow = kb.max(narrow, kb.integerOf(narrow.getType(), 0));
      index = arith::ExtSIOp::create(kb.b, kb.loc, i64, narrow);
    } else {
      index = kb.min(asRegister(kb, indices[d], lanes, 64), kb.broadcast(last, lanes));
      index = kb.max(index, kb.integerOf(i64, 0));
    }
    bool isInner = unitInner && d + 1 == view.sizes.size();
    if (!isInner)
      index = arith::MulIOp::create(kb.b, kb.loc, index, kb.broadcast(view.strides[d], lanes));
    sum = sum ? Value(arith::AddIOp::create(kb.b, kb.loc, sum, index)) : index;
  }
  return sum;
}

std::optional<CapturedTensor::Run> CapturedTensor::run(KernelBuilder &kb, const Access &access,
                                                       ArrayRef<LaneValue> indices, int64_t lanes) const {
  bool isThread = lanes > kb.machine.lanes(kb.b.getI8Type()); // which loads its elements one by one, without a branch
  if (isThread || !unitInner || access.varying.size() != 1 || access.varying[0] + 1 != view.sizes.size())
    return std::nullopt;
  const LaneValue &index = indices.back();
  if (!index.isLinear() || std::abs(index.step) != 1)
    return std::nullopt;
  bool reversed = index.step < 0;
  Value yes = kb.constant(kb.b.getBoolAttr(true)), no = kb.constant(kb.b.getBoolAttr(false));
  Value low = reversed ? kb.add(index.first, 1 - lanes) : index.first;
  Value begins = kb.compare(arith::CmpIPredicate::sge, low, kb.integer(0));
  Value ends = kb.compare(arith::CmpIPredicate::sle, low, kb.add(sizes.back(), -lanes));
  Value inside = arith::AndIOp::create(kb.b, kb.loc, begins, ends);
  if (Value outside = this->outside(kb, indices.drop_back(), lanes)) // the other dimensions', of all lanes
    inside = arith::AndIOp::create(kb.b, kb.loc, inside, kb.select(outside, no, yes));
  return Run{kb.at(stored, access.pointer, low), inside, reversed};
}

/// Returns a register of pointers to the elements of all lanes, which lie `offsets` elements after `pointer`.
static Value addresses(KernelBuilder &kb, Type stored, Value pointer, Value offsets) {
  auto lanes = cast<VectorType>(offsets.getType()).getNumElements();
  VectorType pointers = VectorType::get({lanes}, kb.pointer());
  return LLVM::GEPOp::create(kb.b, kb.loc, pointers, stored, pointer, ArrayRef<LLVM::GEPArg>{offsets});
}

LaneValue CapturedTensor::load(KernelBuilder &kb, ArrayRef<LaneValue> indices, int64_t lanes) const {
  Access access = this->access(kb, indices);
  auto checked = [&](Value elements) {
    Value outside = isa<FloatType>(view.element) ? this->outside(kb, indices, lanes) : Value();
    return outside ? kb.select(outside, storedNaN(kb, view.element, stored, elements.getType()), elements) : elements;
  };
  if (access.varying.empty())
    return LaneValue::uniform(fromMemory(kb, checked(kb.load(stored, access.pointer)), view.element));
  VectorType type = kb.vector(stored, lanes);
  auto gather = [&]() -> SmallVector<Value> {
    Value from = addresses(kb, stored, access.pointer, offsets(kb, access, indices, lanes));
    Value all = kb.integerOf(kb.vector(kb.b.getI1Type(), lanes), -1);
    int64_t alignment = stored.getIntOrFloatBitWidth() / 8;
    return {checked(LLVM::masked_gather::create(kb.b, kb.loc, type, from, all, ValueRange(),
                                                kb.b.getI32IntegerAttr(static_cast<int32_t>(alignment))))};
  };
  Value elements;
  if (std::optional<Run> run = this->run(kb, access, indices, lanes)) {
    auto loadRun = [&]() -> SmallVector<Value> {
      Value loaded = kb.load(type, run->pointer);
      return {run->reversed ? reverse(kb, loaded) : loaded};
    };
    elements = kb.ifElse(run->inside, type, loadRun, gather)[0];
  } else {
    elements = gather()[0];
  }
  LaneValue result{nullptr, 0, fromMemory(kb, elements, view.element)};
  if (view.element.isInteger())
    result.range = ConstantIntRanges::maxRange(view.element.getIntOrFloatBitWidth());
  return result;
}

void CapturedTensor::accumulate(KernelBuilder &kb, ArrayRef<LaneValue> indices, Value value, Value visible) const {
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  Access access = this->access(kb, indices);
  auto addTo = [&](Value pointer, Value share) {
    kb.store(kb.addf(kb.load(share.getType(), pointer), share), pointer);
  };
  value = kb.select(visible, value, kb.real(value.getType(), 0));
  if (access.varying.empty())
    return addTo(access.pointer, kb.reduceAdd(value));
  auto scatter = [&]() -> SmallVector<Value> {
    Value to = addresses(kb, stored, access.pointer, offsets(kb, access, indices, lanes));
    for (int64_t lane = 0; lane < lanes; ++lane) {
      auto pick = [&](Value vector) -> Value {
        return vector::ExtractOp::create(kb.b, kb.loc, vector, ArrayRef<int64_t>{lane});
      };
      Value pointer = LLVM::ExtractElementOp::create(kb.b, kb.loc, to, kb.integer(lane));
      addTo(pointer, pick(value)); // a masked lane adds 0 to some element
    }
    return {};
  };
  std::optional<Run> run = this->run(kb, access, indices, lanes);
  if (!run) {
    scatter();
    return;
  }
  auto addRun = [&]() -> SmallVector<Value> {
    addTo(run->pointer, run->reversed ? reverse(kb, value) : value);
    return {};
  };
  kb.ifElse(run->inside, {}, addRun, scatter);
}
