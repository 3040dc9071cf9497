//===- ScanFeatures.cpp - Feature maps of a chunk, and their gradients ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   u = W x          a register tile at a time; without exponents phi = value(u) at once
//   tops             the largest exponent of each row, over its projections
//   shifts           b h - (the reference that keeps the row in range), for each slot
//   phi = value(u) 2^(a u + shift) + epsilon
//
// Exponents are in units of log2, from the tops on.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"
#include "compiler/Target/Kernel/Scan/ScanMaxima.h"
#include "compiler/Target/Kernel/Scan/ScanRounding.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static double factorOfProjection(const ScanKernel &k, int64_t slot) { return k.exponents[2 * slot]; }
static double factorOfHalf(const ScanKernel &k, int64_t slot) { return k.exponents[2 * slot + 1]; }

/// Returns the part of slot `slot` in a buffer [slot][projection][row] of features or their gradients.
static Value slotOf(ScanKernel &k, Value buffer, int64_t slot) {
  return k.kb.at(k.real, buffer, slot * k.projections * k.pitch());
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// Computes the projections u = W x of a side's chunk (u = x without W), tile by tile; calls `finish` for every tile.
static void forProjections(ScanKernel &k, const ScanSide &side, TileFinish finish) {
  KernelBuilder &kb = k.kb;
  auto finishScaled = [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    for (Value &u : tile)
      u = k.rowScale == 1 ? u : kb.mulf(u, kb.real(k.vector(), k.rowScale));
    finish(shape, std::move(tile), row, column);
  };
  if (k.weights) {
    int64_t terms = llvm::alignTo(k.depth, k.inputTerms);
    ScanProduct product{k.projections,
                        k.chunk,
                        terms,
                        {k.weights, k.weightStride, 1, /*isExact=*/false, /*isAligned=*/false},
                        {side.channels, 1, k.pitch(), k.hasShortInputs}};
    product.asks = &side;
    if (k.inputTerms != 1)
      product.form = k.inputForm();
    return buildProduct(k, product, finishScaled);
  }
  if (!k.threads.isOne()) {
    ScanTile shape{{1, 1}, 1};
    k.threads.overThreads(k.projections * k.chunk, 1, [&](Value place) {
      Value row = kb.floorDiv(place, k.chunk), column = kb.floorMod(place, k.chunk);
      finishScaled(shape, {kb.load(k.vector(), k.at(side.channels, row, k.pitch(), column))}, row, column);
    });
    return k.threads.synchronize();
  }
  forTiles(kb, k.projections, k.featureTerms, kb.integer(0), [&](Value row, int64_t rows) {
    ScanTile shape{{rows, k.tileRegisters}, k.lanes};
    kb.loop(kb.integer(0), kb.integer(k.chunk), k.width(), [&](Value column) {
      auto load = [&](int64_t n, int64_t c) {
        return kb.load(k.vector(), k.at(side.channels, kb.add(row, n), k.pitch(), kb.add(column, c * shape.step)));
      };
      finish(shape, shape.fill(load), row, column);
    });
  });
}

/// Returns whether the projections of a chunk lie where its channels do.
static bool projectionsAreInputs(const ScanKernel &k) { return k.sharesTiles() && !k.hasWeights; }

/// Returns whether plain features leave the projections of a side's chunk for its gradients.
static bool keepsProjections(const ScanKernel &k, const ScanSide &side) {
  return k.sharesTiles() ? k.hasWeights && isOwnSide(k, side) : k.isGradient;
}

static void storeTile(ScanKernel &k, ScanTile shape, ValueRange tile, Value buffer, int64_t stride, Value row,
                      Value column) {
  Value to = k.at(buffer, row, stride, column);
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      k.kb.store(shape.at(tile, n, c), k.kb.at(k.real, to, n * stride + c * shape.step));
}

/// Stores a tile of features of slot `slot` of a side's chunk, rounded if products take them so.
static void storeFeatures(ScanKernel &k, const ScanSide &side, int64_t slot, ScanTile shape, ValueRange tile, Value row,
                          Value column) {
  if (k.roundsFeatures())
    return storeFeatureOperands(k, side, slot, shape, tile, row, column);
  storeTile(k, shape, tile, slotOf(k, side.features, slot), k.pitch(), row, column);
}

/// Computes the features of a side's chunk for a feature map without exponents: phi = value(u) + epsilon, and 0 for
/// masked keys.
static void buildPlainFeatures(ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  forProjections(k, side, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    if (keepsProjections(k, side))
      storeTile(k, shape, tile, side.projections, k.pitch(), row, column);
    SmallVector<Value> masks;
    for (int64_t c = 0; side.isKeys && c < shape.registers; ++c)
      masks.push_back(maskOf(k, side, kb.add(column, c * shape.step)));
    SmallVector<SmallVector<Value>> slots(k.slots);
    for (auto [number, u] : llvm::enumerate(tile))
      for (auto [slot, phi] : llvm::enumerate(vectorize(k.value->front(), u, k.lanes, kb))) {
        Value feature = k.threads.rounded(k.epsilon == 0 ? phi : kb.addf(phi, kb.real(k.vector(), k.epsilon)));
        slots[slot].push_back(masks.empty() ? feature : kb.select(masks[number % shape.registers], feature, k.zero()));
      }
    for (auto [slot, features] : llvm::enumerate(slots))
      storeFeatures(k, side, slot, shape, features, row, column);
  });
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

static void buildHalves(ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  ProductForm form = k.inputForm();
  k.forRowsOfWarps([&](Value row) {
    auto add = [&](Value d, Value sum) { // of the terms of an instruction
      Value x = kb.load(form.operands(kb), k.at(side.channels, d, k.pitch(), row));
      return form.emit(kb, x, x, sum);
    };
    Value sum = k.threads.reduceOverWarps(llvm::divideCeil(k.depth, form.terms), k.zero(), add,
                                          [&](Value x, Value y) { return kb.addf(x, y); });
    k.threads.inFirstWarp(
        [&] { k.store(kb.mulf(sum, kb.real(k.vector(), 0.5 * k.rowScale * k.rowScale)), k.halves, row); });
  });
}

static Value exponentOf(ScanKernel &k, int64_t slot, Value u, Value shift) {
  KernelBuilder &kb = k.kb;
  double a = factorOfProjection(k, slot);
  return a == 0 ? shift : kb.fma(u, kb.real(k.vector(), a * M_LOG2E), shift);
}

/// Does the work of buildProjections by a block of threads; finds the maxima after all tiles, since tiles run
/// concurrently.
static void buildSharedProjections(ScanKernel &k, const ScanSide &side, bool hasLargest) {
  KernelBuilder &kb = k.kb;
  if (!projectionsAreInputs(k))
    forProjections(k, side, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
      storeTile(k, shape, tile, side.projections, k.pitch(), row, column);
    });
  k.forRowsOfWarps([&](Value row) {
    Value top = kb.real(k.vector(), lowestExponent);
    auto join = [&](Value x, Value y) { return kb.maxf(x, y); };
    auto add = [&](Value projection, Value top) {
      return join(largestOf(k, kb.load(k.vector(), k.at(side.projections, projection, k.pitch(), row))), top);
    };
    if (hasLargest)
      top = k.threads.reduceOverWarps(k.projections, top, add, join);
    k.threads.inFirstWarp([&] { k.store(top, k.largest, row); });
  });
}

