//===- ScanFeatures.cpp - Feature maps of a chunk, and their gradients ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the features of a side's chunk, in these steps:
//
//   u = W x          a register tile at a time; without exponents, phi = value(u) at once
//   tops             the largest exponent of each row, over its projections
//   shifts           b h - (the reference that keeps the row in range), for each slot, where h = |x|^2 / 2
//   phi = value(u) 2^(a u + shift) + epsilon
//
// a and b are the factors of u and h in the exponent of a slot. Exponents are in units of log2 from `tops` on.
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

static double factorOfProjection(const ScanKernel &k, int64_t slot) { return k.op.exponents[2 * slot]; }
static double factorOfHalf(const ScanKernel &k, int64_t slot) { return k.op.exponents[2 * slot + 1]; }

/// Returns a pointer to slot `slot` of a buffer [slot][projection][row] of features or their gradients.
static Value slotOf(const ScanKernel &k, Value buffer, int64_t slot) {
  return k.kb.at(k.real, buffer, slot * k.projections * k.pitch());
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// Computes the projections u = W x of a side's chunk (u = x without W), tile by tile. Calls `finish` for every tile.
static void forProjections(const ScanKernel &k, const ScanSide &side, TileFinish finish) {
  KernelBuilder &kb = k.kb;
  auto finishScaled = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (Value &u : tile)
      u = k.op.rowScale == 1 ? u : kb.mulf(u, kb.real(k.vector(), k.op.rowScale));
    finish(shape, std::move(tile));
  };
  if (k.operands.weights) {
    int64_t terms = llvm::alignTo(k.depth, k.inputTerms);
    ScanProduct product{k.projections,
                        k.chunk,
                        terms,
                        {k.operands.weights, k.operands.weightStride, 1, /*isExact=*/false, /*isAligned=*/false},
                        {k.buffers.channels[side], 1, k.pitch(), k.op.hasShortInputs}};
    product.prefetched = &side;
    if (k.inputTerms != 1)
      product.form = k.inputForm();
    return buildProduct(k, product, finishScaled);
  }
  if (!k.threads.isOne()) {
    k.threads.overThreads(k.projections * k.chunk, 1, [&](Value place) {
      Value row = kb.floorDiv(place, k.chunk), column = kb.floorMod(place, k.chunk);
      ScanTile shape{{1, 1}, 1, row, column};
      finishScaled(shape, {kb.load(k.vector(), k.at(k.buffers.channels[side], row, column))});
    });
    return k.threads.synchronize();
  }
  forTiles(kb, k.projections, k.featureTerms, kb.integer(0), [&](Value row, int64_t rows) {
    kb.loop(kb.integer(0), kb.integer(k.chunk), k.width(), [&](Value column) {
      ScanTile shape{{rows, k.tile.getRegisters()}, k.lanes, row, column};
      auto load = [&](int64_t n, int64_t c) {
        return kb.load(k.vector(), k.at(k.buffers.channels[side], shape.rowAt(kb, n), shape.columnAt(kb, c)));
      };
      finish(shape, shape.fill(load));
    });
  });
}

/// Returns whether the projections of a chunk lie in the memory of its channels. Without W, they are equal.
static bool projectionsAreInputs(const ScanKernel &k) { return k.sharesTiles() && !k.hasWeights; }

/// Returns whether buildPlainFeatures stores the projections of a side's chunk, because its gradients read them.
static bool keepsProjections(const ScanKernel &k, const ScanSide &side) {
  return k.sharesTiles() ? k.hasWeights && isOwnSide(k, side) : k.isGradient;
}

static void storeTile(const ScanKernel &k, const ScanTile &shape, ValueRange tile, Value buffer, int64_t stride) {
  Value to = k.at(buffer, shape.row, stride, shape.column);
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      k.kb.store(shape.at(tile, n, c), k.kb.at(k.real, to, n * stride + c * shape.step));
}

/// Stores a tile of features of slot `slot` of a side's chunk. Rounds them if products take rounded features.
static void storeFeatures(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                          ValueRange tile) {
  if (k.roundsFeatures())
    return storeFeatureOperands(k, side, slot, shape, tile);
  storeTile(k, shape, tile, slotOf(k, k.buffers.features[side], slot), k.pitch());
}

