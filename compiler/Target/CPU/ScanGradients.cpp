//===- ScanGradients.cpp - Gradients of one chunk of a scan ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of a chunk are [key][query] for what queries receive and [query][key] for what keys do, so that register tiles
// of both read them as o's tiles do.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/FiniteValues.h"
#include "compiler/Target/CPU/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

Value cpu::takesPart(ScanKernel &k, const ScanSide &side, Value row) {
  KernelBuilder &kb = k.kb;
  return kb.compare(arith::CmpIPredicate::ne, kb.load(k.integer, kb.at(k.integer, side.mask, row)),
                    kb.integerOf(k.integer, 0));
}

/// body(row of the chunk, row of q) for the queries of the chunk.
static void forQueries(ScanKernel &k, function_ref<void(Value row, Value index)> body) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value row) {
    kb.ifThen(takesPart(k, k.queries, row), [&] { body(row, kb.add(k.queries.first, row)); });
  });
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

static void storeNorms(ScanKernel &k) {
  forQueries(k, [&](Value row, Value index) {
    k.kb.store(k.kb.load(k.real, k.kb.at(k.real, k.norms, row)), k.normView.at(k.kb, {k.b, k.h, index}));
  });
}

static void recallNorms(ScanKernel &k) {
  k.clear(k.norms, k.chunk);
  forQueries(k, [&](Value row, Value index) {
    k.kb.store(k.kb.load(k.real, k.normView.at(k.kb, {k.b, k.h, index})), k.kb.at(k.real, k.norms, row));
  });
}

/// dN and dZ of the chunk, from the norms.
static void buildCotangents(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  loadRows(k, k.queries, k.dOut, k.h, k.cotangents, k.valueDepth, 1, k.norms);
  k.clear(k.dNorms, k.chunk);
  if (k.normalizer != Normalizer::k_sum)
    return;
  forQueries(k, [&](Value row, Value index) {
    Value delta = kb.load(k.real, k.delta.at(kb, {k.b, k.h, index})),
          norm = kb.load(k.real, kb.at(k.real, k.norms, row));
    kb.store(kb.subf(kb.real(k.real, 0), kb.mulf(delta, norm)), kb.at(k.real, k.dNorms, row));
  });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// dw [key][query] of the chunk's pairs.
static void buildPairGradients(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk, k.chunk, k.valueDepth, {k.values, k.valueColumns, 1}, {k.cotangentChannels, 1, k.chunk}};
  auto finish = [&](RegisterTile shape, SmallVector<Value> tile, Value row, Value column) {
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value place = kb.add(column, c * k.lanes), dNorm = k.load(k.dNorms, place);
      Value own = k.runs() ? k.load(k.references, place) : Value();
      for (int64_t n = 0; n < shape.rows; ++n) {
        Value key = kb.add(row, n), dw = shape.at(tile, n, c);
        dw = k.hasBeta ? kb.fma(dNorm, k.splat(k.massUpdates, key), dw) : kb.addf(dw, dNorm);
        k.store(weighPair(k, dw, key, place, own), k.dPairs, kb.add(kb.mul(key, k.chunk), place));
      }
    }
  };
  buildProduct(k, product, finish, [&](Value row) { return kb.mul(kb.floorDiv(row, k.width()), k.width()); });
}

/// Adds the pairs with the other side's chunk, of which dPairs has zeros where a row does not see a key.
static SmallVector<Value> addPairGradients(ScanKernel &k, RegisterTile shape, ValueRange tile, bool isKeys,
                                           const ScanOperand &features, Value row, Value column, Value isFinite) {
  KernelBuilder &kb = k.kb;
  ScanOperand pairs{k.dPairs, 1, k.chunk};
  Value behind = kb.min(kb.add(column, shape.registers * k.lanes), kb.integer(k.chunk));
  if (isKeys) { // seen by the queries at and behind them
    Value start = kb.select(isFinite, column, behind);
    SmallVector<Value> sums =
        addVisibleTerms(k, shape, tile, features, pairs, row, column, column, start, /*ahead=*/false);
    return addTerms(k, shape, sums, features, pairs, row, column, start, kb.integer(k.chunk));
  }
  Value end = kb.select(isFinite, behind, column);
  SmallVector<Value> sums = addTerms(k, shape, tile, features, pairs, row, column, kb.integer(0), end);
  return addVisibleTerms(k, shape, sums, features, pairs, row, column, end, behind, /*ahead=*/true);
}

