//===- ScanSums.cpp - Pairs of a chunk, normalisers, states ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the weights of a chunk's pairs, its normalisers, and the update of a state. The rows of a chunk are summed
// before they are added to the state. A long sequence is then a sum of sums, with smaller rounding errors.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanRounding.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Value kernel::isAtOrAfter(const ScanKernel &k, Value column, Value row) {
  KernelBuilder &kb = k.kb;
  Value distance = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), kb.sub(row, column));
  return kb.compare(arith::CmpIPredicate::sge, kb.iota(k.lanes), kb.broadcast(distance, k.lanes));
}

Value kernel::relatePair(const ScanKernel &k, Value w, Value key, Value own) {
  return own ? k.kb.mulf(w, k.kb.exp2(k.kb.subf(k.splat(k.buffers.references, key), own))) : w;
}

Value kernel::decayPair(const ScanKernel &k, Value w, Value key, Value column) {
  KernelBuilder &kb = k.kb;
  if (k.hasDecay)
    w = kb.mulf(w, k.load(k.buffers.decays.behind, kb.add(kb.mul(key, k.pitch()), column)));
  return kb.select(isAtOrAfter(k, column, key), w, k.zero());
}

void kernel::buildPairs(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  bool sumsLater = !k.threads.isOne();
  auto addPair = [&](Value w, Value key, Value place, Value sum) -> Value {
    if (!k.hasBeta)
      return kb.addf(sum, w);
    // An update after the row may be NaN.
    return kb.fma(w, kb.select(isAtOrAfter(k, place, key), k.splat(k.buffers.updates.normaliserUpdates, key), k.zero()),
                  sum);
  };
  k.clear(k.buffers.norms, k.chunk);
  ScanProduct product{k.chunk,
                      k.chunk,
                      k.features(),
                      {k.buffers.features.keys, 1, k.pitch(), k.threads.roundsFactors()},
                      {k.buffers.features.queries, 1, k.pitch(), k.threads.roundsFactors()}};
  if (k.roundsFeatures())
    product = productOfFeatures(k, k.task.keys, k.buffers.rounded.operands.queries, k.chunk, k.chunk);
  product.isUpper = true;
  auto finish = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value place = shape.columnAt(kb, c), sum = sumsLater ? Value() : k.load(k.buffers.norms, place);
      Value own = k.runs() ? k.load(k.buffers.references, place) : Value();
      for (int64_t n = 0; n < shape.rows; ++n) {
        Value key = shape.rowAt(kb, n), pair = kb.add(kb.mul(key, k.pitch()), place);
        Value w = relatePair(k, shape.at(tile, n, c), key, own);
        if (k.operands.dDecay)
          k.store(w, k.d->decayPairs, pair);
        w = k.threads.rounded(decayPair(k, w, key, place));
        if (!sumsLater)
          sum = addPair(w, key, place, sum);
        k.store(w, k.buffers.pairs, pair);
      }
      if (!sumsLater)
        k.store(sum, k.buffers.norms, place);
    }
  };
  buildProduct(k, product, finish);
  if (!sumsLater)
    return;
  k.forRowsOfWarps([&](Value row) {
    auto add = [&](Value key, Value sum) {
      return addPair(k.load(k.buffers.pairs, kb.add(kb.mul(key, k.pitch()), row)), key, row, sum);
    };
    Value sum = k.threads.sumOverWarps(k.chunk, k.zero(), add);
    k.threads.inFirstWarp([&] { k.store(sum, k.buffers.norms, row); });
  });
}

//===----------------------------------------------------------------------===//
// Normalisers
//===----------------------------------------------------------------------===//

/// Returns the values of `norms` for the register of queries at `row`. The outputs of these queries are multiplied by
/// them. `sum` is the sum Z of the queries' weights.
static Value reciprocal(const ScanKernel &k, Value sum, Value row) {
  KernelBuilder &kb = k.kb;
  Value count;
  if (k.countsKeys())
    count = k.op.isOrdered ? k.load(k.buffers.counts, row) : kb.broadcast(k.scalar(xft::ScanCount), k.lanes);
  Value factor = kb.real(k.vector(), k.op.weight);
  if (k.op.normalizer == Normalizer::k_count)
    factor = kb.divf(factor, count);
  if (k.op.normalizer == Normalizer::k_sum) {
    Value divisor = k.op.guard == 0 ? sum : kb.addf(sum, kb.real(k.vector(), k.op.guard / k.op.weight));
    factor = kb.divf(kb.real(k.vector(), 1), divisor);
  }
  if (!count)
    return factor;
  Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, count, k.zero());
  return kb.select(isEmpty, k.zero(), factor);
}

