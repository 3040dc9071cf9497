//===- TileForms.cpp - Instructions on tiles of matrices ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tiles have 16 rows of 64 bytes. LLVM assigns the eight registers of AMX, and writes their configuration
// (ldtilecfg) at the head of a function. If tiles had several shapes, LLVM would configure the registers again and
// again.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/TileForms.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr StringLiteral amxBF16 = "amx-bf16";

std::optional<TileForm> TileForm::get(const CpuMachine &machine, Type stored) {
  bool isEmulated = machine.emulates(amxBF16), hasTiles = machine.has(amxBF16) && machine.has("amx-tile");
  ProductForm form = productForm(machine, stored);
  if ((!isEmulated && !hasTiles) || form.terms != 2 || machine.lanes(form.sum) != columns)
    return std::nullopt;
  return TileForm(form, isEmulated);
}

Type TileForm::type(KernelBuilder &kb) const {
  return isEmulated ? kb.pointer() : LLVM::LLVMX86AMXType::get(kb.b.getContext());
}

//===----------------------------------------------------------------------===//
// AMX
//===----------------------------------------------------------------------===//

/// Creates an intrinsic of AMX. Its first operands are `sizes`, the rows and bytes per row of tiles.
static Operation *createIntrinsic(KernelBuilder &kb, StringRef name, Type result, ArrayRef<int64_t> sizes,
                                  ValueRange others) {
  SmallVector<Value> operands;
  for (int64_t size : sizes)
    operands.push_back(kb.integerOf(kb.b.getI16Type(), size));
  llvm::append_range(operands, others);
  auto intrinsic = kb.b.getStringAttr(("llvm.x86." + name + ".internal").str());
  if (!result)
    return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, intrinsic, operands);
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, result, intrinsic, operands);
}

//===----------------------------------------------------------------------===//
// Emulation: a tile is stack memory
//===----------------------------------------------------------------------===//

static Value rowOf(KernelBuilder &kb, Value pointer, Value row, Value stride) {
  return kb.at(kb.b.getI8Type(), pointer, kb.mul(row, stride));
}

static void forEachRow(KernelBuilder &kb, function_ref<void(Value row)> body) {
  kb.loop(kb.integer(0), kb.integer(TileForm::rows), 1, body);
}

static Value tileMemory(KernelBuilder &kb) { return kb.stack(kb.b.getI8Type(), TileForm::rows * TileForm::rowBytes); }

static void copyTile(KernelBuilder &kb, Value from, Value fromStride, Value to, Value toStride) {
  VectorType row = kb.vector(kb.b.getF32Type(), TileForm::columns);
  forEachRow(kb, [&](Value r) { kb.store(kb.load(row, rowOf(kb, from, r, fromStride)), rowOf(kb, to, r, toStride)); });
}

/// Replaces subnormal numbers by zeros of the same sign, as the matrix unit does with its operands and results.
static Value flush(KernelBuilder &kb, Value value) {
  auto type = cast<VectorType>(value.getType());
  Type integers = kb.vector(kb.b.getI32Type(), type.getNumElements());
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, integers, value);
  auto masked = [&](int64_t mask) -> Value {
    return arith::AndIOp::create(kb.b, kb.loc, bits, kb.integerOf(integers, mask));
  };
  Value isSmall = kb.compare(arith::CmpIPredicate::eq, masked(0x7f800000), kb.integerOf(integers, 0));
  Value zero = arith::BitcastOp::create(kb.b, kb.loc, type, masked(0x80000000));
  return kb.select(isSmall, zero, value);
}

/// Adds the product of the tiles `a` and `b` to the tile `sum`, as Intel's manual defines TDPBF16PS. For each sum,
/// builds one chain of fused multiply-adds of the first terms of pairs, and one of the second terms. Adds the two
/// chains to each other, and then to the sum.
static void multiplyEmulated(KernelBuilder &kb, const ProductForm &form, Value sum, Value a, Value b) {
  Value stride = kb.integer(TileForm::rowBytes);
  VectorType sums = form.sums(kb);
  forEachRow(kb, [&](Value row) {
    SmallVector<Value> chains(2, kb.real(sums, 0));
    chains = kb.loop(kb.integer(0), kb.integer(TileForm::terms / 2), 1, chains, [&](Value pair, ValueRange before) {
      Value left = form.broadcast(kb, form.operand, kb.at(form.operand, rowOf(kb, a, row, stride), kb.mul(pair, 2)));
      Value right = kb.load(form.operands(kb), rowOf(kb, b, pair, stride));
      SmallVector<Value> next;
      for (auto [term, chain] : llvm::enumerate(before)) {
        Value x = flush(kb, pairElement(kb, left, term)), y = flush(kb, pairElement(kb, right, term));
        next.push_back(flush(kb, kb.fma(x, y, chain)));
      }
      return next;
    });
    Value place = rowOf(kb, sum, row, stride), both = flush(kb, kb.addf(chains[0], chains[1]));
    kb.store(flush(kb, kb.addf(flush(kb, kb.load(sums, place)), both)), place);
  });
}

//===----------------------------------------------------------------------===//
// Either
//===----------------------------------------------------------------------===//

Value TileForm::zero(KernelBuilder &kb) const {
  if (!isEmulated)
    return createIntrinsic(kb, "tilezero", type(kb), {rows, rowBytes}, {})->getResult(0);
  Value tile = tileMemory(kb);
  forEachRow(kb, [&](Value r) { kb.store(kb.real(form.sums(kb), 0), rowOf(kb, tile, r, kb.integer(rowBytes))); });
  return tile;
}

Value TileForm::load(KernelBuilder &kb, Value pointer, Value stride) const {
  if (!isEmulated)
    return createIntrinsic(kb, "tileloadd64", type(kb), {rows, rowBytes}, {pointer, stride})->getResult(0);
  Value tile = tileMemory(kb);
  copyTile(kb, pointer, stride, tile, kb.integer(rowBytes));
  return tile;
}

void TileForm::store(KernelBuilder &kb, Value tile, Value pointer, Value stride) const {
  if (isEmulated)
    return copyTile(kb, tile, kb.integer(rowBytes), pointer, stride);
  createIntrinsic(kb, "tilestored64", nullptr, {rows, rowBytes}, {pointer, stride, tile});
}

Value TileForm::addProduct(KernelBuilder &kb, Value sum, Value a, Value b) const {
  if (!isEmulated)
    return createIntrinsic(kb, "tdpbf16ps", type(kb), {rows, rowBytes, rowBytes}, {sum, a, b})->getResult(0);
  multiplyEmulated(kb, form, sum, a, b);
  return sum;
}