/// Computes the features of a side's chunk for a feature map without exponents: phi = value(u) + epsilon, and 0 for
/// masked keys.
static void buildPlainFeatures(const ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  forProjections(k, side, [&](const ScanTile &shape, SmallVector<Value> tile) {
    if (keepsProjections(k, side))
      storeTile(k, shape, tile, k.buffers.projections[side], k.pitch());
    SmallVector<Value> masks;
    for (int64_t c = 0; side.isKeys && c < shape.registers; ++c)
      masks.push_back(maskOf(k, side, shape.columnAt(kb, c)));
    SmallVector<SmallVector<Value>> slots(k.slots);
    for (auto [number, u] : llvm::enumerate(tile))
      for (auto [slot, phi] : llvm::enumerate(vectorize(k.op.value->front(), u, k.lanes, kb))) {
        Value feature = k.threads.rounded(k.op.epsilon == 0 ? phi : kb.addf(phi, kb.real(k.vector(), k.op.epsilon)));
        slots[slot].push_back(masks.empty() ? feature : kb.select(masks[number % shape.registers], feature, k.zero()));
      }
    for (auto [slot, features] : llvm::enumerate(slots))
      storeFeatures(k, side, slot, shape, features);
  });
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

static void buildHalves(const ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  ProductForm form = k.inputForm();
  k.forRowsOfWarps([&](Value row) {
    auto add = [&](Value d, Value sum) { // of the terms of an instruction
      Value x = kb.load(form.operands(kb), k.at(k.buffers.channels[side], d, row));
      return form.emit(kb, x, x, sum);
    };
    Value sum = k.threads.sumOverWarps(llvm::divideCeil(k.depth, form.terms), k.zero(), add);
    k.threads.inFirstWarp([&] {
      k.store(kb.mulf(sum, kb.real(k.vector(), 0.5 * k.op.rowScale * k.op.rowScale)), k.buffers.halves, row);
    });
  });
}

static Value exponentOf(const ScanKernel &k, int64_t slot, Value u, Value shift) {
  KernelBuilder &kb = k.kb;
  double a = factorOfProjection(k, slot);
  return a == 0 ? shift : kb.fma(u, kb.real(k.vector(), a * M_LOG2E), shift);
}

/// Implements buildProjections for a thread block. Computes the maxima after all tiles, because tiles run concurrently.
static void buildSharedProjections(const ScanKernel &k, const ScanSide &side, bool hasLargest) {
  KernelBuilder &kb = k.kb;
  if (!projectionsAreInputs(k))
    forProjections(k, side, [&](const ScanTile &shape, SmallVector<Value> tile) {
      storeTile(k, shape, tile, k.buffers.projections[side], k.pitch());
    });
  k.forRowsOfWarps([&](Value row) {
    Value top = kb.real(k.vector(), lowestExponent);
    auto join = [&](Value x, Value y) { return kb.maxf(x, y); };
    auto add = [&](Value projection, Value top) {
      return join(largestOf(k, kb.load(k.vector(), k.at(k.buffers.projections[side], projection, row))), top);
    };
    if (hasLargest)
      top = k.threads.reduceOverWarps(k.projections, top, add, join);
    k.threads.inFirstWarp([&] { k.store(top, k.buffers.largest, row); });
  });
}

/// Stores the projections u of a side's chunk to its buffer. If `hasLargest`, also stores the maximum of a * u of each
/// row to `largest`. Here a is the factor of u in the exponent of a slot.
static void buildProjections(const ScanKernel &k, const ScanSide &side, bool hasLargest) {
  KernelBuilder &kb = k.kb;
  if (!k.threads.isOne())
    return buildSharedProjections(k, side, hasLargest);
  k.forRows([&](Value row) { k.store(kb.real(k.vector(), lowestExponent), k.buffers.largest, row); });
  forProjections(k, side, [&](const ScanTile &shape, SmallVector<Value> tile) {
    storeTile(k, shape, tile, k.buffers.projections[side], k.pitch());
    for (int64_t c = 0; hasLargest && c < shape.registers; ++c) {
      Value place = shape.columnAt(kb, c), top = k.load(k.buffers.largest, place);
      for (int64_t n = 0; n < shape.rows; ++n)
        top = kb.maxf(largestOf(k, shape.at(tile, n, c)), top);
      k.store(top, k.buffers.largest, place);
    }
  });
}

/// Computes `tops` from `largest` and `halves`: an upper bound of the exponents of each row, in units of log2.
static void buildTops(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  bool dependsOnU =
      llvm::any_of(llvm::seq<int64_t>(0, k.slots), [&](int64_t p) { return factorOfProjection(k, p) != 0; });
  double half = factorOfHalf(k, 0);
  for (int64_t slot = 1; slot < k.slots; ++slot)
    half = std::max(half, factorOfHalf(k, slot));
  k.forRows([&](Value row) {
    Value top = kb.mulf(k.load(k.buffers.halves, row), kb.real(k.vector(), half * M_LOG2E));
    if (dependsOnU)
      top = kb.fma(k.load(k.buffers.largest, row), kb.real(k.vector(), M_LOG2E), top);
    k.store(top, k.buffers.tops, row);
  });
}

/// Computes the running references of the chunk's keys. The reference of a key is the largest exponent (`tops`) of all
/// keys up to this one, also of earlier chunks, rounded up to an integer. Masked keys do not count.
static void buildRunningReferences(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value floor = kb.real(k.real, lowestExponent);
  auto powerOf = [&](Value row) -> Value {
    Value top = math::CeilOp::create(kb.b, kb.loc, k.element(k.buffers.tops, row));
    return kb.select(takesPart(k, k.task.keys, row), kb.maxf(top, floor), floor);
  };
  auto join = [&](Value before, Value top) { return kb.maxf(top, before); };
  k.forPrefixes(k.scalar(xft::ScanReference), powerOf, join,
                [&](Value row, Value power) { kb.store(power, kb.at(k.real, k.buffers.references, row)); });
}

/// Computes the shift of each slot and row, an exponent of 2. It is b h - reference(row) + featureExponent, where h =
/// |x|^2 / 2 and b is the factor of h in the exponent of the slot. The shift of a masked key is so low that its
/// exponentials are 0, because its reference may be far below 0.
static void buildShifts(const ScanKernel &k, const ScanSide &side, function_ref<Value(Value row)> reference) {
  KernelBuilder &kb = k.kb;
  for (int64_t slot = 0; slot < k.slots; ++slot)
    k.forRows([&](Value row) {
      Value half = kb.mulf(k.load(k.buffers.halves, row), kb.real(k.vector(), factorOfHalf(k, slot) * M_LOG2E));
      Value shift = kb.subf(half, reference(row));
      if (k.op.featureExponent != 0)
        shift = kb.addf(shift, kb.real(k.vector(), k.op.featureExponent));
      if (side.isKeys)
        shift = kb.select(maskOf(k, side, row), shift, kb.real(k.vector(), lowestExponent));
      k.store(shift, kb.at(k.real, k.buffers.shifts[side], slot * k.chunk), row);
    });
}

/// Returns the features value(u) 2^(a u + shift) + epsilon of each slot, for a register of projections u. `shifts` has
/// one shift for each slot.
static SmallVector<Value> exponentials(const ScanKernel &k, Value u, ArrayRef<Value> shifts, double epsilon) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> factors(k.slots), features;
  if (!k.op.valueIsOne)
    factors = vectorize(k.op.value->front(), u, k.lanes, kb);
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

/// Computes the features phi = value(u) 2^(a u + shift) + epsilon of a side's chunk from its projections u and shifts.
/// Masked keys get 0. Loads each u before storing its features, because u may lie in the memory of the first slot of
/// phi.
static void buildExponentials(const ScanKernel &k, const ScanSide &side, double epsilon) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    Value mask = side.isKeys && epsilon != 0 ? maskOf(k, side, row) : Value(); // else shifts make them 0
    SmallVector<Value> shifts;
    for (int64_t slot = 0; slot < k.slots; ++slot)
      shifts.push_back(k.load(kb.at(k.real, k.buffers.shifts[side], slot * k.chunk), row));
    auto build = [&](Value projection, int64_t count) {
      SmallVector<SmallVector<Value>> slots(k.slots);
      for (int64_t n = 0; n < count; ++n) {
        Value u = kb.load(k.vector(), k.at(k.buffers.projections[side], kb.add(projection, n), row));
        for (auto [slot, phi] : llvm::enumerate(exponentials(k, u, shifts, epsilon)))
          slots[slot].push_back(mask ? kb.select(mask, phi, k.zero()) : phi);
      }
      for (int64_t slot = 0; slot < k.slots; ++slot)
        storeFeatures(k, side, slot, {{count, 1}, k.lanes, projection, row}, slots[slot]);
    };
    if (k.roundsFeatures())
      return forTiles(kb, k.projections, k.featureTerms, kb.integer(0), build);
    k.threads.overWarps(k.projections, 1, [&](Value projection) { build(projection, 1); });
  });
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

