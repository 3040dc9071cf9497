//===- WarpProduct.cpp - Products of a warp in registers ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Machine/WarpProduct.h"
#include "compiler/Support/SharedMemory.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

WarpProduct::WarpProduct(ThreadBlock &block, Type element)
    : block(block), element(element), sum(accumulatorType(element)), kb(block.kb), gpu(machineOf(kb).instructions()),
      factors(factorsOf(element, machineOf(kb).f32Products)) {
  quad = kb.floorDiv(block.lane, 4);
  inQuad = kb.floorMod(block.lane, 4);
}

WarpProduct::Factors WarpProduct::factorsOf(Type element, F32Products products) {
  if (element.getIntOrFloatBitWidth() == 16)
    return Half;
  if (!element.isF32() || products == F32Products::Exact)
    return Single;
  return products == F32Products::TF32 ? TF32 : Split;
}

/// Returns the number of terms of one mma.sync. For scalar products, returns the number of elements of one 16-byte
/// load.
int64_t WarpProduct::terms() const {
  if (factors == Single)
    return 128 / element.getIntOrFloatBitWidth();
  return factors == TF32 ? 8 : 16;
}

int64_t WarpProduct::pitch(int64_t columns) const {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return sharedPitch(columns * bytes) / bytes;
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

/// Loads the left operand from 16 rows of `a`, from `row` and term `term` on. Returns the registers in the order that
/// `multiply` expects. On tensor cores: the first 8 terms of rows 0 - 7 and of rows 8 - 15, then the next 8 terms of
/// both. For scalar products: all terms of the first of the lane's two rows, then all terms of the second.
WarpProduct::Left WarpProduct::loadLeft(const SharedMatrix &a, Value row, Value term) {
  if (factors == TF32 || factors == Split) {
    SmallVector<Value> pairs;
    for (int64_t first = 0; first < terms(); first += 8)
      for (int64_t half : {0, 1})
        pairs.append(loadVector(a.at(kb, kb.add(row, this->row(half)), kb.add(kb.add(term, first), column())), 2));
    return asFactors(pairs);
  }
  if (factors == Half) {
    Value inTile = kb.floorMod(block.lane, 16), half = kb.mul(kb.floorDiv(block.lane, 16), 8);
    return Left(gpu.loadMatrices(kb, a.at(kb, kb.add(row, inTile), kb.add(term, half)), /*transpose=*/false));
  }
  Left left;
  for (int64_t half : {0, 1})
    left.append(loadVector(a.at(kb, kb.add(row, this->row(half)), term), terms()));
  return left;
}

WarpProduct::Left WarpProduct::asLeft(ArrayRef<Value> tile, int64_t term) {
  Left left;
  if (factors == TF32 || factors == Split)
    return asFactors(tile.slice(term / atomColumns * 4, terms() / atomColumns * 4));
  if (factors == Half) {
    Type i32 = kb.b.getI32Type();
    for (int64_t part : {0, 1, 2, 3}) { // two values each: rows 0 - 7, 8 - 15 of an atom, then of the next one
      size_t first = term / atomColumns * 4 + part * 2;
      Value pair = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(sum, 2), tile.slice(first, 2));
      Value rounded = arith::TruncFOp::create(kb.b, kb.loc, kb.vector(element, 2), pair);
      left.push_back(LLVM::BitcastOp::create(kb.b, kb.loc, i32, rounded));
    }
    return left;
  }
  // The values lie in another lane of the same rows.
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

/// Replaces non-finite elements of a pair of 16-bit floats (an i32) by zeros.
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

/// Replaces a non-finite f32 by zero. Clamps a finite value to the largest value of `format`, if it would round to
/// infinity.
static Value keepFinite(KernelBuilder &kb, Value x, const llvm::fltSemantics &format) {
  double largest = APFloat::getLargest(format).convertToDouble();
  Value least = arith::MaxNumFOp::create(kb.b, kb.loc, keepFinite(kb, x), kb.real(x.getType(), -largest));
  return arith::MinNumFOp::create(kb.b, kb.loc, least, kb.real(x.getType(), largest));
}

void WarpProduct::multiplyAtom(MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right) {
  using Factor = GpuInstructions::Factor;
  Factor type = element.isF16() ? Factor::F16 : factors == TF32 ? Factor::TF32 : Factor::BF16;
  gpu.multiply(kb, sums, left, right, type, terms());
}

/// Implements `multiply` for 16-bit floats on tensor cores. Multiplies two atoms at a time, because one ldmatrix loads
/// four 8 x 8 matrices: terms 0 - 7 and terms 8 - 15 of each atom.
void WarpProduct::multiplyTensor(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b,
                                 bool isTransposed, Value term, bool onlyFinite) {
  Value low = kb.floorMod(block.lane, 8), middle = kb.mul(kb.floorMod(kb.floorDiv(block.lane, 8), 2), 8);
  Value high = kb.mul(kb.floorDiv(block.lane, 16), 8);
  Value columnOfLane = isTransposed ? kb.add(low, high) : high,
        termOfLane = isTransposed ? middle : kb.add(low, middle);
  for (size_t atom = 0; 4 * atom < sums.size(); atom += 2) {
    Value x = kb.add(columnOfLane, atom * atomColumns), k = kb.add(term, termOfLane);
    SmallVector<Value> right = gpu.loadMatrices(kb, isTransposed ? b.at(kb, x, k) : b.at(kb, k, x), !isTransposed);
    if (onlyFinite)
      for (Value &pair : right)
        pair = keepFinitePair(kb, element, pair);
    for (size_t which : {0, 1})
      multiplyAtom(sums.slice(4 * (atom + which), 4), left, ArrayRef(right).slice(2 * which, 2));
  }
}

//===----------------------------------------------------------------------===//
// f32 on tensor cores
//===----------------------------------------------------------------------===//

/// Rounds x and y (f32) to bf16. Returns them packed in an i32, and the two rounding errors in f32.
static std::pair<Value, std::array<Value, 2>> roundPair(KernelBuilder &kb, Value x, Value y) {
  Value pair = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(kb.b.getF32Type(), 2), ValueRange{x, y});
  Value rounded = convertFloat(kb, pair, kb.b.getBF16Type());
  Value difference = kb.subf(pair, convertFloat(kb, rounded, kb.b.getF32Type()));
  std::array<Value, 2> rest;
  for (int64_t n : {0, 1})
    rest[n] = vector::ExtractOp::create(kb.b, kb.loc, difference, ArrayRef<int64_t>{n});
  return {LLVM::BitcastOp::create(kb.b, kb.loc, kb.b.getI32Type(), rounded), rest};
}

