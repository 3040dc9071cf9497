//===- ScanTaskVjp.cpp - The tasks of gradients of scans ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a task of `xft.scan_vjp`. R is the gradient of the state S, and dN are the gradients of the numerators of
// outputs. For each head and segment:
//
//   not ordered
//     all keys:     S and z, unless they were saved
//     all queries:  d_q, and R += phi(q) dN^T
//     all keys:     d_k, d_v from R
//
//   ordered
//     with segments, chunks forwards:  saves S before each chunk; without segments, the forward pass has saved it
//     chunks backwards:                d_q from the S before the chunk and the chunk's pairs;
//                                      d_k, d_v from the R after the chunk and its pairs;  R += phi(q) dN^T
//
//   then, once for all segments, the gradient that passes through the largest exponent of keys
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Scan/ScanMaxima.h"
#include "compiler/Target/Kernel/Scan/ScanRounding.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

Value kernel::addQueries(const ScanKernel &k, bool isFirst) {
  KernelBuilder &kb = k.kb;
  Value decay;
  if (k.scalesStates()) {
    Value before = k.scalar(xft::ScanReference), befores = kb.broadcast(before, k.lanes);
    scaleFeatures(k, k.task.queries, [&](Value row) {
      return stateFactor(k, k.runs(), befores, k.load(k.buffers.references, row),
                         k.hasDecay ? k.load(k.buffers.decays.before, row) : Value());
    });
    decay = stateFactor(k, k.runs(), before, k.element(k.buffers.references, k.chunk - 1),
                        k.hasDecay ? k.element(k.buffers.decays.before, k.chunk - 1) : Value());
  }
  addToState(k, isFirst ? ScanState{} : k.task.dState, k.task.dState, {k.task.queries, k.d->cotangents, k.d->norms},
             decay);
  return decay;
}

static void buildBidirectional(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.operands.keptState ? recallState(k, kb.integer(0)) : buildAllKeys(k);
  k.forChunks(k.operands.nq, [&](Value first) {
    kb.ifThen(placeChunk(k, k.task.queries, first), [&] {
      buildQueryGradients(k);
      addToState(k, k.task.dState, k.task.dState, {k.task.queries, k.d->cotangents, k.d->norms}, /*decay=*/nullptr);
    });
  });
  k.forChunks(k.operands.nk, [&](Value first) {
    kb.ifThen(placeChunk(k, k.task.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, KeyScaling::Direct);
      buildKeyGradients(k);
    });
  });
}

/// Builds a loop over the chunks from the last one to the first. Calls body(number, first) with a chunk's index and its
/// first position.
static void forChunksBackwards(const ScanKernel &k, function_ref<void(Value number, Value first)> body) {
  KernelBuilder &kb = k.kb;
  Value chunks = kb.ceilDiv(k.operands.nk, k.chunk);
  kb.loop(kb.integer(0), chunks, 1, [&](Value done) {
    Value number = kb.sub(kb.add(chunks, -1), done);
    body(number, kb.mul(number, k.chunk));
  });
}

/// Computes all gradients of an ordered scan from the saved states, from the last chunk to the first.
static void buildFromStates(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  forChunksBackwards(k, [&](Value number, Value first) {
    recallState(k, number);
    k.task.dState.ahead = keptState(k, kb.max(kb.add(number, -1), kb.integer(0))).matrix;
    kb.ifThen(placeOrderedChunk(k, first), [&] {
      loadOrderedKeys(k, first);
      buildQueryGradients(k);
      buildKeyGradients(k);
      if (k.operands.dDecay)
        addDecayGradients(k, first);
      addQueries(k);
      if (k.hasBeta)
        addPredictions(k);
    });
  });
}

void kernel::startGradientHead(ScanKernel &k, Value head) {
  k.task.h = head;
  startHead(k);
  k.task.queries.reads.push_back({k.operands.dOut, k.task.h, k.valueDepth});
  k.task.queries.writes = {{k.operands.dQ, k.task.h, k.depth}};
  k.task.keys.writes = {{k.operands.dK, k.task.keys.head, k.depth}, {k.operands.dV, k.task.valueHead, k.valueDepth}};
  if (k.hasMaximum)
    startMaximum(k);
}

void kernel::buildScanVjpTask(ScanKernel &k, xft::ScanVjpOp op, Value tile) {
  KernelBuilder &kb = k.kb;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getGroups());
  if (op.getDWeights()) {
    View view = View::of(kb, op.getDWeights());
    k.task.dWeights = view.at(kb, {tile});
  }
  if (k.inputTerms != 1)
    storeWeightOperands(k);
  if (k.phase)
    return buildScanVjpPhase(k, groups, tile);
  k.task.b = kb.div(tile, groups);
  Value heads = kb.div(k.task.queries.source.sizes[1], groups), first = kb.mul(kb.rem(tile, groups), heads);
  kb.loop(first, kb.add(first, heads), 1, [&](Value head) {
    startGradientHead(k, head);
    forEachSegment(k, [&] {
      startKeys(k);
      clearState(k, k.task.dState);
      if (!k.op.isOrdered)
        return buildBidirectional(k);
      if (k.task.segment)
        forOrderedKeys(k, /*queries=*/{});
      buildFromStates(k);
    });
    if (k.hasMaximum)
      giveMaximum(k);
  });
}
