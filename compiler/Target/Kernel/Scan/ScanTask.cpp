//===- ScanTask.cpp - The tasks of scans ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a task of `xft.scan`:
//
//   for each segment                     once, without segments
//     for each chunk of keys             not ordered: the state of all keys first
//       phi(k);  S += phi(k) v^T
//     for each chunk of queries
//       phi(q);  o = phi(q) S / (phi(q) z + guard)
//
//   ordered: one loop over chunks; queries see the state before their chunk, and the pairs of their chunk.
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

/// Returns the smaller of `count` and the length of the task's batch entry in `lengths`, or `count` if `lengths` is
/// null.
static Value limitOf(const ScanKernel &k, Value lengths, Value count) {
  KernelBuilder &kb = k.kb;
  if (!lengths)
    return count;
  View view = View::of(kb, lengths);
  Value b = cast<MemRefType>(lengths.getType()).getDimSize(0) == 1 ? kb.integer(0) : k.task.b;
  Value length = kb.load(view.element, view.at(kb, {b}));
  if (!view.element.isInteger(64))
    length = arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), length);
  return kb.min(count, length);
}

static bool isSequence(const ScanKernel &k) { return k.hasExponents() && k.op.stabilizer == Stabilizer::k_sequence; }

/// Sets the limit of keys to the end of the keys that some query sees. Keys after it must not add to a state or get a
/// gradient, since their values may be NaN.
static void limitKeys(ScanKernel &k) {
  k.task.endOfQueries = endOfQueries(k);
  k.task.keys.limit = k.kb.min(k.task.keyLength, k.task.endOfQueries);
}

/// Resets the scalars ScanLargest and ScanCount. If keys are stabilised by the maximum of the sequence, and no later
/// pass finds it, sets ScanLargest to this maximum: the largest a * u over all keys that some query sees, in all
/// segments. Here a is the factor of the projection u in an exponent of features.
static void buildSequenceLargest(ScanKernel &k) {
  k.setScalar(xft::ScanLargest, k.kb.real(k.real, lowest * M_LN2)); // without keys, the shift is the reference
  k.setScalar(xft::ScanCount, k.kb.real(k.real, 0));
  if (!isSequence(k) || !(k.op.isOrdered || k.task.queries.segments) || k.phase)
    return; // found by the pass over all keys, or by those over slices
  forEachSegment(k, [&] {
    limitKeys(k);
    k.forChunks(k.operands.nk, [&](Value first) {
      k.kb.ifThen(placeChunk(k, k.task.keys, first), [&] {
        loadInputs(k, k.task.keys);
        buildLargest(k);
      });
    });
  });
}

void kernel::startHead(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto headOf = [&](const View &view) {
    return kb.div(k.task.h, kb.div(k.task.queries.source.sizes[1], view.sizes[1]));
  };
  k.task.keys.head = headOf(k.task.keys.source);
  k.task.queries.head = k.task.h;
  k.task.valueHead = headOf(k.task.valueSource);
  k.task.keys.reads = {{k.task.keys.source, k.task.keys.head, k.depth},
                       {k.task.valueSource, k.task.valueHead, k.valueDepth}};
  k.task.queries.reads = {{k.task.queries.source, k.task.queries.head, k.depth}};
  k.task.keys.step = k.task.queries.step = k.isGradient && k.op.isOrdered ? -k.chunk : k.chunk;
  k.task.keyLength = limitOf(k, k.operands.lengths, k.operands.nk);
  k.task.queries.limit = limitOf(k, k.operands.queryLengths, k.operands.nq);
  buildSequenceLargest(k);
}

void kernel::startKeys(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.setScalar(xft::ScanReference, kb.real(k.real, lowest));
  for (auto which : {xft::ScanShift, xft::ScanCount})
    k.setScalar(which, kb.real(k.real, 0));
  if (k.isBlock())
    k.setScalar(xft::ScanDecay, kb.real(k.real, 1));
  limitKeys(k);
  if (k.hasDecay && k.task.segment)
    k.task.firstKey = findFirstKey(k);
}

void kernel::loadKeys(const ScanKernel &k) {
  loadInputs(k, k.task.keys);
  loadRows(k, k.task.keys, {k.task.valueSource, k.task.valueHead, k.valueDepth}, k.buffers.values, 1);
  if (k.roundsFeatures())
    storeValueOperands(k);
}

