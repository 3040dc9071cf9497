//===- ScanTask.cpp - The tasks of scans ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.scan`:
//
//   for each segment                     once, without segments
//     for each chunk of keys             not ordered: the state of all keys first
//       phi(k);  S += phi(k) v^T
//     for each chunk of queries
//       phi(q);  o = phi(q) S / (phi(q) z + guard)
//
//   ordered: one loop, where queries see the state before their chunk and the pairs of their chunk.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanRounding.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static constexpr double lowest = -1e6; // 2^lowest is 0

/// Returns the smaller of `count` and the length of batch entry b; `count` if `lengths` is null.
static Value limitOf(ScanKernel &k, Value lengths, Value count) {
  KernelBuilder &kb = k.kb;
  if (!lengths)
    return count;
  View view = View::of(kb, lengths);
  Value b = cast<MemRefType>(lengths.getType()).getDimSize(0) == 1 ? kb.integer(0) : k.b;
  Value length = kb.load(view.element, view.at(kb, {b}));
  if (!view.element.isInteger(64))
    length = arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), length);
  return kb.min(count, length);
}

static bool isSequence(const ScanKernel &k) { return k.hasExponents() && k.stabilizer == Stabilizer::k_sequence; }

/// Sets the limit of keys to the end of those that some query sees. Keys after it must not add to a state or get a
/// gradient, since their values may be NaN.
static void limitKeys(ScanKernel &k) {
  k.endOfQueries = endOfQueries(k);
  k.keys.limit = k.kb.min(k.keyLength, k.endOfQueries);
}

/// Computes the scalar ScanLargest of a whole sequence: the maximum of a * u over the keys of all segments that some
/// query sees, where a is the factor of the projection u in exponents. If a later pass over all keys finds this
/// maximum, only resets the scalar.
static void buildSequenceLargest(ScanKernel &k) {
  k.setScalar(xft::ScanLargest, k.kb.real(k.real, lowest * M_LN2)); // without keys, the shift is the reference
  k.setScalar(xft::ScanCount, k.kb.real(k.real, 0));
  if (!isSequence(k) || !(k.isOrdered || k.queries.segments) || k.phase)
    return; // found by the pass over all keys, or by those over slices
  forEachSegment(k, [&] {
    limitKeys(k);
    k.forChunks(k.nk, [&](Value first) {
      k.kb.ifThen(placeChunk(k, k.keys, first), [&] {
        loadInputs(k, k.keys);
        buildLargest(k);
      });
    });
  });
}

void kernel::startHead(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto headOf = [&](const View &view) { return kb.div(k.h, kb.div(k.queries.source.sizes[1], view.sizes[1])); };
  k.keys.head = headOf(k.keys.source);
  k.queries.head = k.h;
  k.valueHead = headOf(k.valueSource);
  k.keys.reads = {{k.keys.source, k.keys.head, k.depth}, {k.valueSource, k.valueHead, k.valueDepth}};
  k.queries.reads = {{k.queries.source, k.queries.head, k.depth}};
  k.keys.step = k.queries.step = k.isGradient && k.isOrdered ? -k.chunk : k.chunk;
  k.keyLength = limitOf(k, k.lengths, k.nk);
  k.queries.limit = limitOf(k, k.queryLengths, k.nq);
  buildSequenceLargest(k);
}

void kernel::startKeys(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.setScalar(xft::ScanReference, kb.real(k.real, lowest));
  for (auto which : {xft::ScanShift, xft::ScanCount})
    k.setScalar(which, kb.real(k.real, 0));
  if (k.isBlock)
    k.setScalar(xft::ScanDecay, kb.real(k.real, 1));
  limitKeys(k);
  if (k.hasDecay && k.segment)
    k.firstKey = findFirstKey(k);
}