/// Adds <d_phi, phi> of a tile to moments of its rows.
static void addMoments(ScanKernel &k, Value moments, Value features, RegisterTile shape, ValueRange tile, Value row,
                       Value column) {
  KernelBuilder &kb = k.kb;
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = kb.add(column, c * k.lanes), sum = k.load(moments, place);
    for (int64_t n = 0; n < shape.rows; ++n)
      sum = kb.fma(shape.at(tile, n, c), kb.load(k.vector(), k.at(features, kb.add(row, n), k.chunk, place)), sum);
    k.store(sum, moments, place);
  }
}

/// d_phi of a side from a state and, where ordered, the pairs with the other side's chunk; then d_u.
static void buildFeatureGradients(ScanKernel &k, const ScanSide &side, const ScanSide &other, const ScanState &state,
                                  Value channels, Value masses, Value factors) {
  KernelBuilder &kb = k.kb;
  k.clear(k.dHalves, k.chunk);
  if (k.dDecay)
    k.clear(k.moments, k.chunk);
  Value isFinite =
      k.isOrdered ? buildFinite(kb, k.vector(), other.features, kb.integer(k.features()), k.chunk / k.lanes) : Value();
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    Value matrix = kb.at(k.real, state.matrix, slot * k.projections * k.valueColumns);
    Value sums = kb.at(k.real, state.masses, slot * k.projections);
    ScanOperand features{kb.at(k.real, other.features, slot * k.projections * k.chunk), k.chunk, 1};
    ScanProduct product{k.projections, k.chunk, k.valueDepth, {matrix, k.valueColumns, 1}, {channels, 1, k.chunk}};
    buildProduct(k, product, [&](RegisterTile shape, SmallVector<Value> tile, Value row, Value column) {
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value place = kb.add(column, c * k.lanes), factor = factors ? k.load(factors, place) : Value();
        Value mass = masses ? k.load(masses, place) : Value();
        for (int64_t n = 0; n < shape.rows; ++n) {
          Value &d = tile[n * shape.registers + c], sum = k.splat(sums, kb.add(row, n));
          if (k.normalizer == Normalizer::k_sum)
            d = mass ? kb.fma(sum, mass, d) : kb.addf(d, sum);
          if (factor)
            d = kb.mulf(d, factor);
        }
      }
      if (k.isOrdered)
        tile = addPairGradients(k, shape, tile, side.isKeys, features, row, column, isFinite);
      Value own = kb.at(k.real, side.features, slot * k.projections * k.chunk);
      bool hasReads = side.isKeys && k.hasBeta;
      if (hasReads)
        tile = addWrittenGradients(k, shape, tile, slot, row, column);
      if (k.dDecay)
        addMoments(k, k.moments, own, shape, tile, row, column);
      if (hasReads) {
        SmallVector<Value> reads = buildReadGradients(k, shape, slot, row, column);
        if (k.dDecay)
          addMoments(k, k.received, own, shape, reads, row, column);
        for (auto [d, read] : llvm::zip(tile, reads))
          d = kb.addf(d, read);
      }
      finishFeatureGradients(k, side, slot, shape, tile, row, column);
    });
  }
}

void cpu::buildQueryGradients(ScanKernel &k) {
  loadInputs(k, k.queries);
  buildQueryFeatures(k);
  if (k.isOrdered)
    buildPairs(k);
  buildNorms(k);
  if (k.isOrdered && !k.keptState)
    storeNorms(k);
  buildCotangents(k);
  transposeRows(k, k.cotangents, k.cotangentChannels, k.valueColumns);
  if (k.isOrdered)
    buildPairGradients(k);
  buildFeatureGradients(k, k.queries, k.keys, k.state, k.cotangentChannels, k.dNorms,
                        k.scalesStates() ? k.factors : Value());
  storeInputGradients(k, k.queries, k.dQ);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// w or dw [query][key] of the chunk's pairs, from a product of queries with keys.
static void buildReversedPairs(ScanKernel &k, int64_t terms, ScanOperand left, ScanOperand right, Value to,
                               Value addend) {
  KernelBuilder &kb = k.kb;
  auto finish = [&](RegisterTile shape, SmallVector<Value> tile, Value row, Value column) {
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value place = kb.add(column, c * k.lanes), own = k.runs() ? k.load(k.references, place) : Value();
      for (int64_t n = 0; n < shape.rows; ++n) {
        Value query = kb.add(row, n), w = shape.at(tile, n, c);
        if (addend)
          w = kb.addf(w, k.splat(addend, query));
        if (own)
          w = kb.mulf(w, kb.exp2(kb.subf(own, k.splat(k.references, query))));
        Value pair = kb.add(kb.mul(query, k.chunk), place);
        if (k.hasDecay)
          w = kb.mulf(w, k.load(k.decaysBetween, pair));
        w = kb.select(isAtOrAfter(k, place, kb.add(query, 1)), k.zero(), w);
        k.store(w, to, pair);
      }
    }
  };
  buildProduct(k, {k.chunk, k.chunk, terms, left, right, /*columnsOutside=*/true}, finish,
               [&](Value column) { return kb.mul(kb.floorDiv(column, k.tileRows), k.tileRows); });
}