void kernel::forNormaliserSums(const ScanKernel &k, const ScanSide &side, Value normaliser,
                               function_ref<void(Value row, Value sum)> finish) {
  KernelBuilder &kb = k.kb;
  if (k.roundsFeatures())
    return forRoundedNormaliserSums(k, normaliser, finish);
  if (!k.threads.isOne())
    return k.forRowsOfWarps([&](Value row) {
      auto add = [&](Value feature, Value sum) {
        Value phi = kb.load(k.vector(), k.at(k.buffers.features[side], feature, row));
        return kb.fma(k.splat(normaliser, feature), phi, sum);
      };
      Value sum = k.threads.sumOverWarps(k.features(), k.zero(), add);
      k.threads.inFirstWarp([&] { finish(row, sum); });
    });
  int64_t registers = k.chunk / k.lanes, parts = std::max<int64_t>(1, 8 / registers);
  auto add = [&](int64_t features) {
    return [&, features](Value first, ValueRange sums) {
      SmallVector<Value> next(sums);
      for (int64_t n = 0; n < features; ++n) {
        Value feature = kb.add(first, n), z = k.splat(normaliser, feature);
        Value line = k.at(k.buffers.features[side], feature, k.pitch());
        for (int64_t c = 0; c < registers; ++c) {
          Value &sum = next[n * registers + c];
          sum = kb.fma(z, kb.load(k.vector(), kb.at(k.real, line, c * k.lanes)), sum);
        }
      }
      return next;
    };
  };
  Value whole = kb.integer(llvm::alignDown(k.features(), parts));
  SmallVector<Value> sums(parts * registers, k.zero());
  sums = kb.loop(kb.integer(0), whole, parts, sums, add(parts));
  sums = kb.loop(whole, kb.integer(k.features()), 1, sums, add(1));
  for (int64_t c = 0; c < registers; ++c) {
    Value sum = sums[c];
    for (int64_t n = 1; n < parts; ++n)
      sum = kb.addf(sum, sums[n * registers + c]);
    finish(kb.integer(c * k.lanes), sum);
  }
}

void kernel::buildNorms(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto finish = [&](Value row, Value sum) {
    if (k.scalesStates()) {
      Value reference = kb.broadcast(k.scalar(xft::ScanReference), k.lanes);
      Value factor = stateFactor(k, k.runs(), reference, k.load(k.buffers.references, row),
                                 k.hasDecay ? k.load(k.buffers.decays.before, row) : Value());
      k.store(factor, k.buffers.factors, row);
      sum = kb.mulf(sum, factor);
    }
    if (k.op.isOrdered)
      sum = kb.addf(sum, k.load(k.buffers.norms, row));
    k.store(reciprocal(k, sum, row), k.buffers.norms, row);
  };
  if (k.op.normalizer == Normalizer::k_sum)
    return forNormaliserSums(k, k.task.queries, k.task.state.normaliser, finish);
  k.forRows([&](Value row) { finish(row, k.zero()); });
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

void kernel::clearState(const ScanKernel &k, const ScanState &state) {
  k.clear(state.matrix, k.features() * state.pitch);
  k.clear(state.normaliser, k.features());
}

/// Adds `added` to the vector of a state, the normaliser z, as addToState does.
static void addToNormaliser(const ScanKernel &k, const ScanState &state, const ScanState &next,
                            const ScanAddends &added, Value decay) {
  KernelBuilder &kb = k.kb;
  const auto &[side, rows, amounts] = added;
  auto add = [&](Value feature, Value row, Value sum) {
    Value phi = kb.load(k.vector(), k.at(k.buffers.features[side], feature, row));
    return amounts ? kb.fma(phi, k.load(amounts, row), sum) : kb.addf(sum, phi);
  };
  auto store = [&](Value feature, Value added) {
    if (state.normaliser) {
      Value before = k.element(state.normaliser, feature);
      added = decay ? kb.fma(before, decay, added) : kb.addf(before, added);
    }
    kb.store(added, kb.at(k.real, next.normaliser, feature));
  };
  if (!k.threads.isOne() && k.features() % k.threads.perWarp() == 0) { // lanes share features, warps rows
    k.threads.overLanes(k.features(), 1, [&](Value feature) {
      auto addRow = [&](Value row, Value sum) { return add(feature, row, sum); };
      Value sum = k.threads.sumOverWarps(k.chunk, k.zero(), addRow);
      k.threads.inFirstWarp([&] { store(feature, kb.reduceAdd(sum)); });
    });
    return k.threads.synchronize();
  }
  k.threads.overWarps(k.features(), 1, [&](Value feature) {
    auto addRow = [&](Value row, Value sum) { return add(feature, row, sum); };
    Value sum =
        k.roundsFeatures() ? sumRoundedKeys(k, feature) : k.threads.sumOverLanes(k.chunk, k.lanes, k.zero(), addRow);
    k.threads.inFirstLane([&] { store(feature, k.roundsFeatures() ? sum : kb.reduceAdd(sum)); });
  });
  k.threads.synchronize();
}

void kernel::addToState(const ScanKernel &k, const ScanState &state, const ScanState &next, const ScanAddends &added,
                        Value decay) {
  KernelBuilder &kb = k.kb;
  const auto &[side, rows, amounts] = added;
  Value decays = decay ? kb.broadcast(decay, k.lanes) : Value();
  bool isExact = rows == k.buffers.values && !k.hasBeta && k.op.hasShortInputs;
  ScanProduct product{k.features(),
                      k.valueColumns(),
                      k.chunk,
                      {k.buffers.features[side], k.pitch(), 1, k.threads.roundsFactors()},
                      {rows, 1, k.valuePitch(), isExact}};
  if (k.roundsFeatures()) {
    product.left.pointer = k.buffers.rounded.keys;
    product.right.pointer = k.buffers.rounded.values;
    product.form = k.featureForm();
  }
  if (!k.operands.weights)
    product.prefetched = &side;
  buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
    Value to = k.at(next.matrix, shape.row, next.pitch, shape.column);
    Value from = state.matrix ? k.at(state.matrix, shape.row, state.pitch, shape.column) : Value();
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c) {
        int64_t place = n * next.pitch + c * shape.step;
        Value sum = shape.at(tile, n, c);
        if (from) {
          Value before = kb.load(k.vector(), kb.at(k.real, from, n * state.pitch + c * shape.step));
          sum = decays ? kb.fma(before, decays, sum) : kb.addf(before, sum);
        }
        kb.store(sum, kb.at(k.real, to, place));
        if (next.ahead && k.threads.isOne())
          kb.prefetch(kb.at(k.real, k.at(next.ahead, shape.row, k.valueColumns(), shape.column), place));
      }
  });
  if (k.op.normalizer == Normalizer::k_sum)
    addToNormaliser(k, state, next, added, decay);
  else if (!state.matrix)
    k.clear(next.normaliser, k.features());
}