/// Implements asFactors. A lane's terms 2 t and 2 t + 1 serve as terms t and t + 4 of a TF32 instruction. The order of
/// terms does not matter, as long as it is the same for both factors.
SmallVector<Value, 8> WarpProduct::asFactors(ArrayRef<Value> pairs) {
  SmallVector<Value, 8> registers, lower;
  if (factors == Split) {
    for (size_t n = 0; n < pairs.size(); n += 2) {
      auto [high, rest] = roundPair(kb, pairs[n], pairs[n + 1]);
      registers.push_back(high);
      lower.push_back(roundPair(kb, rest[0], rest[1]).first);
    }
    registers.append(lower);
    return registers;
  }
  for (size_t place : {0, 1})
    for (size_t n = place; n < pairs.size(); n += 2)
      registers.push_back(gpu.roundToTF32(kb, pairs[n]));
  return registers;
}

/// With Factors::Split, first adds the products of rounding errors (rests). An infinite factor has a rest of NaN, and a
/// factor that rounds to infinity has an infinite rest. Therefore sums of rests are dropped if they are not finite.
void WarpProduct::multiplyRounded(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b,
                                  bool isTransposed, Value term, bool onlyFinite) {
  for (size_t atom = 0; 4 * atom < sums.size(); ++atom) {
    Value columnOfLane = kb.add(quad, atom * atomColumns);
    SmallVector<Value> pairs;
    for (int64_t first = 0; first < terms(); first += 8) {
      Value k = kb.add(kb.add(term, first), column());
      if (isTransposed)
        pairs.append(loadVector(b.at(kb, columnOfLane, k), 2));
      else
        for (int64_t n : {0, 1})
          pairs.append(loadVector(b.at(kb, kb.add(k, n), columnOfLane), 1));
    }
    if (onlyFinite)
      for (Value &value : pairs)
        value = keepFinite(kb, value, factors == TF32 ? APFloat::FloatTF32() : APFloat::BFloat());
    SmallVector<Value, 8> right = asFactors(pairs);
    MutableArrayRef<Value> target = sums.slice(4 * atom, 4);
    if (factors == Split) {
      ArrayRef<Value> rows = left, columns = right;
      SmallVector<Value> rests(4, kb.real(sum, 0));
      multiplyAtom(rests, rows.drop_front(4), columns.take_front(2));
      multiplyAtom(rests, rows.take_front(4), columns.drop_front(2));
      for (auto [value, rest] : llvm::zip_equal(target, rests))
        value = kb.addf(value, keepFinite(kb, rest));
    }
    multiplyAtom(target, ArrayRef<Value>(left).take_front(4), ArrayRef<Value>(right).take_front(2));
  }
}

void WarpProduct::multiplyScalar(MutableArrayRef<Value> sums, const Left &left, const SharedMatrix &b,
                                 bool isTransposed, Value term, bool onlyFinite) {
  for (size_t atom = 0; 4 * atom < sums.size(); ++atom) {
    Value first = kb.add(column(), atom * atomColumns);
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
                           Value term, bool onlyFinite) {
  if (factors == Half)
    multiplyTensor(sums, left, b, isTransposed, term, onlyFinite);
  else if (factors != Single)
    multiplyRounded(sums, left, b, isTransposed, term, onlyFinite);
  else
    multiplyScalar(sums, left, b, isTransposed, term, onlyFinite);
}
