//===- ScanTaskVjp.cpp - The tasks of gradients of scans ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.scan_vjp`, for each head and segment:
//
//   not ordered
//     all keys:     S and z, unless they were saved
//     all queries:  d_q, and R += phi(q) dN^T
//     all keys:     d_k, d_v from R
//
//   ordered
//     with segments, chunks forwards:  S before each chunk, which is saved; else it was saved before
//     chunks backwards:                d_q from the S before the chunk and the chunk's pairs;
//                                      d_k, d_v from the R after the chunk and its pairs;  R += phi(q) dN^T
//
//   then, of all segments, the gradient that passes through the largest exponent of keys
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

Value kernel::addQueries(ScanKernel &k, bool isFirst) {
  KernelBuilder &kb = k.kb;
  Value decay;
  if (k.scalesStates()) {
    auto lastOf = [&](Value buffer) { return kb.load(k.real, kb.at(k.real, buffer, k.chunk - 1)); };
    Value before = k.scalar(xft::ScanReference), befores = kb.broadcast(before, k.lanes);
    scaleFeatures(k, k.queries, [&](Value row) {
      return stateFactor(k, k.runs(), befores, k.load(k.references, row),
                         k.hasDecay ? k.load(k.decaysBefore, row) : Value());
    });
    decay = stateFactor(k, k.runs(), before, lastOf(k.references), k.hasDecay ? lastOf(k.decaysBefore) : Value());
  }
  addToState(k, isFirst ? ScanState{} : k.dState, k.dState, k.queries, k.cotangents, k.dNorms, decay);
  return decay;
}

static void buildBidirectional(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.keptState ? recallState(k, kb.integer(0)) : buildAllKeys(k);
  k.forChunks(k.nq, [&](Value first) {
    kb.ifThen(placeChunk(k, k.queries, first), [&] {
      buildQueryGradients(k);
      addToState(k, k.dState, k.dState, k.queries, k.cotangents, k.dNorms, /*decay=*/nullptr);
    });
  });
  k.forChunks(k.nk, [&](Value first) {
    kb.ifThen(placeChunk(k, k.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, KeyScaling::Direct);
      buildKeyGradients(k);
    });
  });
}

/// Builds a loop that calls body(index of the chunk, its first position), from the last chunk to the first.
static void forChunksBackwards(ScanKernel &k, function_ref<void(Value number, Value first)> body) {
  KernelBuilder &kb = k.kb;
  Value chunks = kb.ceilDiv(k.nk, k.chunk);
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
    k.dState.ahead = keptState(k, kb.max(kb.add(number, -1), kb.integer(0))).matrix;
    kb.ifThen(placeOrderedChunk(k, first), [&] {
      loadOrderedKeys(k, first);
      buildQueryGradients(k);
      buildKeyGradients(k);
      if (k.dDecay)
        addDecayGradients(k, first);
      addQueries(k);
      if (k.hasBeta)
        addPredictions(k);
    });
  });
}

void kernel::startGradientHead(ScanKernel &k, Value head) {
  k.h = head;
  startHead(k);
  k.queries.reads.push_back({k.dOut, k.h, k.valueDepth});
  k.queries.writes = {{k.dQ, k.h, k.depth}};
  k.keys.writes = {{k.dK, k.keys.head, k.depth}, {k.dV, k.valueHead, k.valueDepth}};
  if (k.hasMaximum)
    startMaximum(k);
}

void kernel::buildScanVjpTask(ScanKernel &k, xft::ScanVjpOp op, Value tile) {
  KernelBuilder &kb = k.kb;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getGroups());
  if (op.getDWeights()) {
    View view = View::of(kb, op.getDWeights());
    k.dWeights = view.at(kb, {tile});
  }
  if (k.inputTerms != 1)
    storeWeightOperands(k);
  if (k.phase)
    return buildScanVjpPhase(k, groups, tile);
  k.b = kb.div(tile, groups);
  Value heads = kb.div(k.queries.source.sizes[1], groups), first = kb.mul(kb.rem(tile, groups), heads);
  kb.loop(first, kb.add(first, heads), 1, [&](Value head) {
    startGradientHead(k, head);
    forEachSegment(k, [&] {
      startKeys(k);
      clearState(k, k.dState);
      if (!k.isOrdered)
        return buildBidirectional(k);
      if (k.segment)
        forOrderedKeys(k, /*queries=*/{});
      buildFromStates(k);
    });
    if (k.hasMaximum)
      giveMaximum(k);
  });
}
