//===- ExpandScanVjp.cpp - Gradients of scans become vector code ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.scan_vjp`, for each head and segment:
//
//   not ordered                            ordered
//     all keys: S, z, unless kept            chunks backwards:
//     all queries: d_q, and R += phi(q) dN^T   d_q from the kept S before the chunk, and the chunk's pairs
//     all keys: d_k, d_v from R                d_k, d_v from R behind the chunk, and its pairs; R += phi(q) dN^T
//
// With segments no state is kept: chunks go forwards for d_q and S, and backwards for d_k, d_v and R.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ScanKernel.h"
#include "compiler/Target/CPU/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static void storeReferences(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Value end = kb.min(kb.sub(k.nk, first), kb.integer(k.chunk));
  kb.loop(kb.integer(0), end, 1, [&](Value row) {
    Value reference = kb.load(k.real, kb.at(k.real, k.references, row));
    kb.store(reference, k.referenceView.at(kb, {k.b, k.h, kb.add(first, row)}));
  });
}

static void recallReferences(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value row) {
    Value index = kb.min(kb.add(first, row), kb.add(k.nk, -1));
    Value reference = kb.load(k.real, k.referenceView.at(kb, {k.b, k.h, index}));
    kb.store(reference, kb.at(k.real, k.references, row));
  });
}

/// The chunk takes no part: its references are those before it.
static void repeatReference(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value reference = kb.broadcast(k.scalar(xft::ScanReference), k.lanes);
  k.forRows([&](Value row) { k.store(reference, k.references, row); });
}

//===----------------------------------------------------------------------===//
// Decays
//===----------------------------------------------------------------------===//

/// What the chunk's queries receive.
static void saveMoments(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), kb.integer(k.chunk), 1, [&](Value row) {
    Value moment = kb.load(k.real, kb.at(k.real, k.moments, row));
    moment = kb.select(takesPart(k, k.queries, row), moment, kb.real(k.real, 0));
    kb.store(moment, kb.at(k.real, k.received, row));
  });
}

/// The gradient of the chunk's decays, from the last one down. A key's own row sees it without decay: it is in both
/// sums, and goes.
static void storeDecayGradients(ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  Type wide = kb.b.getF64Type();
  Value end = kb.min(kb.sub(k.nk, first), kb.integer(k.chunk));
  Value left = kb.loop(kb.integer(0), end, 1, kb.load(wide, k.momentsLeft), [&](Value number, ValueRange left) {
    Value row = kb.sub(kb.add(end, -1), number), place = k.dDecay->at(kb, {k.b, k.h, kb.add(first, row)});
    Value received = convertFloat(kb, kb.load(k.real, kb.at(k.real, k.received, row)), wide);
    Value given = convertFloat(kb, kb.load(k.real, kb.at(k.real, k.moments, row)), wide);
    given = kb.select(takesPart(k, k.keys, row), given, kb.real(wide, 0));
    Value sum = kb.addf(left[0], kb.subf(received, given));
    Value decay = convertFloat(kb, kb.load(k.real, kb.at(k.real, k.decays, row)), wide);
    kb.store(convertFloat(kb, kb.divf(sum, decay), k.real), place);
    return SmallVector<Value>{sum};
  })[0];
  kb.store(left, k.momentsLeft);
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// R takes the chunk's queries, and becomes relative to the reference `before` the chunk.
static void addQueries(ScanKernel &k, Value before) {
  KernelBuilder &kb = k.kb;
  if (!k.scalesStates())
    return addToState(k, k.dState, k.queries, k.cotangents, k.dNorms, /*decay=*/nullptr);
  auto lastOf = [&](Value buffer) { return kb.load(k.real, kb.at(k.real, buffer, k.chunk - 1)); };
  Value befores = kb.broadcast(before, k.lanes);
  scaleFeatures(k, k.queries, [&](Value row) {
    return stateFactor(k, befores, k.load(k.references, row), k.hasDecay ? k.load(k.decaysBefore, row) : Value());
  });
  Value decay = stateFactor(k, before, lastOf(k.references), k.hasDecay ? lastOf(k.decaysBefore) : Value());
  addToState(k, k.dState, k.queries, k.cotangents, k.dNorms, decay);
}

static void buildBidirectional(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  k.keptState ? recallState(k, kb.integer(0)) : buildAllKeys(k);
  k.forChunks(k.nq, [&](Value first) {
    kb.ifThen(placeChunk(k, k.queries, first), [&] {
      buildQueryGradients(k);
      addToState(k, k.dState, k.queries, k.cotangents, k.dNorms, /*decay=*/nullptr);
    });
  });
  k.forChunks(k.nk, [&](Value first) {
    kb.ifThen(placeChunk(k, k.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, KeyScaling::Direct);
      buildKeyGradients(k, nullptr, nullptr);
    });
  });
}

