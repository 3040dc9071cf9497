//===- ScanMaxima.cpp - Gradients through the maxima of scans -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanMaxima.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

using arith::CmpFPredicate;

static Value compare(KernelBuilder &kb, CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(kb.b, kb.loc, predicate, x, y);
}

Value kernel::largestOf(const ScanKernel &k, Value u) {
  KernelBuilder &kb = k.kb;
  Value top;
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    double a = k.op.exponents[2 * slot];
    if (a == 0)
      continue;
    Value x = a == 1 ? u : kb.mulf(u, kb.real(u.getType(), a));
    top = top ? kb.maxf(x, top) : x;
  }
  return top ? top : u;
}

Value kernel::largestOfKeys(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value floor = kb.real(k.vector(), lowestExponent);
  auto join = [&](Value x, Value y) { return kb.maxf(x, y); };
  auto add = [&](Value row, Value top) {
    return join(kb.select(maskOf(k, k.task.keys, row), k.load(k.buffers.largest, row), floor), top);
  };
  return kb.reduceMax(k.threads.reduceOverLanes(k.chunk, k.lanes, floor, add, join));
}

/// Returns the derivative of largestOf(u) by u, where u is a scalar.
static Value slopeOf(const ScanKernel &k, Value u) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0), one = kb.real(k.real, 1);
  bool hasBothSigns = llvm::any_of(llvm::seq(k.slots), [&](int64_t slot) { return k.op.exponents[2 * slot] < 0; });
  if (!hasBothSigns)
    return one;
  Value ofNegative = kb.select(compare(kb, CmpFPredicate::OLT, u, zero), kb.real(k.real, -1), zero);
  return kb.select(compare(kb, CmpFPredicate::OGT, u, zero), one, ofNegative);
}