static void joinLargest(const ScanKernel &k) {
  k.setScalar(xft::ScanLargest, k.kb.maxf(largestOfKeys(k), k.scalar(xft::ScanLargest)));
}

void kernel::buildLargest(const ScanKernel &k) {
  buildProjections(k, k.task.keys, /*hasLargest=*/true);
  joinLargest(k);
}

void kernel::buildKeyFeatures(const ScanKernel &k, KeyScaling scaling) {
  KernelBuilder &kb = k.kb;
  if (!k.hasExponents())
    return buildPlainFeatures(k, k.task.keys);
  buildHalves(k, k.task.keys);
  bool running = scaling == KeyScaling::Running, asksMaximum = k.hasMaximum && !running;
  buildProjections(k, k.task.keys, /*hasLargest=*/running || asksMaximum);
  if (asksMaximum)
    findMaximum(k);
  if (running && k.op.stabilizer == Stabilizer::k_sequence)
    joinLargest(k);
  if (running) {
    buildTops(k);
    buildRunningReferences(k);
  }
  Value shift = scaling == KeyScaling::Direct ? kb.broadcast(k.scalar(xft::ScanShift), k.lanes) : Value();
  buildShifts(k, k.task.keys, [&](Value row) { return shift ? shift : k.load(k.buffers.references, row); });
  buildExponentials(k, k.task.keys,
                    running ? 0 : k.op.epsilon); // with running references, epsilon is added after all keys
}