/// Stores the projections u of a side's chunk to its buffer and, with `hasLargest`, the maximum of a * u of each row to
/// `largest`, where a is the factor of u in the exponent of a slot.
static void buildProjections(ScanKernel &k, const ScanSide &side, bool hasLargest) {
  KernelBuilder &kb = k.kb;
  if (!k.threads.isOne())
    return buildSharedProjections(k, side, hasLargest);
  k.forRows([&](Value row) { k.store(kb.real(k.vector(), lowestExponent), k.largest, row); });
  forProjections(k, side, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    storeTile(k, shape, tile, side.projections, k.pitch(), row, column);
    for (int64_t c = 0; hasLargest && c < shape.registers; ++c) {
      Value place = kb.add(column, c * shape.step), top = k.load(k.largest, place);
      for (int64_t n = 0; n < shape.rows; ++n)
        top = kb.maxf(largestOf(k, shape.at(tile, n, c)), top);
      k.store(top, k.largest, place);
    }
  });
}

/// Computes `tops` from `largest` and `halves`: an upper bound of the exponents of each row, as exponents of 2.
static void buildTops(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  bool dependsOnU =
      llvm::any_of(llvm::seq<int64_t>(0, k.slots), [&](int64_t p) { return factorOfProjection(k, p) != 0; });
  double half = factorOfHalf(k, 0);
  for (int64_t slot = 1; slot < k.slots; ++slot)
    half = std::max(half, factorOfHalf(k, slot));
  k.forRows([&](Value row) {
    Value top = kb.mulf(k.load(k.halves, row), kb.real(k.vector(), half * M_LOG2E));
    if (dependsOnU)
      top = kb.fma(k.load(k.largest, row), kb.real(k.vector(), M_LOG2E), top);
    k.store(top, k.tops, row);
  });
}