void kernel::loadKeys(ScanKernel &k) {
  loadInputs(k, k.keys);
  loadRows(k, k.keys, k.valueSource, k.valueHead, k.values, k.valueDepth, k.valuePitch(), 1);
  if (k.roundsFeatures())
    storeValueOperands(k);
}

void kernel::buildAllKeys(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  clearState(k, k.state);
  if (k.isOrdered) {
    if (isSequence(k))
      k.setScalar(xft::ScanShift, kb.mulf(k.scalar(xft::ScanLargest), kb.real(k.real, M_LOG2E)));
    return;
  }
  k.clear(k.valueSums, k.valueColumns);
  bool runs = isSequence(k) || (k.hasExponents() && k.stabilizer == Stabilizer::k_running);
  k.forChunks(k.nk, [&](Value first) {
    kb.ifThen(placeChunk(k, k.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, runs ? KeyScaling::Running : KeyScaling::Direct);
      addKeys(k, k.state, runs);
    });
  });
  finishKeys(k);
}

Value kernel::placeOrderedChunk(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Value hasKeys = placeChunk(k, k.keys, first);
  Value hasQueries = placeChunk(k, k.queries, kb.sub(first, kb.sub(k.nk, k.nq)));
  if (k.hasDecay && k.segment) { // decay also applies to chunks where no row takes part
    Value isBehind = kb.compare(arith::CmpIPredicate::slt, k.firstKey, kb.add(first, k.chunk));
    return arith::AndIOp::create(kb.b, kb.loc, isBehind, kb.compare(arith::CmpIPredicate::slt, first, k.endOfQueries));
  }
  if (k.hasDecay)
    return kb.constant(kb.b.getBoolAttr(true));
  return arith::OrIOp::create(kb.b, kb.loc, hasKeys, hasQueries);
}

void kernel::loadOrderedKeys(ScanKernel &k, Value first) {
  loadKeys(k);
  loadDecays(k, first);
  buildKeyFeatures(k, k.runs() ? KeyScaling::Running : KeyScaling::Direct);
  buildUpdates(k);
}

void kernel::forOrderedKeys(ScanKernel &k, function_ref<void()> queries) {
  KernelBuilder &kb = k.kb;
  if (k.keptState)
    k.state = keptState(k, kb.integer(0));
  buildAllKeys(k);
  k.forChunks(k.nk, [&](Value first) {
    Value behind = kb.add(first, k.chunk), hasNext = kb.compare(arith::CmpIPredicate::slt, behind, k.nk);
    ScanState next = k.state;
    if (k.keptState) {
      k.state = keptState(k, kb.floorDiv(first, k.chunk));
      next = keptState(k, kb.floorDiv(behind, k.chunk));
      next.ahead = keptState(k, kb.add(kb.floorDiv(behind, k.chunk), 1)).matrix;
      keepScalars(k, k.state);
    }
    auto addChunk = [&]() -> SmallVector<Value> {
      loadOrderedKeys(k, first);
      if (queries)
        queries();
      kb.ifThen(hasNext, [&] { addKeys(k, next, k.runs()); });
      return {};
    };
    auto skipChunk = [&]() -> SmallVector<Value> {
      if (k.keptState)
        kb.ifThen(hasNext, [&] { copyState(k, k.state, next); });
      return {};
    };
    kb.ifElse(placeOrderedChunk(k, first), {}, addChunk, skipChunk);
  });
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Computes and stores o = norm (factor phi(q) S + the sum over the chunk's keys of w v) of the chunk's queries.
static void buildOutputs(ScanKernel &k, const View &o) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns,
                      k.features(),
                      {k.queries.features, 1, k.pitch(), k.threads.roundsFactors()},
                      {k.state.matrix, 1, k.state.pitch},
                      /*columnsOutside=*/true};
  if (k.roundsFeatures()) {
    product = productOfFeatures(k, k.queries, k.stateOperands, k.valueColumns, k.valueColumns);
    product.columnsOutside = true;
  }
  if (!k.weights)
    product.asks = &k.queries;
  ScanOperand pairs{k.pairs, 1, k.pitch(), k.threads.roundsFactors()};
  ScanOperand values{k.values, 1, k.valuePitch(), k.hasShortInputs};
  Value isFinite;
  if (k.isOrdered && k.threads.usesTensorCores())
    isFinite = areFinite(k, ScanMatrix{k.values, k.chunk, k.valueColumns, k.valuePitch()});
  buildProduct(k, product, [&](ScanTile shape, SmallVector<Value> tile, Value row, Value column) {
    if (k.scalesStates())
      for (int64_t n = 0; n < shape.size(); ++n)
        tile[n] = kb.mulf(tile[n], k.splat(k.factors, kb.add(row, n / shape.registers)));
    if (k.isOrdered && shape.firstRow && k.threads.usesTensorCores()) {
      Value end = kb.add(shape.firstRow, WarpTile::down * shape.rows);
      auto isSeen = [&](Value row, Value term) { return kb.compare(arith::CmpIPredicate::sle, term, row); };
      tile = addSeenTerms(k, shape, tile, pairs, values, row, column, kb.integer(0), end, isFinite, /*ofRows=*/true,
                          isSeen);
    } else if (k.isOrdered) {
      tile = addTerms(k, shape, tile, pairs, values, row, column, kb.integer(0), row);
      tile = addTriangle(k, shape, tile, pairs, values, row, column, /*isLower=*/true);
    }
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value norm = k.splat(k.norms, kb.add(row, n));
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(kb.mulf(shape.at(tile, n, c), norm),
                 k.at(k.outputs, kb.add(row, n), k.valueColumns, kb.add(column, c * shape.step)));
    }
  });
  storeRows(k, k.queries, o, k.h, k.valueDepth, /*adds=*/false);
}

