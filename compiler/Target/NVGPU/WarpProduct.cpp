//===- WarpProduct.cpp - Products that a warp computes in registers -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/WarpProduct.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

WarpProduct::WarpProduct(ThreadBlock &block, Type element)
    : block(block), element(element), sum(accumulatorType(element)), kb(block.kb) {
  quad = kb.floorDiv(block.lane, 4);
  inQuad = kb.floorMod(block.lane, 4);
}

/// Floats of 32 and 64 bits come in vectors of 16 bytes.
int64_t WarpProduct::terms() const { return usesTensorCores() ? 16 : 128 / element.getIntOrFloatBitWidth(); }

/// 16 bytes more than the banks' 128: rows one below the other begin 4 banks apart.
int64_t WarpProduct::pitch(int64_t columns) const {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return llvm::alignTo(columns * bytes, 128) / bytes + 16 / bytes;
}

Value WarpProduct::row(int64_t half) { return kb.add(quad, 8 * half); }

Value WarpProduct::column() { return kb.mul(inQuad, 2); }

TileSums WarpProduct::zeros(int64_t columns) { return TileSums(columns / atomColumns * 4, kb.real(sum, 0)); }

Value WarpProduct::combineRow(Value x, function_ref<Value(Value, Value)> combine) {
  for (int64_t mask : {1, 2})
    x = combine(x, block.exchange(x, mask));
  return x;
}

SmallVector<Value> WarpProduct::loadVector(Value address, int64_t count) {
  Value vector = kb.load(kb.vector(element, count), address, count * element.getIntOrFloatBitWidth() / 8);
  SmallVector<Value> elements;
  for (int64_t n = 0; n < count; ++n)
    elements.push_back(vector::ExtractOp::create(kb.b, kb.loc, vector, ArrayRef<int64_t>{n}));
  return elements;
}

//===----------------------------------------------------------------------===//
// Left operands
//===----------------------------------------------------------------------===//

SmallVector<Value> WarpProduct::loadMatrices(Value address, bool transpose) {
  auto shared = LLVM::LLVMPointerType::get(kb.b.getContext(), 3);
  Type i32 = kb.b.getI32Type();
  auto four = LLVM::LLVMStructType::getLiteral(kb.b.getContext(), {i32, i32, i32, i32});
  Value pointer = LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, shared, address);
  Value loaded =
      NVVM::LdMatrixOp::create(kb.b, kb.loc, four, pointer, 4, transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                               NVVM::LdStMatrixShapeAttr::get(kb.b.getContext(), 8, 8), NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> matrices;
  for (int64_t n = 0; n < 4; ++n)
    matrices.push_back(LLVM::ExtractValueOp::create(kb.b, kb.loc, loaded, n));
  return matrices;
}

/// Tensor cores: rows 0 - 7 and 8 - 15 of the first 8 terms, then of the others. Otherwise the terms of this lane's two
/// rows, one row after the other.
WarpProduct::Left WarpProduct::loadLeft(const SharedMatrix &a, Value row, Value term) {
  if (usesTensorCores()) {
    Value inTile = kb.floorMod(block.lane, 16), half = kb.mul(kb.floorDiv(block.lane, 16), 8);
    return Left(loadMatrices(a.at(kb, kb.add(row, inTile), kb.add(term, half)), /*transpose=*/false));
  }
  Left left;
  for (int64_t half : {0, 1})
    left.append(loadVector(a.at(kb, kb.add(row, this->row(half)), term), terms()));
  return left;
}

WarpProduct::Left WarpProduct::asLeft(ArrayRef<Value> tile, int64_t term) {
  Left left;
  if (usesTensorCores()) {
    Type i32 = kb.b.getI32Type();
    for (int64_t part : {0, 1, 2, 3}) { // two values each: rows 0 - 7, 8 - 15 of an atom, then of the next one
      size_t first = term / atomColumns * 4 + part * 2;
      Value pair = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(sum, 2), tile.slice(first, 2));
      Value rounded = arith::TruncFOp::create(kb.b, kb.loc, kb.vector(element, 2), pair);
      left.push_back(LLVM::BitcastOp::create(kb.b, kb.loc, i32, rounded));
    }
    return left;
  }
  // Another lane of the same rows has them.
  for (int64_t half : {0, 1})
    for (int64_t k = term; k < term + terms(); ++k) {
      int64_t within = k % atomColumns;
      Value from = tile[k / atomColumns * 4 + 2 * half + within % 2];
      left.push_back(block.fromLane(from, kb.add(kb.mul(quad, 4), within / 2)));
    }
  return left;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Two elements of 16 bits, in an i32: zeros for those that are not finite.
