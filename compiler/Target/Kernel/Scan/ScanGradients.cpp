//===- ScanGradients.cpp - Gradients of one chunk of a scan ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of a chunk are [key][query] for gradients of queries and [query][key] for gradients of keys, so that the
// register tiles of both read them like the tiles of o.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/FiniteValues.h"
#include "compiler/Target/Kernel/Scan/ScanMaxima.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns whether row `row` of the side's chunk is not masked (i1).
static Value takesPart(ScanKernel &k, const ScanSide &side, Value row) {
  KernelBuilder &kb = k.kb;
  return kb.compare(arith::CmpIPredicate::ne, kb.load(k.integer, kb.at(k.integer, side.mask, row)),
                    kb.integerOf(k.integer, 0));
}

/// Calls body(row of the chunk, row of q) for each query of the chunk that is not masked.
static void forQueries(ScanKernel &k, function_ref<void(Value row, Value index)> body) {
  KernelBuilder &kb = k.kb;
  k.forSingleRows(
      [&](Value row) { kb.ifThen(takesPart(k, k.queries, row), [&] { body(row, kb.add(k.queries.first, row)); }); });
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

/// Loads `cotangents`, the gradients dN of the numerators of the chunk's queries: d_o times norms. Computes dNorms, the
/// gradients dZ of their normalisers.
static void buildCotangents(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  loadRows(k, k.queries, k.dOut, k.h, k.cotangents, k.valueDepth, k.valuePitch(), 1, k.norms);
  k.clear(k.dNorms, k.chunk);
  if (k.normalizer != Normalizer::k_sum)
    return;
  forQueries(k, [&](Value row, Value index) {
    Value delta = kb.load(k.real, k.delta.at(kb, {k.b, k.h, index})),
          norm = kb.load(k.real, kb.at(k.real, k.norms, row));
    kb.store(kb.subf(kb.real(k.real, 0), kb.mulf(delta, norm)), kb.at(k.real, k.dNorms, row));
  });
}

/// Returns rows as the right operand of a product whose terms are their columns: `channels`, their transpose, or
/// `rows` themselves.
static ScanOperand rightRows(ScanKernel &k, Value rows, Value channels, bool isExact = false) {
  if (k.sharesTiles())
    return {rows, k.valuePitch(), 1, isExact};
  return {channels, 1, k.pitch(), isExact};
}

/// Transposes the rows of a chunk for rightRows.
static void turnRows(ScanKernel &k, Value rows, Value channels) {
  if (!k.sharesTiles())
    transposeRows(k, rows, channels, k.valueColumns, k.valuePitch());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Computes dPairs, the gradients dw of the weights of the chunk's pairs, as [key][query]. If gradients of decays are
/// wanted, also multiplies decayPairs by dw.
static void buildPairGradients(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanOperand values{k.values, k.valuePitch(), 1, k.hasShortInputs};
  ScanProduct product{k.chunk, k.chunk, k.valueDepth, values, rightRows(k, k.cotangents, k.cotangentChannels)};
  product.isUpper = true;
  auto finish = [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value place = kb.add(column, c * shape.step), dNorm = k.load(k.dNorms, place);
      Value own = k.runs() ? k.load(k.references, place) : Value();
      for (int64_t n = 0; n < shape.rows; ++n) {
        Value key = kb.add(row, n), pair = kb.add(kb.mul(key, k.pitch()), place), dw = shape.at(tile, n, c);
        dw = k.hasBeta ? kb.fma(dNorm, k.splat(k.massUpdates, key), dw) : kb.addf(dw, dNorm);
        if (k.dDecay) {
          Value product = kb.mulf(dw, k.load(k.decayPairs, pair));
          k.store(kb.select(maskOf(k, k.queries, place), product, k.zero()), k.decayPairs, pair);
        }
        k.store(decayPair(k, relatePair(k, dw, key, own), key, place), k.dPairs, pair);
      }
    }
  };
  buildProduct(k, product, finish);
}

/// Adds the terms [lower, upper) of a product to `count` registers of each row of a tile, from register `first` on.
static void addToRegisters(ScanKernel &k, ScanTile shape, MutableArrayRef<Value> tile, int64_t first, int64_t count,
                           const ScanOperand &left, const ScanOperand &right, Value row, Value column, Value lower,
                           Value upper) {
  ScanTile part{{shape.rows, count}, shape.step};
  auto place = [&](int64_t n, int64_t c) -> Value & { return tile[n * shape.registers + first + c]; };
  SmallVector<Value> sums =
      addTerms(k, part, part.fill(place), left, right, row, k.kb.add(column, first * k.lanes), lower, upper);
  for (int64_t n = 0; n < part.rows; ++n)
    for (int64_t c = 0; c < count; ++c)
      place(n, c) = part.at(sums, n, c);
}

/// Adds the terms of the pairs with the other side's chunk to a tile of d_phi, whose columns are rows of the side's
/// chunk. For a term and a register of columns, dPairs is 0 for columns that form no visible pair with the term. It is
/// undefined if no column of the register forms one, so such registers are skipped. `isFinite` (i1) is whether the
/// features of the other side are finite, so that terms with a 0 of dPairs add 0.
static SmallVector<Value> addPairGradients(ScanKernel &k, ScanTile shape, ValueRange tile, bool isKeys,
                                           const ScanOperand &features, Value row, Value column, Value isFinite) {
  KernelBuilder &kb = k.kb;
  bool isTurned = isKeys && k.sharesTiles(); // [key][query], read the other way
  ScanOperand pairs{k.dPairs, isTurned ? k.pitch() : 1, isTurned ? 1 : k.pitch()};
  if (k.sharesTiles()) {
    Value start = isKeys ? shape.firstColumn : kb.integer(0);
    Value end = isKeys ? kb.integer(k.chunk) : kb.add(shape.firstColumn, WarpTile::across * shape.registers);
    auto isSeen = [&](Value column, Value term) {
      return kb.compare(isKeys ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, term, column);
    };
    return addSeenTerms(k, shape, tile, features, pairs, row, column, start, end, isFinite, /*ofRows=*/false, isSeen);
  }
  if (!k.threads.isOne())
    return addVisibleTerms(k, shape, tile, features, pairs, row, column, isKeys ? column : kb.integer(0),
                           kb.integer(k.chunk), /*ahead=*/!isKeys);
  SmallVector<Value> sums(tile);
  int64_t last = shape.registers - 1;
  auto placeOf = [&](int64_t n) { return kb.add(column, n * k.lanes); };
  Value behind = placeOf(shape.registers);
  if (isKeys) { // keys are seen by the queries at and after them
    Value start = kb.select(isFinite, column, behind);
    sums = addVisibleTerms(k, shape, sums, features, pairs, row, column, column, start, /*ahead=*/false);
    for (int64_t n = 0; n < last; ++n)
      addToRegisters(k, shape, sums, 0, n + 1, features, pairs, row, column, kb.max(placeOf(n), start), placeOf(n + 1));
    return addTerms(k, shape, sums, features, pairs, row, column, kb.max(placeOf(last), start), kb.integer(k.chunk));
  }
  Value end = kb.select(isFinite, behind, column);
  sums = addTerms(k, shape, sums, features, pairs, row, column, kb.integer(0), kb.min(placeOf(1), end));
  for (int64_t n = 1; n <= last; ++n)
    addToRegisters(k, shape, sums, n, shape.registers - n, features, pairs, row, column, placeOf(n),
                   kb.min(placeOf(n + 1), end));
  return addVisibleTerms(k, shape, sums, features, pairs, row, column, end, behind, /*ahead=*/true);
}

void kernel::addMoments(ScanKernel &k, const ScanSide &side, Value moments, int64_t slot, ScanTile shape,
                        ValueRange tile, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  Value features = kb.at(k.real, side.features, slot * k.projections * k.pitch());
  if (!k.threads.isOne()) {
    Value parts = moments == k.received ? k.receivedParts : k.momentParts;
    for (int64_t n = 0; n < shape.size(); ++n) {
      Value place = kb.add(column, n % shape.registers * shape.step);
      Value index = kb.add(kb.mul(kb.add(row, n / shape.registers), k.pitch()), place);
      Value sum = slot == 0 ? k.zero() : k.load(parts, index);
      k.store(kb.fma(tile[n], k.load(features, index), sum), parts, index);
    }
    return;
  }
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = kb.add(column, c * shape.step), sum = k.load(moments, place);
    for (int64_t n = 0; n < shape.rows; ++n)
      sum = kb.fma(shape.at(tile, n, c), kb.load(k.vector(), k.at(features, kb.add(row, n), k.pitch(), place)), sum);
    k.store(sum, moments, place);
  }
}