/// Computes the running references of the chunk's keys from `tops`: for each key, the maximum over all keys up to it,
/// rounded up to an integer. Masked keys do not count.
static void buildRunningReferences(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value floor = kb.real(k.real, lowestExponent);
  auto powerOf = [&](Value row) -> Value {
    Value top = math::CeilOp::create(kb.b, kb.loc, kb.load(k.real, kb.at(k.real, k.tops, row)));
    Value bits = kb.load(k.integer, kb.at(k.integer, k.keys.mask, row));
    return kb.select(kb.compare(arith::CmpIPredicate::ne, bits, kb.integerOf(k.integer, 0)), kb.maxf(top, floor),
                     floor);
  };
  auto join = [&](Value before, Value top) { return kb.maxf(top, before); };
  k.forPrefixes(k.scalar(xft::ScanReference), powerOf, join,
                [&](Value row, Value power) { kb.store(power, kb.at(k.real, k.references, row)); });
}

/// Computes the shift of each slot and row, an exponent of 2: b h - reference(row) + the exponent that all features
/// have. Here h = |x|^2 / 2, and b is the factor of h in the exponent of the slot.
static void buildShifts(ScanKernel &k, const ScanSide &side, function_ref<Value(Value row)> reference) {
  KernelBuilder &kb = k.kb;
  for (int64_t slot = 0; slot < k.slots; ++slot)
    k.forRows([&](Value row) {
      Value half = kb.mulf(k.load(k.halves, row), kb.real(k.vector(), factorOfHalf(k, slot) * M_LOG2E));
      Value shift = kb.subf(half, reference(row));
      if (k.featureExponent != 0)
        shift = kb.addf(shift, kb.real(k.vector(), k.featureExponent));
      k.store(shift, kb.at(k.real, side.shifts, slot * k.chunk), row);
    });
}

/// Returns the features value(u) 2^(a u + shift) + epsilon of each slot, for a register of projections u.
static SmallVector<Value> exponentials(ScanKernel &k, Value u, ArrayRef<Value> shifts, double epsilon) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> factors(k.slots), features;
  if (!k.valueIsOne)
    factors = vectorize(k.value->front(), u, k.lanes, kb);
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    Value phi = kb.exp2(exponentOf(k, slot, u, shifts[slot]));
    if (factors[slot])
      phi = kb.mulf(phi, factors[slot]);
    if (epsilon != 0)
      phi = kb.addf(phi, kb.real(k.vector(), epsilon));
    features.push_back(k.threads.rounded(phi));
  }
  return features;
}

/// Computes the features phi = value(u) 2^(a u + shift) + epsilon of a side's chunk, from its projections u and shifts;
/// 0 for masked keys. u may lie in the memory of the first slot of phi: each u is loaded before its features are
/// stored.
static void buildExponentials(ScanKernel &k, const ScanSide &side, double epsilon) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    Value mask = side.isKeys ? maskOf(k, side, row) : Value();
    SmallVector<Value> shifts;
    for (int64_t slot = 0; slot < k.slots; ++slot)
      shifts.push_back(k.load(kb.at(k.real, side.shifts, slot * k.chunk), row));
    auto build = [&](Value projection, int64_t count) {
      SmallVector<SmallVector<Value>> slots(k.slots);
      for (int64_t n = 0; n < count; ++n) {
        Value u = kb.load(k.vector(), k.at(side.projections, kb.add(projection, n), k.pitch(), row));
        for (auto [slot, phi] : llvm::enumerate(exponentials(k, u, shifts, epsilon)))
          slots[slot].push_back(mask ? kb.select(mask, phi, k.zero()) : phi);
      }
      for (int64_t slot = 0; slot < k.slots; ++slot)
        storeFeatures(k, side, slot, {{count, 1}, k.lanes}, slots[slot], projection, row);
    };
    if (k.roundsFeatures())
      return forTiles(kb, k.projections, k.featureTerms, kb.integer(0), build);
    k.threads.overWarps(k.projections, 1, [&](Value projection) { build(projection, 1); });
  });
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

