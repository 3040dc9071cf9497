//===- ScanPhasesVjp.cpp - Gradients of slices in parallel ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the gradients of all chunks in parallel. The state before each chunk is saved, so the only recurrence
// between chunks is R, the gradient of the state, which is summed from the last chunk down. There are three or four
// launches:
//
//   queries   each chunk:  d_q;  d_state[chunk] = the sum R of its queries alone
//   join      each element of R:  d_state[chunk] = R after the chunk, from the last chunk down
//   keys      each chunk:  d_k, d_v, d_decay from R after the chunk
//   join      again, if keys have a maximum: adds the gradient of the maximum to d_k
//
//   not ordered: join stores the sum of all chunks, which all keys receive, to d_state[0].
//
// The phases `queries` and `keys` both compute the features, pairs and cotangents of a chunk. Two kinds of numbers are
// stored after R of a chunk. First comes the factor of R over the chunk (decays, and powers of 2 between references),
// in the place of the product of decays. Last come the moments that the chunk's rows receive from earlier chunks, for
// gradients of decays.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanMaxima.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static Value slices(const ScanKernel &k) { return slicesOf(k, k.op.isOrdered ? k.operands.nk : k.operands.nq, 1); }

static Value decayPlace(const ScanKernel &k, Value number) {
  return k.kb.at(k.real, keptScalars(k, keptIn(k, *k.operands.keptGradient, number)), xft::ScanDecay);
}
static Value receivedPlace(const ScanKernel &k, Value number) {
  return k.kb.at(k.real, k.operands.keptGradient->at(k.kb, {k.task.b, k.task.h, number}), k.keptElements());
}

/// Calls body(head) for each head of the group of heads with index `group` in a grid (b, group of heads).
static void forHeadsOf(ScanKernel &k, Value groups, Value group, function_ref<void(Value head)> body) {
  KernelBuilder &kb = k.kb;
  k.task.b = kb.div(group, groups);
  Value heads = kb.div(k.task.queries.source.sizes[1], groups), first = kb.mul(kb.rem(group, groups), heads);
  kb.loop(first, kb.add(first, heads), 1, body);
}

/// Calls body(number) for each head of task `tile` of a grid (b, group of heads, chunk). `number` is the index of the
/// task's chunk, less than `count`. `groups` is the number of groups of heads.
static void forHeads(ScanKernel &k, Value groups, Value tile, Value count, function_ref<void(Value number)> body) {
  KernelBuilder &kb = k.kb;
  Value number = kb.rem(tile, count);
  forHeadsOf(k, groups, kb.div(tile, count), [&](Value head) {
    startGradientHead(k, head);
    startKeys(k);
    body(number);
  });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static void buildQueriesTask(ScanKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(number, k.chunk);
  recallState(k, k.op.isOrdered ? number : kb.integer(0));
  k.task.dState = keptIn(k, *k.operands.keptGradient, number);
  k.threads.once([&] { kb.store(kb.real(k.real, 1), decayPlace(k, number)); });
  if (k.operands.dDecay)
    k.clear(receivedPlace(k, number), k.chunk);
  auto add = [&]() -> SmallVector<Value> {
    if (k.op.isOrdered)
      loadOrderedKeys(k, first);
    buildQueryGradients(k);
    if (k.op.isOrdered && k.operands.dDecay)
      copyElements(k, k.d->received, receivedPlace(k, number), k.chunk);
    Value decay = addQueries(k, /*isFirst=*/true);
    if (k.op.isOrdered && decay)
      k.threads.once([&] { kb.store(decay, decayPlace(k, number)); });
    return {};
  };
  auto clear = [&]() -> SmallVector<Value> {
    clearState(k, k.task.dState);
    return {};
  };
  kb.ifElse(k.op.isOrdered ? placeOrderedChunk(k, first) : placeChunk(k, k.task.queries, first), {}, add, clear);
}

//===----------------------------------------------------------------------===//
// Join
//===----------------------------------------------------------------------===//

static void joinElement(const ScanKernel &k, Value element) {
  KernelBuilder &kb = k.kb;
  auto place = [&](Value number) { return kb.at(k.real, keptIn(k, *k.operands.keptGradient, number).matrix, element); };
  Value last = kb.add(slices(k), -1), zero = kb.real(k.real, 0);
  Value sum = kb.loop(kb.integer(0), slices(k), 1, zero, [&](Value done, ValueRange behind) -> SmallVector<Value> {
    Value number = k.op.isOrdered ? kb.sub(last, done) : done, own = kb.load(k.real, place(number));
    if (!k.op.isOrdered)
      return {kb.addf(behind[0], own)};
    kb.store(behind[0], place(number));
    return {kb.fma(behind[0], kb.load(k.real, decayPlace(k, number)), own)};
  })[0];
  if (!k.op.isOrdered)
    kb.store(sum, place(kb.integer(0)));
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static void buildKeysTask(ScanKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(number, k.chunk), from = k.op.isOrdered ? number : kb.integer(0);
  recallState(k, from);
  k.task.dState = keptIn(k, *k.operands.keptGradient, from);
  if (!k.op.isOrdered)
    return kb.ifThen(placeChunk(k, k.task.keys, first), [&] {
      loadKeys(k);
      buildKeyFeatures(k, KeyScaling::Direct);
      buildKeyGradients(k);
    });
  kb.ifThen(placeOrderedChunk(k, first), [&] {
    loadOrderedKeys(k, first);
    loadCotangents(k);
    if (k.operands.dDecay)
      copyElements(k, receivedPlace(k, number), k.d->received, k.chunk);
    buildKeyGradients(k);
    if (k.operands.dDecay)
      addDecayGradients(k, first);
  });
}

/// Adds the gradients that pass through the maxima of keys, for the heads of group `group`. keepMaximum has stored
/// these maxima.
static void buildMaximaTask(ScanKernel &k, Value groups, Value group) {
  forHeadsOf(k, groups, group, [&](Value head) {
    k.task.h = head;
    k.task.keys.head = k.kb.div(head, k.kb.div(k.task.queries.source.sizes[1], k.task.keys.source.sizes[1]));
    giveKeptMaxima(k);
  });
}

void kernel::buildScanVjpPhase(ScanKernel &k, Value groups, Value tile) {
  KernelBuilder &kb = k.kb;
  switch (*k.phase) {
  case xft::ScanPhase::queries:
    return forHeads(k, groups, tile, slices(k), [&](Value number) { buildQueriesTask(k, number); });
  case xft::ScanPhase::join:
    if (k.op.joinsMaxima)
      return buildMaximaTask(k, groups, tile);
    return forJoinedElements(k, startTask(k, tile, kb.integer(k.joinTasks())),
                             [&](Value element) { joinElement(k, element); });
  case xft::ScanPhase::keys:
    return forHeads(k, groups, tile, slicesOf(k, k.operands.nk, 1), [&](Value number) {
      buildKeysTask(k, number);
      if (k.hasMaximum)
        keepMaximum(k, number);
    });
  }
}
