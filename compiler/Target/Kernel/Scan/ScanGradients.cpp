//===- ScanGradients.cpp - Gradients of one chunk of a scan ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the gradients of one chunk. Pairs of the chunk are stored as [key][query] for gradients of queries, and as
// [query][key] for gradients of keys. So products for both gradients read pairs in the same order as the product for o.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/FiniteValues.h"
#include "compiler/Target/Kernel/Scan/ScanMaxima.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Calls body(row, index) for each query of the chunk that is not masked. `row` is its row in the chunk, `index` its
/// row in q.
static void forQueries(const ScanKernel &k, function_ref<void(Value row, Value index)> body) {
  KernelBuilder &kb = k.kb;
  k.forSingleRows([&](Value row) {
    kb.ifThen(takesPart(k, k.task.queries, row), [&] { body(row, kb.add(k.task.queries.first, row)); });
  });
}

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

/// The output of a query is a numerator N times the query's element of `norms`. Loads the gradients dN = d_o norms of
/// the chunk's queries to d.cotangents. Computes the gradients dZ of the queries' normalisers Z to d.norms.
static void buildCotangents(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  loadRows(k, k.task.queries, {k.operands.dOut, k.task.h, k.valueDepth}, k.d->cotangents, 1, k.buffers.norms);
  k.clear(k.d->norms, k.chunk);
  if (k.op.normalizer != Normalizer::k_sum)
    return;
  forQueries(k, [&](Value row, Value index) {
    Value delta = kb.load(k.real, k.operands.delta.at(kb, {k.task.b, k.task.h, index})),
          norm = k.element(k.buffers.norms, row);
    kb.store(kb.subf(kb.real(k.real, 0), kb.mulf(delta, norm)), kb.at(k.real, k.d->norms, row));
  });
}

/// Returns a matrix as the right operand of a product whose terms are the columns of the matrix. `rows` is the matrix,
/// and `channels` its transpose. The operand is `rows` if warps share tiles, else `channels`.
static ScanOperand rightRows(const ScanKernel &k, Value rows, Value channels, bool isExact = false) {
  if (k.sharesTiles())
    return {rows, k.valuePitch(), 1, isExact};
  return {channels, 1, k.pitch(), isExact};
}

/// Transposes `rows` to `channels`, if rightRows takes `channels`.
static void turnRows(const ScanKernel &k, const ScratchBuffer &rows, Value channels) {
  if (!k.sharesTiles())
    transposeRows(k, rows, channels, k.valueColumns());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Computes d.pairs, the gradients dw of the weights of the chunk's pairs, as [key][query]. If decays have gradients,
/// also multiplies decayPairs by dw.
static void buildPairGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  ScanOperand values{k.buffers.values, k.valuePitch(), 1, k.op.hasShortInputs};
  ScanProduct product{k.chunk, k.chunk, k.valueDepth, values, rightRows(k, k.d->cotangents, k.d->cotangentChannels)};
  product.isUpper = true;
  auto finish = [&](const ScanTile &shape, SmallVector<Value> tile) {
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value place = shape.columnAt(kb, c), dNorm = k.load(k.d->norms, place);
      Value own = k.runs() ? k.load(k.buffers.references, place) : Value();
      for (int64_t n = 0; n < shape.rows; ++n) {
        Value key = shape.rowAt(kb, n), pair = kb.add(kb.mul(key, k.pitch()), place), dw = shape.at(tile, n, c);
        dw = k.hasBeta ? kb.fma(dNorm, k.splat(k.buffers.updates.normaliserUpdates, key), dw) : kb.addf(dw, dNorm);
        if (k.operands.dDecay) {
          Value product = kb.mulf(dw, k.load(k.d->decayPairs, pair));
          k.store(kb.select(maskOf(k, k.task.queries, place), product, k.zero()), k.d->decayPairs, pair);
        }
        k.store(decayPair(k, relatePair(k, dw, key, own), key, place), k.d->pairs, pair);
      }
    }
  };
  buildProduct(k, product, finish);
}