Value kernel::scaled(const ScanKernel &k, Value x, Value factor) { return factor ? k.kb.mulf(x, factor) : x; }

Value kernel::stateFactor(const ScanKernel &k, bool runs, Value from, Value to, Value decay) {
  return runs ? scaled(k, k.kb.exp2(k.kb.subf(from, to)), decay) : decay;
}

void kernel::scaleFeatures(const ScanKernel &k, const ScanSide &side, function_ref<Value(Value)> factor) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    Value factors = factor(row);
    k.threads.overWarps(k.features(), 1, [&](Value feature) {
      Value place = k.at(k.buffers.features[side], feature, row);
      kb.store(k.threads.rounded(kb.mulf(kb.load(k.vector(), place), factors)), place);
    });
  });
}

/// Adds the chunk's rows of V to valueSums. Epsilon times these sums is later added to each row of the state's matrix,
/// because each feature has the term epsilon.
static void addValueSums(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.threads.overThreads(k.valueColumns(), k.lanes, [&](Value column) {
    Value sum = kb.loop(kb.integer(0), kb.integer(k.chunk), 1, k.zero(), [&](Value row, ValueRange sum) {
      return SmallVector<Value>{
          kb.addf(sum[0], kb.load(k.vector(), k.at(k.buffers.values, row, k.valuePitch(), column)))};
    })[0];
    k.store(kb.addf(k.load(k.buffers.valueSums, column), sum), k.buffers.valueSums, column);
  });
  k.threads.synchronize();
}

bool kernel::isFinishedLater(const ScanKernel &k) {
  return k.hasExponents() && k.op.stabilizer == Stabilizer::k_sequence &&
         (!k.op.isOrdered || k.phase == xft::ScanPhase::keys || k.phase == xft::ScanPhase::join);
}

void kernel::addKeys(const ScanKernel &k, const ScanState &next, bool runs) {
  KernelBuilder &kb = k.kb;
  Value decay, last = kb.integer(k.chunk - 1);
  if (runs || k.hasDecay) {
    Value end = k.element(k.buffers.references, last), before = k.scalar(xft::ScanReference),
          ends = kb.broadcast(end, k.lanes);
    decay = stateFactor(k, runs, before, end, k.hasDecay ? k.element(k.buffers.decays.before, last) : Value());
    auto scale = [&] {
      auto factor = [&](Value row) {
        Value behind = k.hasDecay ? k.load(k.buffers.decays.between, kb.add(row, (k.chunk - 1) * k.pitch())) : Value();
        return stateFactor(k, runs, k.load(k.buffers.references, row), ends, behind);
      };
      k.roundsFeatures() ? scaleRoundedKeys(k, factor) : scaleFeatures(k, k.task.keys, factor);
    };
    if (k.hasDecay)
      scale();
    else // references only grow: most chunks keep one
      kb.ifThen(arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, before, end), scale);
    if (runs)
      k.setScalar(xft::ScanReference, end);
  }
  addToState(k, k.task.state, next,
             {k.task.keys, k.buffers.values, k.hasBeta ? k.buffers.updates.normaliserUpdates : Value()}, decay);
  if (isFinishedLater(k) && k.op.epsilon != 0)
    addValueSums(k);
}