/// Makes the moments of a side's chunk relative to the reference of the state, and sets those of masked rows to 0.
static void finishMoments(ScanKernel &k, const ScanSide &side, Value moments) {
  KernelBuilder &kb = k.kb;
  Value before = kb.broadcast(k.scalar(xft::ScanReference), k.lanes),
        last = k.splat(k.references, kb.integer(k.chunk - 1));
  k.forRows([&](Value row) {
    Value own = k.load(k.references, row);
    Value factor =
        side.isKeys ? stateFactor(k, k.runs(), own, last, Value()) : stateFactor(k, k.runs(), before, own, Value());
    Value moment = scaled(k, k.load(moments, row), factor);
    k.store(kb.select(maskOf(k, side, row), moment, k.zero()), moments, row);
  });
}

/// Adds up the partial sums over features that concurrent tiles stored. Adds the results to the sums of each row: to
/// dHalves and, for gradients of decays, to the moments.
static void sumParts(ScanKernel &k, const ScanSide &side, Value moments) {
  if (k.hasHalves)
    addParts(k, k.dHalfParts, k.dHalves);
  if (!k.dDecay)
    return;
  addParts(k, side.isKeys ? k.momentParts : k.receivedParts, moments);
  if (side.isKeys && k.hasBeta)
    addParts(k, k.receivedParts, k.received);
}