static void joinLargest(ScanKernel &k) {
  k.setScalar(xft::ScanLargest, k.kb.maxf(largestOfKeys(k), k.scalar(xft::ScanLargest)));
}

void kernel::buildLargest(ScanKernel &k) {
  buildProjections(k, k.keys, /*hasLargest=*/true);
  joinLargest(k);
}

void kernel::buildKeyFeatures(ScanKernel &k, KeyScaling scaling) {
  KernelBuilder &kb = k.kb;
  if (!k.hasExponents())
    return buildPlainFeatures(k, k.keys);
  buildHalves(k, k.keys);
  bool running = scaling == KeyScaling::Running, asksMaximum = k.hasMaximum && !running;
  buildProjections(k, k.keys, /*hasLargest=*/running || asksMaximum);
  if (asksMaximum)
    findMaximum(k);
  if (running && k.stabilizer == Stabilizer::k_sequence)
    joinLargest(k);
  if (running) {
    buildTops(k);
    buildRunningReferences(k);
  }
  Value shift = scaling == KeyScaling::Direct ? kb.broadcast(k.scalar(xft::ScanShift), k.lanes) : Value();
  buildShifts(k, k.keys, [&](Value row) { return shift ? shift : k.load(k.references, row); });
  buildExponentials(k, k.keys, running ? 0 : k.epsilon); // with running references, epsilon is added after all keys
}

void kernel::buildQueryFeatures(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.hasExponents())
    return buildPlainFeatures(k, k.queries);
  bool running = k.stabilizer == Stabilizer::k_running, isScaled = k.stabilizer != Stabilizer::k_none;
  buildHalves(k, k.queries);
  buildProjections(k, k.queries, /*hasLargest=*/isScaled);
  if (running)
    buildTops(k);
  buildShifts(k, k.queries, [&](Value row) {
    if (running)
      return k.load(k.tops, row);
    return isScaled ? kb.mulf(k.load(k.largest, row), kb.real(k.vector(), M_LOG2E)) : k.zero();
  });
  buildExponentials(k, k.queries, k.epsilon);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Returns the exponential of a feature phi = 2^(a u + shift) + epsilon, or 0 if phi is that of a masked key, 0. It is
/// computed anew, since phi keeps few of its digits where epsilon is larger.
static Value withoutEpsilon(ScanKernel &k, int64_t slot, Value phi, Value u, Value shift) {
  KernelBuilder &kb = k.kb;
  Value isMasked = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, phi, k.zero());
  return kb.select(isMasked, k.zero(), kb.exp2(exponentOf(k, slot, u, shift)));
}

void kernel::finishFeatureGradients(ScanKernel &k, const ScanSide &side, int64_t slot, ScanTile shape, ValueRange tile,
                                    Value row, Value column) {
  KernelBuilder &kb = k.kb;
  double a = k.hasExponents() ? factorOfProjection(k, slot) : 0, half = k.hasExponents() ? factorOfHalf(k, slot) : 0;
  bool usesParts = !k.threads.isOne() && k.hasHalves;
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = kb.add(column, c * shape.step), dHalf = half == 0 || usesParts ? Value() : k.load(k.dHalves, place);
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value index = kb.add(kb.mul(kb.add(row, n), k.pitch()), place), d = shape.at(tile, n, c), du;
      if (usesParts)
        dHalf = slot == 0 ? k.zero() : k.load(k.dHalfParts, index);
      Value u = k.load(side.projections, index);
      if (!k.hasExponents()) {
        du = kb.mulf(d, vectorize(k.slope->front(), u, k.lanes, kb)[slot]);
      } else if (k.valueIsOne) {
        Value e = k.load(slotOf(k, side.features, slot), index);
        if (k.epsilon != 0)
          e = withoutEpsilon(k, slot, e, u, k.load(kb.at(k.real, side.shifts, slot * k.chunk), place));
        Value change = kb.mulf(d, e);
        du = a == 1 ? change : kb.mulf(change, kb.real(k.vector(), a));
        if (dHalf)
          dHalf = kb.fma(change, kb.real(k.vector(), half), dHalf);
      } else {
        Value shift = k.load(kb.at(k.real, side.shifts, slot * k.chunk), place);
        Value change = kb.mulf(d, kb.exp2(exponentOf(k, slot, u, shift)));
        Value g = kb.mulf(change, vectorize(k.value->front(), u, k.lanes, kb)[slot]);
        du = kb.mulf(change, vectorize(k.slope->front(), u, k.lanes, kb)[slot]);
        if (a != 0)
          du = kb.fma(g, kb.real(k.vector(), a), du);
        if (dHalf)
          dHalf = kb.fma(g, kb.real(k.vector(), half), dHalf);
      }
      if (slot > 0)
        du = kb.addf(du, k.load(k.dProjections, index));
      k.store(du, k.dProjections, index);
      if (usesParts)
        k.store(dHalf, k.dHalfParts, index);
    }
    if (dHalf && !usesParts)
      k.store(dHalf, k.dHalves, place);
  }
}