/// body(number of the chunk, its first position), from the last chunk down.
static void forChunksBackwards(ScanKernel &k, function_ref<void(Value number, Value first)> body) {
  KernelBuilder &kb = k.kb;
  Value chunks = kb.ceilDiv(k.nk, k.chunk);
  kb.loop(kb.integer(0), chunks, 1, [&](Value done) {
    Value number = kb.sub(kb.add(chunks, -1), done);
    body(number, kb.mul(number, k.chunk));
  });
}

/// Everything on the way back.
static void buildFromStates(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  auto turn = [&](Value matrix) {
    transposeRows(k, matrix, k.turned, k.chunk);
    return k.turned;
  };
  forChunksBackwards(k, [&](Value number, Value first) {
    recallState(k, number);
    kb.ifThen(placeOrderedChunk(k, first), [&] {
      loadKeys(k);
      loadDecays(k, first);
      buildKeyFeatures(k, k.runs() ? KeyScaling::Running : KeyScaling::Direct);
      buildUpdates(k);
      buildQueryGradients(k);
      if (k.dDecay)
        saveMoments(k);
      buildKeyGradients(k, [&] { return turn(k.pairs); }, [&] { return turn(k.dPairs); });
      if (k.dDecay)
        storeDecayGradients(k, first);
      addQueries(k, k.scalar(xft::ScanReference));
      if (k.hasBeta)
        addPredictions(k);
    });
  });
}

/// Queries on the way forwards, keys on the way back.
static void buildOnBothWays(ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  buildAllKeys(k);
  k.forChunks(k.nk, [&](Value first) {
    if (k.runs())
      repeatReference(k);
    kb.ifThen(placeOrderedChunk(k, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, k.runs() ? KeyScaling::Running : KeyScaling::Direct);
      buildQueryGradients(k);
      addKeys(k, k.runs());
    });
    if (k.runs())
      storeReferences(k, first);
  });
  forChunksBackwards(k, [&](Value, Value first) {
    if (k.runs())
      recallReferences(k, first);
    kb.ifThen(placeOrderedChunk(k, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, k.runs() ? KeyScaling::Recalled : KeyScaling::Direct);
      buildKeyGradientsAlone(k);
      kb.ifThen(kb.compare(arith::CmpIPredicate::sgt, first, kb.integer(0)), [&] {
        Value before = kb.real(k.real, 0);
        if (k.runs())
          before = kb.load(k.real, k.referenceView.at(kb, {k.b, k.h, kb.add(first, -1)}));
        addQueries(k, before);
      });
    });
  });
}

/// Task (b, group): the heads of the group.
static void buildTask(ScanKernel &k, xft::ScanVjpOp op, Value tile) {
  KernelBuilder &kb = k.kb;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getGroups());
  k.b = kb.div(tile, groups);
  if (op.getDWeights()) {
    View view = View::of(kb, op.getDWeights());
    k.dWeights = view.at(kb, {tile});
  }
  Value heads = kb.div(k.queries.source.sizes[1], groups), first = kb.mul(kb.rem(tile, groups), heads);
  kb.loop(first, kb.add(first, heads), 1, [&](Value head) {
    k.h = head;
    startHead(k);
    forEachSegment(k, [&] {
      startKeys(k);
      clearState(k, k.dState);
      kb.store(kb.real(kb.b.getF64Type(), 0), k.momentsLeft);
      if (!k.isOrdered)
        return buildBidirectional(k);
      k.keptState ? buildFromStates(k) : buildOnBothWays(k);
    });
  });
}

LogicalResult cpu::expandScanVjp(xft::ScanVjpOp op, KernelBuilder &kb) {
  ScanKernel k(op, kb);
  kb.loop(k.kernel.getArgument(0), k.kernel.getArgument(1), 1, [&](Value tile) { buildTask(k, op, tile); });
  op.erase();
  return success();
}