/// Returns the gradient d_s of a stabiliser from the gradient `dHalf` of |x|^2 / 2. The factor of |x|^2 / 2 in
/// exponents is 1 or -1. If it is -1, both gradients are equal, else d_s has the opposite sign.
static Value ofHalf(const ScanKernel &k, Value dHalf) {
  return k.op.exponents[1] < 0 ? dHalf : k.kb.subf(k.kb.real(dHalf.getType(), 0), dHalf);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

void kernel::addRowMaxima(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value none = kb.real(k.vector(), lowestExponent);
  k.forRowsOfWarps([&](Value row) { // the largest of the negative indices is that of the first projection
    Value largest = k.load(k.buffers.largest, row);
    auto join = [&](Value x, Value y) { return kb.maxf(x, y); };
    auto add = [&](Value projection, Value first) {
      Value index = arith::SIToFPOp::create(kb.b, kb.loc, k.real, kb.sub(kb.integer(0), projection));
      Value u = kb.load(k.vector(), k.at(k.buffers.projections.queries, projection, row));
      Value isLargest = compare(kb, CmpFPredicate::OEQ, largestOf(k, u), largest);
      return join(kb.select(isLargest, kb.broadcast(index, k.lanes), none), first);
    };
    Value first = k.threads.reduceOverWarps(k.projections, none, add, join);
    k.threads.inFirstWarp([&] { k.store(first, k.buffers.tops, row); });
  });
  k.forSingleRows([&](Value row) {
    auto scalarAt = [&](Value buffer) { return k.element(buffer, row); };
    Value first = scalarAt(k.buffers.tops);
    kb.ifThen(compare(kb, CmpFPredicate::OGT, first, kb.real(k.real, lowestExponent)), [&] {
      Value opposite = arith::FPToSIOp::create(kb.b, kb.loc, kb.i64(), first);
      Value index = kb.add(kb.mul(kb.sub(kb.integer(0), opposite), k.pitch()), row);
      Value place = kb.at(k.real, k.d->projections, index);
      Value slope = slopeOf(k, k.element(k.buffers.projections.queries, index));
      kb.store(kb.addf(kb.load(k.real, place), kb.mulf(slope, ofHalf(k, scalarAt(k.d->halves)))), place);
    });
  });
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static Value placeOf(const ScanKernel &k, xft::ScanMaximum which) { return k.kb.at(k.real, k.d->maximum, which); }
static Value realOf(const ScanKernel &k, xft::ScanMaximum which) { return k.kb.load(k.real, placeOf(k, which)); }

void kernel::startMaximum(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.threads.synchronize();
  k.threads.once([&] {
    kb.store(kb.real(k.real, 0), placeOf(k, xft::MaximumGradient));
    kb.store(kb.real(k.real, lowestExponent), placeOf(k, xft::MaximumValue));
    kb.store(kb.real(k.real, 0), placeOf(k, xft::MaximumSlope));
    for (auto which : {xft::MaximumKey, xft::MaximumProjection})
      kb.storeIndex(kb.integer(0), k.integer(), placeOf(k, which));
  });
  k.threads.synchronize();
}

void kernel::findMaximum(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value top = largestOfKeys(k), before = realOf(k, xft::MaximumValue);
  Value isBefore =
      kb.compare(arith::CmpIPredicate::slt, k.task.keys.first, kb.loadIndex(k.integer(), placeOf(k, xft::MaximumKey)));
  Value isEqual = arith::AndIOp::create(kb.b, kb.loc, compare(kb, CmpFPredicate::OEQ, top, before), isBefore);
  Value isNew = arith::OrIOp::create(kb.b, kb.loc, compare(kb, CmpFPredicate::OGT, top, before), isEqual);
  kb.ifThen(isNew, [&] {
    auto firstOf = [&](int64_t count, function_ref<Value(Value)> isLargest) {
      return kb.loop(kb.integer(0), kb.integer(count), 1, kb.integer(count - 1), [&](Value n, ValueRange first) {
        return SmallVector<Value>{kb.select(isLargest(n), kb.min(n, first[0]), first[0])};
      })[0];
    };
    auto isTop = [&](Value x) { return compare(kb, CmpFPredicate::OEQ, x, top); };
    Value row = firstOf(k.chunk, [&](Value row) -> Value {
      Value isOwn = takesPart(k, k.task.keys, row);
      Value largest = k.element(k.buffers.largest, row);
      return arith::AndIOp::create(kb.b, kb.loc, isOwn, isTop(largest));
    });
    auto projectionAt = [&](Value m) { return kb.load(k.real, k.at(k.buffers.projections.keys, m, row)); };
    Value projection = firstOf(k.projections, [&](Value m) { return isTop(largestOf(k, projectionAt(m))); });
    Value slope = slopeOf(k, projectionAt(projection));
    k.threads.synchronize(); // the maximum before has been read
    k.threads.once([&] {
      kb.store(top, placeOf(k, xft::MaximumValue));
      kb.store(slope, placeOf(k, xft::MaximumSlope));
      kb.storeIndex(kb.add(k.task.keys.first, row), k.integer(), placeOf(k, xft::MaximumKey));
      kb.storeIndex(projection, k.integer(), placeOf(k, xft::MaximumProjection));
    });
  });
  k.threads.synchronize();
}

void kernel::addMaximumGradient(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value row, Value sum) {
    return kb.addf(sum, kb.select(maskOf(k, k.task.keys, row), k.load(k.d->halves, row), k.zero()));
  };
  Value own = ofHalf(k, kb.reduceAdd(k.threads.sumOverLanes(k.chunk, k.lanes, k.zero(), add)));
  Value sum = kb.addf(realOf(k, xft::MaximumGradient), own);
  k.threads.synchronize();
  k.threads.once([&] { kb.store(sum, placeOf(k, xft::MaximumGradient)); });
  k.threads.synchronize();
}

/// Adds the contributions of `dU`, the gradient of projection `projection` of key `key`, to d_k and d_weights.
static void addToKey(const ScanKernel &k, Value dU, Value key, Value projection) {
  KernelBuilder &kb = k.kb;
  Value scaled = kb.mulf(dU, kb.real(k.real, k.op.inputScale)),
        row = k.operands.dK.at(kb, {k.task.b, k.task.keys.head, key});
  auto addTo = [&](Value place, Value x) { kb.store(kb.addf(kb.load(k.real, place), kb.mulf(x, scaled)), place); };
  if (!k.operands.weights) {
    k.threads.once([&] { addTo(kb.at(k.real, row, projection), kb.real(k.real, 1)); });
    return k.threads.synchronize();
  }
  Type input = k.task.keys.source.element;
  Value weights = kb.at(k.operands.weightElement, k.operands.weights, kb.mul(projection, k.operands.weightStride)),
        x = k.task.keys.source.at(kb, {k.task.b, k.task.keys.head, key});
  k.threads.overThreads(k.depth, 1, [&](Value d) {
    addTo(kb.at(k.real, row, d), loadScalar(kb, k.operands.weightElement, kb.at(k.operands.weightElement, weights, d)));
    if (k.task.dWeights)
      addTo(k.at(k.task.dWeights, projection, k.columns(), d), loadScalar(kb, input, kb.at(input, x, d)));
  });
  k.threads.synchronize();
}

/// Adds `sum`, the gradient of a maximum, to d_k of the first key that has the maximum, and to d_weights. at(which)
/// returns a pointer to one of the numbers that describe the maximum: its value, key, projection or slope.
static void giveMaximumTo(const ScanKernel &k, Value sum, function_ref<Value(xft::ScanMaximum)> at) {
  KernelBuilder &kb = k.kb;
  Value exists =
      compare(kb, CmpFPredicate::OGT, kb.load(k.real, at(xft::MaximumValue)), kb.real(k.real, lowestExponent));
  kb.ifThen(exists, [&] {
    Value dU = kb.mulf(sum, kb.load(k.real, at(xft::MaximumSlope)));
    addToKey(k, dU, kb.loadIndex(k.integer(), at(xft::MaximumKey)),
             kb.loadIndex(k.integer(), at(xft::MaximumProjection)));
  });
}

void kernel::giveMaximum(const ScanKernel &k) {
  giveMaximumTo(k, realOf(k, xft::MaximumGradient), [&](xft::ScanMaximum which) { return placeOf(k, which); });
}

//===----------------------------------------------------------------------===//
// Keys of a chunk alone
//===----------------------------------------------------------------------===//

static_assert(int64_t(xft::ScanMaximumCount) <= int64_t(xft::ScanScalarCount));

/// The maximum of a chunk of keys is described by several numbers (ScanMaximum). Returns a pointer to the number
/// `which` of the maximum of chunk `number`. They lie after R of the chunk, where a saved state S has the scalars of
/// its slice.
static Value keptPlace(const ScanKernel &k, Value number, xft::ScanMaximum which) {
  return k.kb.at(k.real, keptSliceScalars(k, keptIn(k, *k.operands.keptGradient, number)), which);
}

void kernel::keepMaximum(const ScanKernel &k, Value number) {
  copyElements(k, k.d->maximum, keptPlace(k, number, xft::MaximumGradient), xft::ScanMaximumCount);
}

void kernel::giveKeptMaxima(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value count = kb.ceilDiv(k.operands.nk, k.chunk);
  using Combine = function_ref<Value(Value, Value)>;
  auto overChunks = [&](double init, function_ref<Value(Value number)> x, Combine combine) { // by the lanes of a warp
    int64_t lanes = k.threads.perWarp();
    auto add = [&](Value lane, Value sum) {
      return kb.loop(lane, count, lanes, sum,
                     [&](Value number, ValueRange sum) { return SmallVector<Value>{combine(x(number), sum[0])}; })[0];
    };
    return k.threads.reduceOverLanes(lanes, 1, kb.real(k.real, init), add, combine);
  };
  auto numberOf = [&](xft::ScanMaximum which) {
    return [&, which](Value number) { return kb.load(k.real, keptPlace(k, number, which)); };
  };
  auto join = [&](Value x, Value y) { return kb.maxf(x, y); };
  Value sum = overChunks(0, numberOf(xft::MaximumGradient), [&](Value x, Value y) { return kb.addf(x, y); });
  Value top = overChunks(lowestExponent, numberOf(xft::MaximumValue), join);
  auto oppositeOfTop = [&](Value number) {
    Value isTop = compare(kb, CmpFPredicate::OEQ, numberOf(xft::MaximumValue)(number), top);
    Value opposite = arith::SIToFPOp::create(kb.b, kb.loc, k.real, kb.sub(kb.integer(0), number));
    return kb.select(isTop, opposite, kb.real(k.real, lowestExponent));
  };
  Value opposite = arith::FPToSIOp::create(kb.b, kb.loc, kb.i64(), overChunks(lowestExponent, oppositeOfTop, join));
  Value first = kb.max(kb.sub(kb.integer(0), opposite), kb.integer(0));
  giveMaximumTo(k, sum, [&](xft::ScanMaximum which) { return keptPlace(k, first, which); });
}