void kernel::addParts(ScanKernel &k, Value parts, Value sums) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    auto plus = [&](Value x, Value y) { return kb.addf(x, y); };
    auto add = [&](Value projection, Value sum) {
      return plus(sum, kb.load(k.vector(), k.at(parts, projection, k.pitch(), row)));
    };
    Value sum = k.threads.reduceOverWarps(k.projections, k.zero(), add, plus);
    k.threads.inFirstWarp([&] { k.store(kb.addf(k.load(sums, row), sum), sums, row); });
  });
}

/// Transposes the gradients of projections: outputs[row][d] = dProjections[d][row].
static void transposeProjections(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    auto transpose = [&](Value d) {
      SmallVector<Value> square;
      for (int64_t n = 0; n < k.lanes; ++n)
        square.push_back(kb.load(k.vector(), k.at(k.dProjections, kb.add(d, n), k.pitch(), row)));
      for (auto [n, lane] : llvm::enumerate(transposeRegisters(kb, square)))
        kb.store(lane, k.at(k.outputs, kb.add(row, n), k.columns, d));
    };
    k.threads.overWarps(k.columns, k.lanes, transpose);
  });
}

void kernel::storeInputGradients(ScanKernel &k, const ScanSide &side, const View &target) {
  KernelBuilder &kb = k.kb;
  Value scale = kb.real(k.vector(), k.inputScale);
  /// Computes a tile of d_x = input_scale (W^T d_u + d_h x), where h = |x|^2 / 2.
  auto finish = [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value one = kb.add(row, n), dHalf = k.hasHalves ? k.splat(k.dHalves, one) : Value();
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.add(kb.mul(one, k.columns), kb.add(column, c * shape.step)), d = shape.at(tile, n, c);
        if (dHalf)
          d = kb.fma(dHalf, loadInput(k, side, one, kb.add(column, c * shape.step)), d);
        k.store(k.inputScale == 1 ? d : kb.mulf(d, scale), k.outputs, place);
      }
    }
  };
  if (k.inputTerms != 1)
    roundProjectionGradients(k);
  if (k.weights) {
    ScanProduct product{
        k.chunk, k.columns, k.projections, {k.dProjections, 1, k.pitch()}, {k.weights, 1, k.weightStride}, true};
    buildProduct(k, k.inputTerms == 1 ? product : productOfProjectionGradients(k), finish);
  } else {
    transposeProjections(k);
    ScanTile shape{{1, 1}, k.lanes};
    k.forLines([&](Value row) {
      k.threads.overLanes(k.columns, k.lanes, [&](Value column) {
        finish(shape, {kb.load(k.vector(), k.at(k.outputs, row, k.columns, column))}, row, column);
      });
    });
  }
  storeRows(k, side, target, side.head, k.depth, /*adds=*/side.isKeys && target.element == k.real);
  if (!k.dWeights)
    return;
  ScanProduct product{k.projections, k.columns, k.chunk, {k.dProjections, k.pitch(), 1}, {side.rows, 1, k.columns}};
  if (k.inputTerms != 1)
    product = productOfInputs(k, side);
  buildProduct(k, product, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    Value to = k.at(k.dWeights, row, k.columns, column), rowScale = kb.real(k.vector(), k.rowScale);
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.at(k.real, to, n * k.columns + c * shape.step), before = kb.load(k.vector(), place);
        Value d = shape.at(tile, n, c);
        kb.store(k.rowScale == 1 ? kb.addf(before, d) : kb.fma(d, rowScale, before), place);
      }
  });
}