static Value scalarOf(KernelBuilder &kb, Value x) {
  return vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0});
}

void kernel::finishKeys(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.hasExponents() || k.op.isOrdered)
    return;
  if (k.op.stabilizer == Stabilizer::k_running) // relative to one reference, which cancels
    return k.setScalar(xft::ScanShift, k.scalar(xft::ScanReference));
  if (!isFinishedLater(k))
    return;
  Value shift = kb.mulf(k.scalar(xft::ScanLargest), kb.real(k.real, M_LOG2E));
  k.setScalar(xft::ScanShift, shift);
  Value factor = kb.broadcast(kb.exp2(kb.subf(k.scalar(xft::ScanReference), shift)), k.lanes);
  Value epsilon = kb.real(k.vector(), k.op.epsilon);
  k.threads.overWarps(k.features(), 1, [&](Value feature) {
    k.threads.overLanes(k.valueColumns(), k.lanes, [&](Value column) {
      Value place = k.at(k.task.state.matrix, feature, k.task.state.pitch, column), sum = kb.load(k.vector(), place);
      Value added = k.op.epsilon == 0 ? k.zero() : kb.mulf(k.load(k.buffers.valueSums, column), epsilon);
      kb.store(kb.fma(sum, factor, added), place);
    });
    k.threads.inFirstLane([&] {
      Value place = kb.at(k.real, k.task.state.normaliser, feature), first = scalarOf(kb, factor);
      Value z = kb.mulf(kb.load(k.real, place), first);
      kb.store(kb.fma(k.scalar(xft::ScanCount), kb.real(k.real, k.op.epsilon), z), place);
    });
  });
  k.threads.synchronize();
}

//===----------------------------------------------------------------------===//
// Kept states
//===----------------------------------------------------------------------===//

ScanState kernel::keptIn(const ScanKernel &k, const View &view, Value number) {
  Value matrix = view.at(k.kb, {k.task.b, k.task.h, number});
  return {matrix, k.kb.at(k.real, matrix, k.features() * k.valueColumns()), k.valueColumns()};
}
ScanState kernel::keptState(const ScanKernel &k, Value number) { return keptIn(k, *k.operands.keptState, number); }

Value kernel::keptScalars(const ScanKernel &k, const ScanState &state) {
  return k.kb.at(k.real, state.normaliser, k.features());
}
Value kernel::keptSliceScalars(const ScanKernel &k, const ScanState &state) {
  return k.kb.at(k.real, keptScalars(k, state), xft::ScanScalarCount);
}
Value kernel::keptValueSums(const ScanKernel &k, const ScanState &state) {
  return k.kb.at(k.real, keptSliceScalars(k, state), xft::ScanScalarCount);
}

void kernel::copyElements(const ScanKernel &k, Value from, Value to, int64_t count) {
  KernelBuilder &kb = k.kb;
  auto copyPart = [&](Value n, Type type) { kb.store(kb.load(type, kb.at(k.real, from, n)), kb.at(k.real, to, n)); };
  if (k.threads.isOne())
    return forEachRegister(kb, k.real, count, copyPart);
  k.threads.overThreads(count, 1, [&](Value n) { copyPart(n, k.real); });
  k.threads.synchronize();
}

void kernel::copyState(const ScanKernel &k, const ScanState &from, const ScanState &to) {
  KernelBuilder &kb = k.kb;
  if (from.pitch == to.pitch) {
    copyElements(k, from.matrix, to.matrix, k.features() * k.valueColumns());
  } else { // state of a block of threads
    k.threads.overThreads(k.features() * k.valueColumns(), 1, [&](Value n) {
      Value feature = kb.floorDiv(n, k.valueColumns()), column = kb.floorMod(n, k.valueColumns());
      kb.store(kb.load(k.real, k.at(from.matrix, feature, from.pitch, column)),
               k.at(to.matrix, feature, to.pitch, column));
    });
  }
  copyElements(k, from.normaliser, to.normaliser, k.features());
}

void kernel::keepScalars(const ScanKernel &k, const ScanState &state) {
  copyElements(k, k.buffers.scalars, keptScalars(k, state), xft::ScanScalarCount);
}

void kernel::recallState(ScanKernel &k, Value number) {
  k.task.state = keptState(k, number);
  copyElements(k, keptScalars(k, k.task.state), k.buffers.scalars, xft::ScanScalarCount);
}