/// outputs = factor phi(k) R + what the chunk's own pairs give: d_v, or d_u of the delta rule.
static void buildValueGradients(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns,
                      k.features(),
                      {k.keys.features, 1, k.chunk},
                      {k.dState.matrix, 1, k.valueColumns},
                      /*columnsOutside=*/true};
  ScanOperand pairs{k.pairs, 1, k.chunk}, cotangents{k.cotangents, 1, k.valueColumns};
  buildProduct(k, product, [&](RegisterTile shape, SmallVector<Value> tile, Value row, Value column) {
    if (k.scalesStates())
      for (int64_t n = 0; n < shape.size(); ++n)
        tile[n] = kb.mulf(tile[n], k.splat(k.factors, kb.add(row, n / shape.registers)));
    if (k.isOrdered) {
      tile = addTriangle(k, shape, tile, pairs, cotangents, row, column, /*isLower=*/false);
      tile = addTerms(k, shape, tile, pairs, cotangents, row, column, kb.add(row, shape.rows), kb.integer(k.chunk));
    }
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(tile, n, c), k.at(k.outputs, kb.add(row, n), k.valueColumns, kb.add(column, c * k.lanes)));
  });
}

/// The factors of what R gives to each key.
static void buildKeyFactors(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.scalesStates())
    return;
  Value last = kb.broadcast(kb.load(k.real, kb.at(k.real, k.references, k.chunk - 1)), k.lanes);
  k.forRows([&](Value row) {
    Value behind = k.hasDecay ? k.load(k.decaysBetween, kb.add(row, (k.chunk - 1) * k.chunk)) : Value();
    k.store(stateFactor(k, k.load(k.references, row), last, behind), k.factors, row);
  });
}

void cpu::buildKeyGradients(ScanKernel &k, function_ref<Value()> pairs, function_ref<Value()> dPairs) {
  transposeRows(k, k.values, k.valueChannels, k.valueColumns);
  buildKeyFactors(k);
  Value ownPairs = k.pairs, ownGradients = k.dPairs, ownOutputs = k.outputs;
  if (k.isOrdered)
    k.pairs = pairs();
  buildValueGradients(k);
  if (k.hasBeta) {
    buildUpdateGradients(k, k.pairs);
    k.outputs = k.bars;
  }
  storeRows(k, k.keys, k.dV, k.valueHead, k.valueDepth, /*adds=*/true);
  k.outputs = ownOutputs;
  k.pairs = ownPairs;
  if (k.isOrdered)
    k.dPairs = dPairs();
  buildFeatureGradients(k, k.keys, k.queries, k.dState, k.valueChannels, k.hasBeta ? k.massUpdates : Value(),
                        k.scalesStates() ? k.factors : Value());
  storeInputGradients(k, k.keys, k.dK);
  k.dPairs = ownGradients;
}

void cpu::buildKeyGradientsAlone(ScanKernel &k) {
  loadInputs(k, k.queries);
  buildQueryFeatures(k);
  recallNorms(k);
  buildCotangents(k);
  auto pairs = [&] {
    buildReversedPairs(k, k.features(), {k.queries.features, 1, k.chunk}, {k.keys.features, 1, k.chunk}, k.pairs,
                       nullptr);
    return k.pairs;
  };
  auto dPairs = [&] {
    buildReversedPairs(k, k.valueDepth, {k.cotangents, k.valueColumns, 1}, {k.valueChannels, 1, k.chunk}, k.dPairs,
                       k.dNorms);
    return k.dPairs;
  };
  buildKeyGradients(k, pairs, dPairs);
}