/// Computes d_phi of a side's chunk and turns it into d_u. d_phi has terms from `state` and, in ordered scans, from the
/// pairs with the other side's chunk. `rows` are the values or cotangents, a right operand. `masses`, one for each row,
/// multiply the state's vector; `factors`, one for each row, multiply all terms from the state. Null stands for factors
/// of 1. `isFinite` (i1) is whether all factors of pairs are finite; null in scans that are not ordered.
static void buildFeatureGradients(ScanKernel &k, const ScanSide &side, const ScanSide &other, const ScanState &state,
                                  const ScanOperand &rows, Value masses, Value factors, Value isFinite) {
  KernelBuilder &kb = k.kb;
  k.clear(k.dHalves, k.chunk);
  Value moments = side.isKeys ? k.moments : k.received;
  if (k.dDecay)
    k.clear(moments, k.chunk);
  if (k.isOrdered && k.threads.isOne())
    isFinite =
        buildFinite(kb, ProductForm::multiplyAdd(k.real), other.features, kb.integer(k.features()), k.chunk / k.lanes);
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    Value matrix = kb.at(k.real, state.matrix, slot * k.projections * k.valueColumns);
    Value sums = kb.at(k.real, state.masses, slot * k.projections);
    ScanOperand features{kb.at(k.real, other.features, slot * k.projections * k.pitch()), k.pitch(), 1,
                         k.threads.roundsFactors()};
    ScanProduct product{k.projections, k.chunk, k.valueDepth, {matrix, k.valueColumns, 1}, rows};
    buildProduct(k, product, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value mass = masses ? k.load(masses, kb.add(column, c * shape.step)) : Value();
        for (int64_t n = 0; n < shape.rows; ++n) {
          Value &d = tile[n * shape.registers + c], sum = k.splat(sums, kb.add(row, n));
          if (k.normalizer == Normalizer::k_sum)
            d = mass ? kb.fma(sum, mass, d) : kb.addf(d, sum);
        }
      }
      if (k.dDecay)
        addMoments(k, side, moments, slot, shape, tile, row, column);
      if (factors)
        for (int64_t n = 0; n < shape.size(); ++n)
          tile[n] = kb.mulf(tile[n], k.load(factors, kb.add(column, n % shape.registers * shape.step)));
      if (k.isOrdered)
        tile = addPairGradients(k, shape, tile, side.isKeys, features, row, column, isFinite);
      if (side.isKeys && k.hasBeta) {
        tile = addWrittenGradients(k, shape, tile, slot, row, column);
        SmallVector<Value> reads = buildReadGradients(k, shape, slot, row, column);
        for (auto [d, read] : llvm::zip(tile, reads))
          d = kb.addf(d, read);
      }
      finishFeatureGradients(k, side, slot, shape, tile, row, column);
    });
  }
  if (!k.threads.isOne())
    sumParts(k, side, moments);
  if (k.dDecay)
    finishMoments(k, side, moments);
}

