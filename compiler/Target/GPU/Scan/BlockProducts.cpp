//===- BlockProducts.cpp - Tiles of products that a warp shares -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies operands of scans, which lie in memory in the type of computation. Tensor cores take them as TF32, which
// has the digits of f16 and the exponents of f32. So features of f16 inputs overflow no earlier than on a CPU, and
// features of bf16 inputs keep 3 bits more than bf16. If TF32 is too inexact, as in gradients, a factor is the sum of
// two TF32 numbers, and a product has three products of TF32. f32 inputs use scalar fused multiply-adds, unless
// --f32-products asks for tensor cores. f64 inputs always use scalar fused multiply-adds.
//
// A warp has threads (g, t), 8 by 4. GpuInstructions::multiply gives thread (g, t) the sums of rows g and g + 8 in
// columns 2 t and 2 t + 1. The thread supplies terms t and t + 4 of these rows and of column g. Any rows, columns and
// terms of the product may be assigned to these numbers. Here they are chosen so that all elements of a thread are
// contiguous, loads are vectors, and loads have no bank conflicts if rows lie 4 banks apart. A thread has R rows and C
// columns. Let i count the thread's products down, and a across:
//
//   row g of product i is R g + 2 i, row g + 8 the next one      column 2 t + e of product a is C t + C / 2 e + a
//   term t is 2 t, term t + 4 is 2 t + 1
//
// So column n of product a, which the threads with g = n load, is C / 2 n + a.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Scan/BlockThreads.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr int64_t vectorBytes = 16;

Value BlockThreads::rounded(Value x) {
  if (!roundsFactors())
    return x;
  if (auto vector = dyn_cast<VectorType>(x.getType())) {
    Value scalar = vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0});
    return vector::BroadcastOp::create(kb.b, kb.loc, vector, rounded(scalar));
  }
  return arith::BitcastOp::create(kb.b, kb.loc, real, machineOf(kb).instructions().roundToTF32(kb, x));
}

// A NaN that has only bits that TF32 lacks would become an infinity. Arithmetic sets the highest bit of a NaN's
// fraction, so only NaNs of inputs can be such. A multiplication by 1 where they are loaded costs less than one for
// each factor: products read an element several times.
Value BlockThreads::canonicalized(Value x) {
  if (factors != ScanFactors::Split)
    return x;
  auto name = kb.b.getStringAttr("llvm.canonicalize");
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, TypeRange(x.getType()), name, ValueRange(x), {}).getResult(0);
}

SmallVector<Value> BlockThreads::loadFollowing(Value pointer, int64_t count, bool isAligned) {
  int64_t bytes = real.getIntOrFloatBitWidth() / 8, width = isAligned ? std::min(count, vectorBytes / bytes) : 1;
  SmallVector<Value> elements;
  for (int64_t first = 0; first < count; first += width) {
    Value place = kb.at(real, pointer, first);
    if (width == 1) {
      elements.push_back(kb.load(real, place));
      continue;
    }
    Value vector = kb.load(kb.vector(real, width), place, width * bytes);
    for (int64_t n = 0; n < width; ++n)
      elements.push_back(vector::ExtractOp::create(kb.b, kb.loc, vector, ArrayRef<int64_t>{n}));
  }
  return elements;
}

SmallVector<SmallVector<Value>> BlockThreads::loadPart(const WarpOperand &operand, Value first, int64_t count,
                                                       Value term, int64_t terms) {
  SmallVector<SmallVector<Value>> part(count, SmallVector<Value>(terms));
  Value place = kb.at(real, operand.pointer, kb.add(kb.mul(first, operand.step), kb.mul(term, operand.stride)));
  bool alongTerms = operand.stride == 1;
  int64_t lines = alongTerms ? count : terms, pitch = alongTerms ? operand.step : operand.stride;
  for (int64_t line = 0; line < lines; ++line) {
    bool isAligned = operand.isAligned && pitch * real.getIntOrFloatBitWidth() / 8 % vectorBytes == 0;
    SmallVector<Value> elements =
        loadFollowing(kb.at(real, place, line * pitch), alongTerms ? terms : count, isAligned);
    for (auto [n, element] : llvm::enumerate(elements))
      (alongTerms ? part[line][n] : part[n][line]) = element;
  }
  return part;
}

/// Returns x without the bits that TF32 lacks, which is x rounded towards zero.
static Value truncateToTF32(KernelBuilder &kb, Value x) {
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, kb.b.getI32Type(), x);
  bits = arith::AndIOp::create(kb.b, kb.loc, bits, kb.integerOf(kb.b.getI32Type(), ~int64_t(0x1fff)));
  return arith::BitcastOp::create(kb.b, kb.loc, x.getType(), bits);
}

/// Converts element x to a factor. `isExact` says that TF32 represents x exactly. If `onlyFinite`, an x that is not
/// finite is replaced by 0.
BlockThreads::SplitFactor BlockThreads::asFactor(Value x, bool isExact, bool onlyFinite) {
  if (onlyFinite) {
    Value rest = kb.subf(x, x), zero = kb.real(real, 0); // NaN where x is not finite
    x = kb.select(arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, rest, zero), x, zero);
  }
  if (isExact || factors != ScanFactors::Split)
    return {isExact ? x : rounded(x), Value()};
  Value upper = truncateToTF32(kb, x);
  return {upper, truncateToTF32(kb, kb.subf(x, upper))};
}