void kernel::buildAllKeys(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  clearState(k, k.task.state);
  if (k.op.isOrdered) {
    if (isSequence(k))
      k.setScalar(xft::ScanShift, kb.mulf(k.scalar(xft::ScanLargest), kb.real(k.real, M_LOG2E)));
    return;
  }
  k.clear(k.buffers.valueSums, k.valueColumns());
  bool runs = isSequence(k) || (k.hasExponents() && k.op.stabilizer == Stabilizer::k_running);
  k.forChunks(k.operands.nk, [&](Value first) {
    kb.ifThen(placeChunk(k, k.task.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, runs ? KeyScaling::Running : KeyScaling::Direct);
      addKeys(k, k.task.state, runs);
    });
  });
  finishKeys(k);
}

Value kernel::placeOrderedChunk(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Value hasKeys = placeChunk(k, k.task.keys, first);
  Value hasQueries = placeChunk(k, k.task.queries, kb.sub(first, kb.sub(k.operands.nk, k.operands.nq)));
  if (k.hasDecay && k.task.segment) { // decay also applies to chunks where no row takes part
    Value isBehind = kb.compare(arith::CmpIPredicate::slt, k.task.firstKey, kb.add(first, k.chunk));
    return arith::AndIOp::create(kb.b, kb.loc, isBehind,
                                 kb.compare(arith::CmpIPredicate::slt, first, k.task.endOfQueries));
  }
  if (k.hasDecay)
    return kb.constant(kb.b.getBoolAttr(true));
  return arith::OrIOp::create(kb.b, kb.loc, hasKeys, hasQueries);
}

void kernel::loadOrderedKeys(const ScanKernel &k, Value first) {
  loadKeys(k);
  loadDecays(k, first);
  buildKeyFeatures(k, k.runs() ? KeyScaling::Running : KeyScaling::Direct);
  buildUpdates(k);
}