/// Adds the terms [lower, upper) of a product to `count` registers of each row of a tile, from register `first` on.
static void addToRegisters(const ScanKernel &k, const ScanTile &shape, MutableArrayRef<Value> tile, int64_t first,
                           int64_t count, const ScanTerms &terms) {
  Value column = k.kb.add(shape.column, first * k.lanes);
  ScanTile part{{shape.rows, count}, shape.step, shape.row, column};
  auto place = [&](int64_t n, int64_t c) -> Value & { return tile[n * shape.registers + first + c]; };
  SmallVector<Value> sums = addTerms(k, part, part.fill(place), terms);
  for (int64_t n = 0; n < part.rows; ++n)
    for (int64_t c = 0; c < count; ++c)
      place(n, c) = part.at(sums, n, c);
}

namespace {
/// The sources of the terms of d_phi of a side's chunk: a state and, in ordered scans, pairs with the chunk of the
/// other side. A null factor stands for 1.
struct FeatureTerms {
  const ScanState &state; ///< its matrix is multiplied by `rows`, its vector by `amounts`
  ScanOperand rows;       ///< values or cotangents, a right operand
  Value amounts;          ///< [row] factors of the state's vector
  Value factors;          ///< [row] factors of all terms from the state
  Value dPairs;           ///< in ordered scans: gradients of the weights of pairs with the other side's chunk
  Value isFinite;         ///< in ordered scans: whether all factors of pairs are finite (i1)
};
} // namespace

/// Adds terms to a tile of d_phi: those of the pairs with the other side's chunk. The columns of the tile are rows of
/// the side's chunk. terms.dPairs is 0 for masked pairs. It is undefined where a term has no visible pair with a whole
/// register of columns; such terms are skipped. A 0 in dPairs adds 0 only if the features of the other side are finite.
static SmallVector<Value> addPairGradients(const ScanKernel &k, const ScanTile &shape, ValueRange tile, bool isKeys,
                                           const ScanOperand &features, const FeatureTerms &terms) {
  KernelBuilder &kb = k.kb;
  bool isTurned = isKeys && k.sharesTiles(); // [key][query], read the other way
  ScanOperand pairs{terms.dPairs, isTurned ? k.pitch() : 1, isTurned ? 1 : k.pitch()};
  if (k.sharesTiles()) {
    Value start = isKeys ? shape.firstColumn : kb.integer(0);
    Value end = isKeys ? kb.integer(k.chunk) : kb.add(shape.firstColumn, WarpTile::across * shape.registers);
    auto isSeen = [&](Value index, Value term) {
      return kb.compare(isKeys ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, term, index);
    };
    return addSeenTerms(k, shape, tile, {features, pairs, start, end}, {terms.isFinite, /*ofRows=*/false, isSeen});
  }
  if (!k.threads.isOne())
    return addVisibleTerms(k, shape, tile,
                           {features, pairs, isKeys ? shape.column : kb.integer(0), kb.integer(k.chunk)},
                           /*ahead=*/!isKeys);
  SmallVector<Value> sums(tile);
  int64_t last = shape.registers - 1;
  auto placeOf = [&](int64_t n) { return kb.add(shape.column, n * k.lanes); };
  Value behind = placeOf(shape.registers);
  if (isKeys) { // keys are seen by the queries at and after them
    Value start = kb.select(terms.isFinite, shape.column, behind);
    sums = addVisibleTerms(k, shape, sums, {features, pairs, shape.column, start}, /*ahead=*/false);
    for (int64_t n = 0; n < last; ++n)
      addToRegisters(k, shape, sums, 0, n + 1, {features, pairs, kb.max(placeOf(n), start), placeOf(n + 1)});
    return addTerms(k, shape, sums, {features, pairs, kb.max(placeOf(last), start), kb.integer(k.chunk)});
  }
  Value end = kb.select(terms.isFinite, behind, shape.column);
  sums = addTerms(k, shape, sums, {features, pairs, kb.integer(0), kb.min(placeOf(1), end)});
  for (int64_t n = 1; n <= last; ++n)
    addToRegisters(k, shape, sums, n, shape.registers - n, {features, pairs, placeOf(n), kb.min(placeOf(n + 1), end)});
  return addVisibleTerms(k, shape, sums, {features, pairs, end, behind}, /*ahead=*/true);
}