void kernel::loadCotangents(ScanKernel &k) {
  loadInputs(k, k.queries);
  buildQueryFeatures(k);
  if (k.isOrdered)
    buildPairs(k);
  buildNorms(k);
  buildCotangents(k);
  turnRows(k, k.cotangents, k.cotangentChannels);
  if (k.isOrdered)
    buildPairGradients(k);
}

/// Returns whether all factors of pairs of the chunk are finite (i1): features and cotangents. Null where nothing asks.
static Value arePairsFinite(ScanKernel &k) {
  if (!k.isOrdered || !k.sharesTiles())
    return Value();
  return areFinite(k, {{k.keys.features, k.features(), k.chunk, k.pitch()},
                       {k.queries.features, k.features(), k.chunk, k.pitch()},
                       {k.cotangents, k.chunk, k.valueColumns, k.valuePitch()}});
}

void kernel::buildQueryGradients(ScanKernel &k) {
  loadCotangents(k);
  buildFeatureGradients(k, k.queries, k.keys, k.state, rightRows(k, k.cotangents, k.cotangentChannels), k.dNorms,
                        k.scalesStates() ? k.factors : Value(), arePairsFinite(k));
  if (k.passesMaxima)
    addRowMaxima(k);
  storeInputGradients(k, k.queries, k.dQ);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Computes outputs = factor phi(k) R + the sum over the chunk's queries of w dN: d_v of the chunk's keys, or d_u in
/// the delta rule.
static void buildValueGradients(ScanKernel &k, Value isFinite) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns,
                      k.features(),
                      {k.keys.features, 1, k.pitch(), k.threads.roundsFactors()},
                      {k.dState.matrix, 1, k.valueColumns},
                      /*columnsOutside=*/true};
  if (!k.weights)
    product.asks = &k.keys;
  bool isTurned = k.sharesTiles(); // [key][query], read the other way
  ScanOperand pairs{k.pairs, isTurned ? k.pitch() : 1, isTurned ? 1 : k.pitch(), k.threads.roundsFactors()};
  ScanOperand cotangents{k.cotangents, 1, k.valuePitch()};
  buildProduct(k, product, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    if (k.scalesStates())
      for (int64_t n = 0; n < shape.size(); ++n)
        tile[n] = kb.mulf(tile[n], k.splat(k.factors, kb.add(row, n / shape.registers)));
    if (k.isOrdered && k.sharesTiles()) {
      auto isSeen = [&](Value row, Value term) { return kb.compare(arith::CmpIPredicate::sge, term, row); };
      tile = addSeenTerms(k, shape, tile, pairs, cotangents, row, column, shape.firstRow, kb.integer(k.chunk), isFinite,
                          /*ofRows=*/true, isSeen);
    } else if (k.isOrdered) {
      tile = addTriangle(k, shape, tile, pairs, cotangents, row, column, /*isLower=*/false);
      tile = addTerms(k, shape, tile, pairs, cotangents, row, column, kb.add(row, shape.rows), kb.integer(k.chunk));
    }
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(tile, n, c), k.at(k.outputs, kb.add(row, n), k.valueColumns, kb.add(column, c * shape.step)));
  });
}