void kernel::forOrderedKeys(ScanKernel &k, function_ref<void()> queries) {
  KernelBuilder &kb = k.kb;
  if (k.operands.keptState)
    k.task.state = keptState(k, kb.integer(0));
  buildAllKeys(k);
  k.forChunks(k.operands.nk, [&](Value first) {
    Value behind = kb.add(first, k.chunk), hasNext = kb.compare(arith::CmpIPredicate::slt, behind, k.operands.nk);
    ScanState next = k.task.state;
    if (k.operands.keptState) {
      k.task.state = keptState(k, kb.floorDiv(first, k.chunk));
      next = keptState(k, kb.floorDiv(behind, k.chunk));
      next.ahead = keptState(k, kb.add(kb.floorDiv(behind, k.chunk), 1)).matrix;
      keepScalars(k, k.task.state);
    }
    auto addChunk = [&]() -> SmallVector<Value> {
      loadOrderedKeys(k, first);
      if (queries)
        queries();
      kb.ifThen(hasNext, [&] { addKeys(k, next, k.runs()); });
      return {};
    };
    auto skipChunk = [&]() -> SmallVector<Value> {
      if (k.operands.keptState)
        kb.ifThen(hasNext, [&] { copyState(k, k.task.state, next); });
      return {};
    };
    kb.ifElse(placeOrderedChunk(k, first), {}, addChunk, skipChunk);
  });
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Computes the outputs of the chunk's queries, and stores them to `o`. An output is norm (factor phi(q) S + sum over
/// the chunk's keys of w v).
static void buildOutputs(const ScanKernel &k, const View &o) {
  KernelBuilder &kb = k.kb;
  ScanProduct product{k.chunk,
                      k.valueColumns(),
                      k.features(),
                      {k.buffers.features.queries, 1, k.pitch(), k.threads.roundsFactors()},
                      {k.task.state.matrix, 1, k.task.state.pitch},
                      /*columnsOutside=*/true};
  if (k.roundsFeatures()) {
    product = productOfFeatures(k, k.task.queries, k.buffers.rounded.state, k.valueColumns(), k.valueColumns());
    product.columnsOutside = true;
  }
  if (!k.operands.weights)
    product.prefetched = &k.task.queries;
  ScanOperand pairs{k.buffers.pairs, 1, k.pitch(), k.threads.roundsFactors()};
  ScanOperand values{k.buffers.values, 1, k.valuePitch(), k.op.hasShortInputs};
  Value isFinite;
  if (k.op.isOrdered && k.threads.usesTensorCores())
    isFinite = areFinite(k, ScanMatrix{k.buffers.values, k.chunk, k.valueColumns(), k.valuePitch()});
  buildProduct(k, product, [&](const ScanTile &shape, SmallVector<Value> tile) {
    if (k.scalesStates())
      for (int64_t n = 0; n < shape.size(); ++n)
        tile[n] = kb.mulf(tile[n], k.splat(k.buffers.factors, shape.rowAt(kb, n / shape.registers)));
    if (k.op.isOrdered && shape.firstRow && k.threads.usesTensorCores()) {
      Value end = kb.add(shape.firstRow, WarpTile::down * shape.rows);
      auto isSeen = [&](Value index, Value term) { return kb.compare(arith::CmpIPredicate::sle, term, index); };
      tile = addSeenTerms(k, shape, tile, {pairs, values, kb.integer(0), end}, {isFinite, /*ofRows=*/true, isSeen});
    } else if (k.op.isOrdered) {
      tile = addTerms(k, shape, tile, {pairs, values, kb.integer(0), shape.row});
      tile = addTriangle(k, shape, tile, pairs, values, /*isLower=*/true);
    }
    for (int64_t n = 0; n < shape.rows; ++n) {
      Value norm = k.splat(k.buffers.norms, shape.rowAt(kb, n));
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(kb.mulf(shape.at(tile, n, c), norm),
                 k.at(k.buffers.outputs, shape.rowAt(kb, n), k.valueColumns(), shape.columnAt(kb, c)));
    }
  });
  storeRows(k, k.task.queries, k.buffers.outputs, {o, k.task.h, k.valueDepth}, /*adds=*/false);
}

void kernel::buildQueries(const ScanKernel &k, const View &o) {
  loadInputs(k, k.task.queries);
  buildQueryFeatures(k);
  if (k.op.isOrdered)
    buildPairs(k);
  buildNorms(k);
  if (k.op.isOrdered && k.roundsFeatures())
    roundState(k);
  buildOutputs(k, o);
}

static void buildSegment(ScanKernel &k, const View &o) {
  KernelBuilder &kb = k.kb;
  startKeys(k);
  if (!k.op.isOrdered)
    buildAllKeys(k);
  if (!k.op.isOrdered && k.roundsFeatures())
    roundState(k);
  if (k.operands.keptState && !k.op.isOrdered) {
    ScanState kept = keptState(k, kb.integer(0));
    copyState(k, k.task.state, kept);
    keepScalars(k, kept);
  }
  if (!k.op.isOrdered)
    return k.forChunks(k.operands.nq, [&](Value first) {
      kb.ifThen(placeChunk(k, k.task.queries, first), [&] { buildQueries(k, o); });
    });
  forOrderedKeys(k, [&] {
    kb.ifThen(kb.compare(arith::CmpIPredicate::sgt, kb.add(k.task.queries.first, k.chunk), kb.integer(0)),
              [&] { buildQueries(k, o); });
  });
}

void kernel::buildScanTask(ScanKernel &k, const View &results, Value tile) {
  KernelBuilder &kb = k.kb;
  if (k.phase)
    return buildScanPhase(k, results, tile);
  Value heads = k.task.queries.source.sizes[1];
  View o = results;
  if (k.isBlock()) { // columns of v and o
    Value slices = kb.div(o.sizes[3], kb.integer(k.valueDepth));
    Value first = kb.mul(kb.rem(tile, slices), k.valueDepth);
    for (View *view : {&k.task.valueSource, &o})
      view->pointer = kb.at(view->element, view->pointer, first);
    tile = kb.div(tile, slices);
  }
  k.task.h = kb.rem(tile, heads);
  k.task.b = kb.div(tile, heads);
  startHead(k);
  k.task.queries.writes = {{o, k.task.h, k.valueDepth}};
  forEachSegment(k, [&] { buildSegment(k, o); });
}