void kernel::addMoments(const ScanKernel &k, const ScanSide &side, Value moments, int64_t slot, const ScanTile &shape,
                        ValueRange tile) {
  KernelBuilder &kb = k.kb;
  Value features = kb.at(k.real, k.buffers.features[side], slot * k.projections * k.pitch());
  if (!k.threads.isOne()) {
    Value parts = moments == k.d->received ? k.d->receivedParts : k.d->momentParts;
    for (int64_t n = 0; n < shape.size(); ++n) {
      Value place = shape.columnAt(kb, n % shape.registers);
      Value index = kb.add(kb.mul(shape.rowAt(kb, n / shape.registers), k.pitch()), place);
      Value sum = slot == 0 ? k.zero() : k.load(parts, index);
      k.store(kb.fma(tile[n], k.load(features, index), sum), parts, index);
    }
    return;
  }
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = shape.columnAt(kb, c), sum = k.load(moments, place);
    for (int64_t n = 0; n < shape.rows; ++n)
      sum =
          kb.fma(shape.at(tile, n, c), kb.load(k.vector(), k.at(features, shape.rowAt(kb, n), k.pitch(), place)), sum);
    k.store(sum, moments, place);
  }
}

/// Makes `moments`, the moments of a side's chunk (addMoments), relative to the reference of the state. Sets the
/// moments of masked rows to 0.
static void finishMoments(const ScanKernel &k, const ScanSide &side, Value moments) {
  KernelBuilder &kb = k.kb;
  Value before = kb.broadcast(k.scalar(xft::ScanReference), k.lanes),
        last = k.splat(k.buffers.references, kb.integer(k.chunk - 1));
  k.forRows([&](Value row) {
    Value own = k.load(k.buffers.references, row);
    Value factor =
        side.isKeys ? stateFactor(k, k.runs(), own, last, Value()) : stateFactor(k, k.runs(), before, own, Value());
    Value moment = scaled(k, k.load(moments, row), factor);
    k.store(kb.select(maskOf(k, side, row), moment, k.zero()), moments, row);
  });
}

/// Concurrent tiles have stored partial sums over features. Adds them up, and adds the results to d.halves and, for
/// gradients of decays, to `moments`.
static void sumParts(const ScanKernel &k, const ScanSide &side, Value moments) {
  if (k.hasHalves)
    addParts(k, k.d->halfParts, k.d->halves);
  if (!k.operands.dDecay)
    return;
  addParts(k, side.isKeys ? k.d->momentParts : k.d->receivedParts, moments);
  if (side.isKeys && k.hasBeta)
    addParts(k, k.d->receivedParts, k.d->received);
}

/// Computes d_phi of a side's chunk and turns it into d_u, tile by tile. `terms` are the sources of d_phi.
static void buildFeatureGradients(const ScanKernel &k, const ScanSide &side, FeatureTerms terms) {
  KernelBuilder &kb = k.kb;
  const ScratchBuffer &otherFeatures = side.isKeys ? k.buffers.features.queries : k.buffers.features.keys;
  k.clear(k.d->halves, k.chunk);
  Value moments = side.isKeys ? k.d->moments : k.d->received;
  if (k.operands.dDecay)
    k.clear(moments, k.chunk);
  if (k.op.isOrdered && k.threads.isOne())
    terms.isFinite =
        buildFinite(kb, ProductForm::multiplyAdd(k.real), otherFeatures, kb.integer(k.features()), k.chunk / k.lanes);
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    Value matrix = kb.at(k.real, terms.state.matrix, slot * k.projections * k.valueColumns());
    Value sums = kb.at(k.real, terms.state.normaliser, slot * k.projections);
    ScanOperand features{kb.at(k.real, otherFeatures, slot * k.projections * k.pitch()), k.pitch(), 1,
                         k.threads.roundsFactors()};
    ScanProduct product{k.projections, k.chunk, k.valueDepth, {matrix, k.valueColumns(), 1}, terms.rows};
    buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value amount = terms.amounts ? k.load(terms.amounts, shape.columnAt(kb, c)) : Value();
        for (int64_t n = 0; n < shape.rows; ++n) {
          Value &d = tile[n * shape.registers + c], sum = k.splat(sums, shape.rowAt(kb, n));
          if (k.op.normalizer == Normalizer::k_sum)
            d = amount ? kb.fma(sum, amount, d) : kb.addf(d, sum);
        }
      }
      if (k.operands.dDecay)
        addMoments(k, side, moments, slot, shape, tile);
      if (terms.factors)
        for (int64_t n = 0; n < shape.size(); ++n)
          tile[n] = kb.mulf(tile[n], k.load(terms.factors, shape.columnAt(kb, n % shape.registers)));
      if (k.op.isOrdered)
        tile = addPairGradients(k, shape, tile, side.isKeys, features, terms);
      if (side.isKeys && k.hasBeta) {
        tile = addWrittenGradients(k, shape, tile, slot);
        SmallVector<Value> reads = buildReadGradients(k, shape, slot);
        for (auto [d, read] : llvm::zip(tile, reads))
          d = kb.addf(d, read);
      }
      finishFeatureGradients(k, side, slot, shape, tile);
    });
  }
  if (!k.threads.isOne())
    sumParts(k, side, moments);
  if (k.operands.dDecay)
    finishMoments(k, side, moments);
}