static Value keepFinitePair(KernelBuilder &kb, Type element, Value pair) {
  Type bits = kb.vector(kb.b.getI16Type(), 2);
  APInt infinity = APFloat::getInf(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt();
  Value exponent = kb.integerOf(bits, infinity.getSExtValue()), x = LLVM::BitcastOp::create(kb.b, kb.loc, bits, pair);
  Value isSpecial = kb.compare(arith::CmpIPredicate::eq, arith::AndIOp::create(kb.b, kb.loc, x, exponent), exponent);
  return LLVM::BitcastOp::create(kb.b, kb.loc, pair.getType(), kb.select(isSpecial, kb.integerOf(bits, 0), x));
}

static Value keepFinite(KernelBuilder &kb, Value x) {
  Value zero = kb.real(x.getType(), 0), rest = kb.subf(x, x); // NaN where x is not finite
  Value isFinite = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, rest, zero);
  return kb.select(isFinite, x, zero);
}

/// Two atoms at a time: of each the first 8 terms, then the others.
void WarpProduct::multiplyTensor(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b,
                                 bool isTransposed, Value column, Value term, bool onlyFinite) {
  Type half = element.isF16() ? Type(kb.vector(element, 2)) : Type(kb.b.getI32Type());
  auto operand = [&](Value bits) -> Value {
    return element.isF16() ? Value(LLVM::BitcastOp::create(kb.b, kb.loc, half, bits)) : bits;
  };
  auto result = LLVM::LLVMStructType::getLiteral(kb.b.getContext(), SmallVector<Type>(4, sum));
  auto types = element.isF16() ? std::array{NVVM::MMATypes::f16, NVVM::MMATypes::f16}
                               : std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
  SmallVector<Value> rows = llvm::map_to_vector(left, operand);
  Value low = kb.floorMod(block.lane, 8), middle = kb.mul(kb.floorMod(kb.floorDiv(block.lane, 8), 2), 8);
  Value high = kb.mul(kb.floorDiv(block.lane, 16), 8);
  Value columnOfLane = isTransposed ? kb.add(low, high) : high,
        termOfLane = isTransposed ? middle : kb.add(low, middle);
  for (size_t atom = 0; 4 * atom < sums.size(); atom += 2) {
    Value x = kb.add(kb.add(column, atom * atomColumns), columnOfLane), k = kb.add(term, termOfLane);
    SmallVector<Value> right = loadMatrices(isTransposed ? b.at(kb, x, k) : b.at(kb, k, x), !isTransposed);
    if (onlyFinite)
      for (Value &pair : right)
        pair = keepFinitePair(kb, element, pair);
    for (size_t which : {0, 1}) {
      MutableArrayRef<Value> accumulators = sums.slice(4 * (atom + which), 4);
      Value terms[] = {operand(right[2 * which]), operand(right[2 * which + 1])};
      Value product = NVVM::MmaOp::create(kb.b, kb.loc, result, rows, terms, accumulators, {16, 8, 16}, std::nullopt,
                                          std::nullopt, types, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
      for (int64_t n = 0; n < 4; ++n)
        accumulators[n] = LLVM::ExtractValueOp::create(kb.b, kb.loc, product, n);
    }
  }
}

void WarpProduct::multiplyScalar(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b,
                                 bool isTransposed, Value column, Value term, bool onlyFinite) {
  for (size_t atom = 0; 4 * atom < sums.size(); ++atom) {
    Value first = kb.add(kb.add(column, atom * atomColumns), this->column());
    SmallVector<Value> right[2]; // by column of the atom: its terms
    if (isTransposed)
      for (int64_t n : {0, 1})
        right[n] = loadVector(b.at(kb, kb.add(first, n), term), terms());
    else
      for (int64_t k = 0; k < terms(); ++k)
        for (auto [n, value] : llvm::enumerate(loadVector(b.at(kb, kb.add(term, k), first), 2)))
          right[n].push_back(value);
    if (onlyFinite)
      for (Value &value : llvm::concat<Value>(right[0], right[1]))
        value = keepFinite(kb, value);
    for (int64_t k = 0; k < terms(); ++k)
      for (int64_t e = 0; e < 4; ++e) {
        Value &target = sums[4 * atom + e];
        target = kb.fma(left[e / 2 * terms() + k], right[e % 2][k], target);
      }
  }
}

void WarpProduct::multiply(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b, bool isTransposed,
                           Value column, Value term, bool onlyFinite) {
  if (usesTensorCores())
    multiplyTensor(sums, left, b, isTransposed, column, term, onlyFinite);
  else
    multiplyScalar(sums, left, b, isTransposed, column, term, onlyFinite);
}