void kernel::buildQueryFeatures(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.hasExponents())
    return buildPlainFeatures(k, k.task.queries);
  bool running = k.op.stabilizer == Stabilizer::k_running, isScaled = k.op.stabilizer != Stabilizer::k_none;
  buildHalves(k, k.task.queries);
  buildProjections(k, k.task.queries, /*hasLargest=*/isScaled);
  if (running)
    buildTops(k);
  buildShifts(k, k.task.queries, [&](Value row) {
    if (running)
      return k.load(k.buffers.tops, row);
    return isScaled ? kb.mulf(k.load(k.buffers.largest, row), kb.real(k.vector(), M_LOG2E)) : k.zero();
  });
  buildExponentials(k, k.task.queries, k.op.epsilon);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void kernel::finishFeatureGradients(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                                    ValueRange tile) {
  KernelBuilder &kb = k.kb;
  double a = k.hasExponents() ? factorOfProjection(k, slot) : 0, half = k.hasExponents() ? factorOfHalf(k, slot) : 0;
  bool usesParts = !k.threads.isOne() && k.hasHalves;
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = shape.columnAt(kb, c), dHalf = half == 0 || usesParts ? Value() : k.load(k.d->halves, place);
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value index = kb.add(kb.mul(shape.rowAt(kb, n), k.pitch()), place), d = shape.at(tile, n, c), du;
      if (usesParts)
        dHalf = slot == 0 ? k.zero() : k.load(k.d->halfParts, index);
      Value u = k.load(k.buffers.projections[side], index);
      if (!k.hasExponents()) {
        du = kb.mulf(d, vectorize(k.op.slope->front(), u, k.lanes, kb)[slot]);
      } else if (k.op.valueIsOne) {
        Value e = k.load(slotOf(k, k.buffers.features[side], slot), index);
        if (k.op.epsilon != 0) // phi - epsilon has few correct digits if epsilon is larger
          e = kb.exp2(exponentOf(k, slot, u, k.load(kb.at(k.real, k.buffers.shifts[side], slot * k.chunk), place)));
        Value change = kb.mulf(d, e);
        du = a == 1 ? change : kb.mulf(change, kb.real(k.vector(), a));
        if (dHalf)
          dHalf = kb.fma(change, kb.real(k.vector(), half), dHalf);
      } else {
        Value shift = k.load(kb.at(k.real, k.buffers.shifts[side], slot * k.chunk), place);
        Value change = kb.mulf(d, kb.exp2(exponentOf(k, slot, u, shift)));
        Value g = kb.mulf(change, vectorize(k.op.value->front(), u, k.lanes, kb)[slot]);
        du = kb.mulf(change, vectorize(k.op.slope->front(), u, k.lanes, kb)[slot]);
        if (a != 0)
          du = kb.fma(g, kb.real(k.vector(), a), du);
        if (dHalf)
          dHalf = kb.fma(g, kb.real(k.vector(), half), dHalf);
      }
      if (slot > 0)
        du = kb.addf(du, k.load(k.d->projections, index));
      k.store(du, k.d->projections, index);
      if (usesParts)
        k.store(dHalf, k.d->halfParts, index);
    }
    if (dHalf && !usesParts)
      k.store(dHalf, k.d->halves, place);
  }
}