/// Computes `factors`, by which R is multiplied in the gradients of each key: the decay from the key to the end of the
/// chunk, and the power of 2 between their references.
static void buildKeyFactors(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.scalesStates())
    return;
  Value last = kb.broadcast(kb.load(k.real, kb.at(k.real, k.references, k.chunk - 1)), k.lanes);
  k.forRows([&](Value row) {
    Value behind = k.hasDecay ? k.load(k.decaysBetween, kb.add(row, (k.chunk - 1) * k.pitch())) : Value();
    k.store(stateFactor(k, k.runs(), k.load(k.references, row), last, behind), k.factors, row);
  });
}

void kernel::buildKeyGradients(ScanKernel &k) {
  turnRows(k, k.values, k.valueChannels);
  buildKeyFactors(k);
  Value isFinite = arePairsFinite(k);
  auto turn = [&](Value matrix) { // as [query][key]
    if (!k.isOrdered || k.sharesTiles())
      return matrix;
    transposeRows(k, matrix, k.turned, k.chunk, k.pitch());
    return k.turned;
  };
  Value ownPairs = k.pairs, ownGradients = k.dPairs, ownOutputs = k.outputs;
  k.pairs = turn(k.pairs);
  buildValueGradients(k, isFinite);
  if (k.hasBeta) {
    buildUpdateGradients(k, k.pairs);
    k.outputs = k.bars;
  }
  storeRows(k, k.keys, k.dV, k.valueHead, k.valueDepth, /*adds=*/k.dV.element == k.real);
  k.outputs = ownOutputs;
  k.pairs = ownPairs;
  k.dPairs = turn(k.dPairs);
  buildFeatureGradients(k, k.keys, k.queries, k.dState, rightRows(k, k.values, k.valueChannels, k.hasShortInputs),
                        k.hasBeta ? k.massUpdates : Value(), k.scalesStates() ? k.factors : Value(), isFinite);
  if (k.hasMaximum)
    addMaximumGradient(k);
  storeInputGradients(k, k.keys, k.dK);
  k.dPairs = ownGradients;
}

//===----------------------------------------------------------------------===//
// Decays
//===----------------------------------------------------------------------===//

/// Returns <S, R> + <z, r>, without the decays of the chunk. This is the sum of w dw, a weight times its gradient,
/// over all pairs of a key before the chunk and a query after it.
static Value buildPassingMoment(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto dotOf = [&](Value x, Value y, int64_t count) {
    if (!k.threads.isOne())
      return k.threads.sumOverThreads(count, k.real, [&](Value n, Value sum) {
        return kb.fma(kb.load(k.real, kb.at(k.real, x, n)), kb.load(k.real, kb.at(k.real, y, n)), sum);
      });
    Value sum = kb.loop(
        kb.integer(0), kb.integer(llvm::alignDown(count, k.lanes)), k.lanes, k.zero(),
        [&](Value n, ValueRange sum) { return SmallVector<Value>{kb.fma(k.load(x, n), k.load(y, n), sum[0])}; })[0];
    return kb.loop(kb.integer(llvm::alignDown(count, k.lanes)), kb.integer(count), 1, kb.reduceAdd(sum),
                   [&](Value n, ValueRange sum) {
                     Value left = kb.load(k.real, kb.at(k.real, x, n)), right = kb.load(k.real, kb.at(k.real, y, n));
                     return SmallVector<Value>{kb.fma(left, right, sum[0])};
                   })[0];
  };
  Value sum = dotOf(k.state.matrix, k.dState.matrix, k.features() * k.valueColumns);
  if (k.normalizer == Normalizer::k_sum)
    sum = kb.addf(sum, dotOf(k.state.masses, k.dState.masses, k.features()));
  Value last = kb.load(k.real, kb.at(k.real, k.references, k.chunk - 1));
  return scaled(k, sum, stateFactor(k, k.runs(), k.scalar(xft::ScanReference), last, Value()));
}