void kernel::loadCotangents(const ScanKernel &k) {
  loadInputs(k, k.task.queries);
  buildQueryFeatures(k);
  if (k.op.isOrdered)
    buildPairs(k);
  buildNorms(k);
  buildCotangents(k);
  turnRows(k, k.d->cotangents, k.d->cotangentChannels);
  if (k.op.isOrdered)
    buildPairGradients(k);
}

/// Returns whether all features and cotangents of the chunk are finite (i1). Returns null unless the scan is ordered
/// and warps share tiles, because only such a scan needs to know.
static Value arePairsFinite(const ScanKernel &k) {
  if (!k.op.isOrdered || !k.sharesTiles())
    return Value();
  return areFinite(k, {{k.buffers.features.keys, k.features(), k.chunk, k.pitch()},
                       {k.buffers.features.queries, k.features(), k.chunk, k.pitch()},
                       {k.d->cotangents, k.chunk, k.valueColumns(), k.valuePitch()}});
}

void kernel::buildQueryGradients(const ScanKernel &k) {
  loadCotangents(k);
  const ScanGradientBuffers &d = *k.d;
  buildFeatureGradients(k, k.task.queries,
                        {k.task.state, rightRows(k, d.cotangents, d.cotangentChannels), d.norms,
                         k.scalesStates() ? k.buffers.factors : Value(), d.pairs, arePairsFinite(k)});
  if (k.op.passesMaxima)
    addRowMaxima(k);
  storeInputGradients(k, k.task.queries, k.operands.dQ);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Computes the gradients of the chunk's values to `outputs`: factor phi(k) R + (sum over the chunk's queries of w dN).
/// R is the gradient of the state, dN are the cotangents, and `w` the weights of pairs as [query][key]. In the delta
/// rule, they are gradients of the updates u, as buildUpdateGradients takes them.
static void buildValueGradients(const ScanKernel &k, Value w, Value isFinite) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns(),
                      k.features(),
                      {k.buffers.features.keys, 1, k.pitch(), k.threads.roundsFactors()},
                      {k.task.dState.matrix, 1, k.valueColumns()},
                      /*columnsOutside=*/true};
  if (!k.operands.weights)
    product.prefetched = &k.task.keys;
  bool isTurned = k.sharesTiles(); // [key][query], read the other way
  ScanOperand pairs{w, isTurned ? k.pitch() : 1, isTurned ? 1 : k.pitch(), k.threads.roundsFactors()};
  ScanOperand cotangents{k.d->cotangents, 1, k.valuePitch()};
  buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
    if (k.scalesStates())
      for (int64_t n = 0; n < shape.size(); ++n)
        tile[n] = kb.mulf(tile[n], k.splat(k.buffers.factors, shape.rowAt(kb, n / shape.registers)));
    if (k.op.isOrdered && k.sharesTiles()) {
      auto isSeen = [&](Value index, Value term) { return kb.compare(arith::CmpIPredicate::sge, term, index); };
      tile = addSeenTerms(k, shape, tile, {pairs, cotangents, shape.firstRow, kb.integer(k.chunk)},
                          {isFinite, /*ofRows=*/true, isSeen});
    } else if (k.op.isOrdered) {
      tile = addTriangle(k, shape, tile, pairs, cotangents, /*isLower=*/false);
      tile = addTerms(k, shape, tile, {pairs, cotangents, kb.add(shape.row, shape.rows), kb.integer(k.chunk)});
    }
    for (int64_t n = 0; n < shape.rows; ++n)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(tile, n, c),
                 k.at(k.buffers.outputs, shape.rowAt(kb, n), k.valueColumns(), shape.columnAt(kb, c)));
  });
}