void kernel::addParts(const ScanKernel &k, Value parts, Value sums) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    auto add = [&](Value projection, Value sum) {
      return kb.addf(sum, kb.load(k.vector(), k.at(parts, projection, k.pitch(), row)));
    };
    Value sum = k.threads.sumOverWarps(k.projections, k.zero(), add);
    k.threads.inFirstWarp([&] { k.store(kb.addf(k.load(sums, row), sum), sums, row); });
  });
}

/// Transposes the gradients of projections: outputs[row][d] = d.projections[d][row].
static void transposeProjections(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    auto transpose = [&](Value d) {
      SmallVector<Value> square;
      for (int64_t n = 0; n < k.lanes; ++n)
        square.push_back(kb.load(k.vector(), k.at(k.d->projections, kb.add(d, n), row)));
      for (auto [n, lane] : llvm::enumerate(transposeRegisters(kb, square)))
        kb.store(lane, k.at(k.buffers.outputs, kb.add(row, n), k.columns(), d));
    };
    k.threads.overWarps(k.columns(), k.lanes, transpose);
  });
}

void kernel::storeInputGradients(const ScanKernel &k, const ScanSide &side, const View &target) {
  KernelBuilder &kb = k.kb;
  Value scale = kb.real(k.vector(), k.op.inputScale);
  /// Computes a tile of d_x = input_scale (W^T d_u + d_h x), where h = |x|^2 / 2.
  auto finish = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value one = shape.rowAt(kb, n), dHalf = k.hasHalves ? k.splat(k.d->halves, one) : Value();
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.add(kb.mul(one, k.columns()), shape.columnAt(kb, c)), d = shape.at(tile, n, c);
        if (dHalf)
          d = kb.fma(dHalf, loadInput(k, side, one, shape.columnAt(kb, c)), d);
        k.store(k.op.inputScale == 1 ? d : kb.mulf(d, scale), k.buffers.outputs, place);
      }
    }
  };
  if (k.inputTerms != 1)
    roundProjectionGradients(k);
  if (k.operands.weights) {
    ScanProduct product{k.chunk,
                        k.columns(),
                        k.projections,
                        {k.d->projections, 1, k.pitch()},
                        {k.operands.weights, 1, k.operands.weightStride},
                        true};
    buildProduct(k, k.inputTerms == 1 ? product : productOfProjectionGradients(k), finish);
  } else {
    transposeProjections(k);
    k.forLines([&](Value row) {
      k.threads.overLanes(k.columns(), k.lanes, [&](Value column) {
        finish({{1, 1}, k.lanes, row, column},
               {kb.load(k.vector(), k.at(k.buffers.outputs, row, k.columns(), column))});
      });
    });
  }
  storeRows(k, side, k.buffers.outputs, {target, side.head, k.depth}, /*adds=*/side.isKeys && target.element == k.real);
  if (!k.task.dWeights)
    return;
  ScanProduct product{
      k.projections, k.columns(), k.chunk, {k.d->projections, k.pitch(), 1}, {k.buffers.rows[side], 1, k.columns()}};
  if (k.inputTerms != 1)
    product = productOfInputs(k, side);
  buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
    Value to = k.at(k.task.dWeights, shape.row, k.columns(), shape.column),
          rowScale = kb.real(k.vector(), k.op.rowScale);
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.at(k.real, to, n * k.columns() + c * shape.step), before = kb.load(k.vector(), place);
        Value d = shape.at(tile, n, c);
        kb.store(k.op.rowScale == 1 ? kb.addf(before, d) : kb.fma(d, rowScale, before), place);
      }
  });
}