/// Adds the products of eight terms to the sums of a tile by mma.sync in TF32. Each thread supplies two of the terms.
/// Products with lower parts of factors are added to `lowerSums`.
void BlockThreads::multiplyTensors(WarpTile tile, MutableArrayRef<Value> sums, MutableArrayRef<Value> lowerSums,
                                   const SplitPart &left, const SplitPart &right) {
  int64_t half = tile.columns / 2;
  auto add = [&](MutableArrayRef<Value> to, int64_t i, int64_t a, Value SplitFactor::*ofLeft,
                 Value SplitFactor::*ofRight) {
    auto bits = [&](Value x) -> Value { return arith::BitcastOp::create(kb.b, kb.loc, kb.b.getI32Type(), x); };
    if (!(left[i][0].*ofLeft) || !(right[a][0].*ofRight))
      return;
    Value rows[] = {bits(left[i][0].*ofLeft), bits(left[i + 1][0].*ofLeft), bits(left[i][1].*ofLeft),
                    bits(left[i + 1][1].*ofLeft)};
    Value columns[] = {bits(right[a][0].*ofRight), bits(right[a][1].*ofRight)};
    SmallVector<Value *> places;
    for (int64_t n : {i, i + 1})
      for (int64_t column : {a, half + a})
        places.push_back(&to[n * tile.columns + column]);
    auto before = llvm::map_to_vector(places, [](Value *place) { return *place; });
    machineOf(kb).instructions().multiply(kb, before, rows, columns, GpuInstructions::Factor::TF32, /*terms=*/8);
    for (auto [sum, place] : llvm::zip_equal(before, places))
      *place = sum;
  };
  for (int64_t i = 0; i < tile.rows; i += 2)
    for (int64_t a = 0; a < half; ++a) {
      add(sums, i, a, &SplitFactor::upper, &SplitFactor::upper);
      if (lowerSums.empty())
        continue;
      add(lowerSums, i, a, &SplitFactor::upper, &SplitFactor::lower);
      add(lowerSums, i, a, &SplitFactor::lower, &SplitFactor::upper);
    }
}

/// Returns `sum` + `lower`, or only `sum` if `lower` is not finite. `lower` is the sum of products with lower parts of
/// factors. The lower part of an infinity is NaN.
static Value addFinite(KernelBuilder &kb, Value sum, Value lower) {
  Value rest = kb.subf(lower, lower), zero = kb.real(sum.getType(), 0);
  Value isFinite = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, rest, zero);
  return kb.addf(sum, kb.select(isFinite, lower, zero));
}

SmallVector<Value> BlockThreads::multiplyTile(WarpTile tile, ValueRange sums, const WarpTerms &terms, bool onlyFinite) {
  const auto &[left, right, lower, upper] = terms;
  bool tensorCores = usesTensorCores(), splits = factors == ScanFactors::Split && !(left.isExact && right.isExact);
  int64_t step = tensorCores ? 8 : 4, own = tensorCores ? 2 : 4; // terms of a step, and of one thread in a step
  int64_t columns = tensorCores ? tile.columns / 2 : tile.columns;
  Value row = kb.mul(tileRow(), tile.rows), column = kb.mul(tensorCores ? tileRow() : tileColumn(), columns);
  auto scalars = llvm::map_to_vector(
      sums, [&](Value sum) -> Value { return vector::ExtractOp::create(kb.b, kb.loc, sum, ArrayRef<int64_t>{0}); });
  size_t count = scalars.size();
  if (splits)
    scalars.append(count, kb.real(real, 0));
  auto load = [&](const WarpOperand &operand, Value first, int64_t count, Value term) {
    SplitPart part;
    for (const SmallVector<Value> &line : loadPart(operand, first, count, term, own))
      part.push_back(llvm::map_to_vector(line, [&](Value x) { return asFactor(x, operand.isExact, onlyFinite); }));
    return part;
  };
  scalars = kb.loop(lower, upper, step, scalars, [&](Value term, ValueRange before) {
    SmallVector<Value> next(before);
    Value first = tensorCores ? kb.add(term, kb.mul(tileColumn(), 2)) : term;
    auto rows = load(left, row, tile.rows, first), others = load(right, column, columns, first);
    if (tensorCores) {
      MutableArrayRef<Value> all(next);
      multiplyTensors(tile, all.take_front(count), all.drop_front(count), rows, others);
      return next;
    }
    for (int64_t t = 0; t < own; ++t)
      for (int64_t n = 0; n < tile.rows * tile.columns; ++n)
        next[n] = kb.fma(rows[n / tile.columns][t].upper, others[n % tile.columns][t].upper, next[n]);
    return next;
  });
  SmallVector<Value> results;
  for (size_t n = 0; n < count; ++n) {
    Value sum = splits ? addFinite(kb, scalars[n], scalars[count + n]) : scalars[n];
    results.push_back(vector::BroadcastOp::create(kb.b, kb.loc, kb.vector(real, 1), sum));
  }
  return results;
}