/// Does the work of addDecayGradients by a block of threads: every warp computes it, with a row i in each lane.
static void addSharedDecayGradients(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.nk, first), kb.integer(k.chunk)), streamed = buildPassingMoment(k);
  auto plus = [&](Value x, Value y) { return kb.addf(x, y); };
  auto scalarAt = [&](Value buffer, Value index) { return kb.load(k.real, kb.at(k.real, buffer, index)); };
  k.forRowsOfWarps([&](Value column) {
    SmallVector<Value> given = {streamed, k.load(k.received, column)};
    kb.loop(kb.integer(0), end, 1, given, [&](Value row, ValueRange given) {
      Value pair = kb.add(kb.mul(row, k.pitch()), column), a = k.splat(k.decays, row);
      Value term = kb.mulf(given[1], k.load(k.decaysBehind, pair));
      Value sum = k.threads.combineLanes(kb.select(isAtOrAfter(k, column, row), term, k.zero()), plus);
      k.threads.once([&] {
        Value behind = scalarAt(k.decaysBehind, kb.add(kb.mul(row, k.pitch()), k.chunk - 1));
        Value total = kb.fma(given[0], behind, kb.reduceAdd(sum));
        Value place = k.dDecay->at(kb, {k.b, k.h, kb.add(first, row)});
        kb.store(kb.addf(kb.load(k.real, place), total), place);
      });
      return SmallVector<Value>{kb.fma(given[0], scalarAt(k.decays, row), scalarAt(k.moments, row)),
                                kb.fma(given[1], a, k.load(k.decayPairs, pair))};
    });
  });
}

/// Computes the gradients d_a of the chunk's decays a and adds them to d_decay. They follow from the products
/// g(j, i) = dw w, without decay, for a key j and a row i. The keys j are those of the chunk and one more before them,
/// which stands for S (its g are `received`). The rows i are those of the chunk and one more after them, which stands
/// for R (its g are `moments`):
///
///   d_a(t) = sum over j < t <= i of g(j, i) prod of a(s), j < s <= i, s != t
///          = sum over i >= t of x_t(i) prod of a(s), t < s <= i,    x_(t+1)(i) = x_t(i) a(t) + g(t, i)
///
/// Does not divide by decays, so that they may be 0.
void kernel::addDecayGradients(ScanKernel &k, Value first) {
  if (!k.threads.isOne())
    return addSharedDecayGradients(k, first);
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.nk, first), kb.integer(k.chunk));
  SmallVector<Value> given = {buildPassingMoment(k)};
  for (int64_t column = 0; column < k.chunk; column += k.lanes)
    given.push_back(k.load(k.received, kb.integer(column)));
  kb.loop(kb.integer(0), end, 1, given, [&](Value row, ValueRange given) {
    Value line = kb.mul(row, k.pitch()), decays = k.splat(k.decays, row), sum = k.zero();
    auto scalarAt = [&](Value buffer, Value index) { return kb.load(k.real, kb.at(k.real, buffer, index)); };
    SmallVector<Value> next = {kb.fma(given[0], scalarAt(k.decays, row), scalarAt(k.moments, row))};
    for (auto [number, x] : llvm::enumerate(given.drop_front())) {
      Value column = kb.integer(number * k.lanes), pair = kb.add(line, column);
      Value term = kb.mulf(x, k.load(k.decaysBehind, pair));
      sum = kb.addf(sum, kb.select(isAtOrAfter(k, column, row), term, k.zero()));
      next.push_back(kb.fma(x, decays, k.load(k.decayPairs, pair)));
    }
    Value total = kb.fma(given[0], scalarAt(k.decaysBehind, kb.add(line, k.chunk - 1)), kb.reduceAdd(sum));
    Value place = k.dDecay->at(kb, {k.b, k.h, kb.add(first, row)});
    kb.store(kb.addf(kb.load(k.real, place), total), place);
    return next;
  });
}