/// Computes `factors`: for each key, the factor of R, the gradient of the state, in the gradients of the key. It is the
/// decay from the key to the end of the chunk, times 2^(reference of the key - reference of the chunk's last key).
static void buildKeyFactors(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  if (!k.scalesStates())
    return;
  Value last = kb.broadcast(k.element(k.buffers.references, k.chunk - 1), k.lanes);
  k.forRows([&](Value row) {
    Value behind = k.hasDecay ? k.load(k.buffers.decays.between, kb.add(row, (k.chunk - 1) * k.pitch())) : Value();
    k.store(stateFactor(k, k.runs(), k.load(k.buffers.references, row), last, behind), k.buffers.factors, row);
  });
}

void kernel::buildKeyGradients(const ScanKernel &k) {
  const ScanGradientBuffers &d = *k.d;
  turnRows(k, k.buffers.values, k.d->valueChannels);
  buildKeyFactors(k);
  Value isFinite = arePairsFinite(k);
  auto turn = [&](const ScratchBuffer &matrix) -> Value { // as [query][key]
    if (!k.op.isOrdered || k.sharesTiles())
      return matrix;
    transposeRows(k, matrix, k.d->turned, k.chunk);
    return k.d->turned;
  };
  Value pairs = turn(k.buffers.pairs);
  buildValueGradients(k, pairs, isFinite);
  if (k.hasBeta)
    buildUpdateGradients(k, pairs);
  storeRows(k, k.task.keys, k.hasBeta ? d.updates.bars : k.buffers.outputs,
            {k.operands.dV, k.task.valueHead, k.valueDepth},
            /*adds=*/k.operands.dV.element == k.real);
  buildFeatureGradients(k, k.task.keys,
                        {k.task.dState, rightRows(k, k.buffers.values, d.valueChannels, k.op.hasShortInputs),
                         k.hasBeta ? k.buffers.updates.normaliserUpdates : Value(),
                         k.scalesStates() ? k.buffers.factors : Value(), turn(d.pairs), isFinite});
  if (k.hasMaximum)
    addMaximumGradient(k);
  storeInputGradients(k, k.task.keys, k.operands.dK);
}

//===----------------------------------------------------------------------===//
// Decays
//===----------------------------------------------------------------------===//

/// Returns <S, R> + <z, r>, without the decays of the chunk. R and r are the gradients of the state, S and z. The
/// result equals the sum of w dw (a weight times its gradient) over all pairs of a key before the chunk and a query
/// after it.
static Value buildPassingMoment(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto dotOf = [&](Value x, Value y, int64_t count) {
    if (!k.threads.isOne())
      return k.threads.sumOverThreads(
          count, k.real, [&](Value n, Value sum) { return kb.fma(k.element(x, n), k.element(y, n), sum); });
    Value sum = kb.loop(
        kb.integer(0), kb.integer(llvm::alignDown(count, k.lanes)), k.lanes, k.zero(),
        [&](Value n, ValueRange sum) { return SmallVector<Value>{kb.fma(k.load(x, n), k.load(y, n), sum[0])}; })[0];
    return kb.loop(kb.integer(llvm::alignDown(count, k.lanes)), kb.integer(count), 1, kb.reduceAdd(sum),
                   [&](Value n, ValueRange sum) {
                     Value left = k.element(x, n), right = k.element(y, n);
                     return SmallVector<Value>{kb.fma(left, right, sum[0])};
                   })[0];
  };
  Value sum = dotOf(k.task.state.matrix, k.task.dState.matrix, k.features() * k.valueColumns());
  if (k.op.normalizer == Normalizer::k_sum)
    sum = kb.addf(sum, dotOf(k.task.state.normaliser, k.task.dState.normaliser, k.features()));
  Value last = k.element(k.buffers.references, k.chunk - 1);
  return scaled(k, sum, stateFactor(k, k.runs(), k.scalar(xft::ScanReference), last, Value()));
}