void kernel::buildQueries(ScanKernel &k, const View &o) {
  loadInputs(k, k.queries);
  buildQueryFeatures(k);
  if (k.isOrdered)
    buildPairs(k);
  buildNorms(k);
  if (k.isOrdered && k.roundsFeatures())
    roundState(k);
  buildOutputs(k, o);
}

static void buildSegment(ScanKernel &k, const View &o) {
  KernelBuilder &kb = k.kb;
  startKeys(k);
  if (!k.isOrdered)
    buildAllKeys(k);
  if (!k.isOrdered && k.roundsFeatures())
    roundState(k);
  if (k.keptState && !k.isOrdered) {
    ScanState kept = keptState(k, kb.integer(0));
    copyState(k, k.state, kept);
    keepScalars(k, kept);
  }
  if (!k.isOrdered)
    return k.forChunks(k.nq,
                       [&](Value first) { kb.ifThen(placeChunk(k, k.queries, first), [&] { buildQueries(k, o); }); });
  forOrderedKeys(k, [&] {
    kb.ifThen(kb.compare(arith::CmpIPredicate::sgt, kb.add(k.queries.first, k.chunk), kb.integer(0)),
              [&] { buildQueries(k, o); });
  });
}

void kernel::buildScanTask(ScanKernel &k, const View &results, Value tile) {
  KernelBuilder &kb = k.kb;
  if (k.phase)
    return buildScanPhase(k, results, tile);
  Value heads = k.queries.source.sizes[1];
  View o = results;
  if (k.isBlock) { // columns of v and o
    Value slices = kb.div(o.sizes[3], kb.integer(k.valueDepth));
    Value first = kb.mul(kb.rem(tile, slices), k.valueDepth);
    for (View *view : {&k.valueSource, &o})
      view->pointer = kb.at(view->element, view->pointer, first);
    tile = kb.div(tile, slices);
  }
  k.h = kb.rem(tile, heads);
  k.b = kb.div(tile, heads);
  startHead(k);
  k.queries.writes = {{o, k.h, k.valueDepth}};
  forEachSegment(k, [&] { buildSegment(k, o); });
}