/// Implements addDecayGradients for a thread block. Every warp computes all gradients, with one row in each lane.
static void addSharedDecayGradients(const ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.operands.nk, first), kb.integer(k.chunk)), streamed = buildPassingMoment(k);
  auto plus = [&](Value x, Value y) { return kb.addf(x, y); };
  k.forRowsOfWarps([&](Value column) {
    SmallVector<Value> given = {streamed, k.load(k.d->received, column)};
    kb.loop(kb.integer(0), end, 1, given, [&](Value row, ValueRange given) {
      Value pair = kb.add(kb.mul(row, k.pitch()), column), a = k.splat(k.buffers.decays.own, row);
      Value term = kb.mulf(given[1], k.load(k.buffers.decays.behind, pair));
      Value sum = k.threads.combineLanes(kb.select(isAtOrAfter(k, column, row), term, k.zero()), plus);
      k.threads.once([&] {
        Value behind = k.element(k.buffers.decays.behind, kb.add(kb.mul(row, k.pitch()), k.chunk - 1));
        Value total = kb.fma(given[0], behind, kb.reduceAdd(sum));
        Value place = k.operands.dDecay->at(kb, {k.task.b, k.task.h, kb.add(first, row)});
        kb.store(kb.addf(kb.load(k.real, place), total), place);
      });
      return SmallVector<Value>{kb.fma(given[0], k.element(k.buffers.decays.own, row), k.element(k.d->moments, row)),
                                kb.fma(given[1], a, k.load(k.d->decayPairs, pair))};
    });
  });
}

/// Computes the gradients d_a of the chunk's decays a, and adds them to d_decay. Let w be the weight of key j and row i
/// without decay, and dw its gradient. Let g(j, i) be w dw. The state S before the chunk counts as one more key, whose
/// g are `received`. R, the gradient of the state after the chunk, counts as one more row, whose g are `moments`. Then
///   d_a(t) = sum over j < t <= i of g(j, i) prod of a(s), j < s <= i, s != t
///          = sum over i >= t of x_t(i) prod of a(s), t < s <= i,    x_(t+1)(i) = x_t(i) a(t) + g(t, i)
/// Does not divide by decays, so that they may be 0.
void kernel::addDecayGradients(const ScanKernel &k, Value first) {
  if (!k.threads.isOne())
    return addSharedDecayGradients(k, first);
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.operands.nk, first), kb.integer(k.chunk));
  SmallVector<Value> given = {buildPassingMoment(k)};
  for (int64_t column = 0; column < k.chunk; column += k.lanes)
    given.push_back(k.load(k.d->received, kb.integer(column)));
  kb.loop(kb.integer(0), end, 1, given, [&](Value row, ValueRange given) {
    Value line = kb.mul(row, k.pitch()), decays = k.splat(k.buffers.decays.own, row), sum = k.zero();
    SmallVector<Value> next = {kb.fma(given[0], k.element(k.buffers.decays.own, row), k.element(k.d->moments, row))};
    for (auto [number, x] : llvm::enumerate(given.drop_front())) {
      Value column = kb.integer(number * k.lanes), pair = kb.add(line, column);
      Value term = kb.mulf(x, k.load(k.buffers.decays.behind, pair));
      sum = kb.addf(sum, kb.select(isAtOrAfter(k, column, row), term, k.zero()));
      next.push_back(kb.fma(x, decays, k.load(k.d->decayPairs, pair)));
    }
    Value total = kb.fma(given[0], k.element(k.buffers.decays.behind, kb.add(line, k.chunk - 1)), kb.reduceAdd(sum));
    Value place = k.operands.dDecay->at(kb, {k.task.b, k.task.h, kb.add(first, row)});
    kb.store(kb.addf(kb.load(k.real, place), total), place);
    return next;
  });
}
