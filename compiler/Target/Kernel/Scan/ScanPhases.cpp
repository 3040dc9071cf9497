//===- ScanPhases.cpp - Slices of a sequence in parallel ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes slices of a few chunks in parallel, by three launches (the chunked form of Yang 2024 and of Dao and Gu
// 2024). This needs updates of a state that do not depend on the state, so it excludes the delta rule:
//
//   keys      each slice:  state[slice] = S and z of its keys alone;  slice scalars[slice]
//   join      each element of a state:  state[slice] = the sum over all slices before, in their order
//   queries   each slice:  its chunks in order, like a task of the whole sequence, starting from state[slice]
//
//   not ordered: join stores the sum of all slices, which all queries see, to state[0].
//
// The state of a slice is relative to the running reference of the slice. References are powers of 2, so joined states
// do not depend on them. Slices lie at absolute positions and are joined in order. So rows do not depend on later rows,
// and results do not depend on the number of thread blocks. Compared with a task that computes all chunks in order,
// only the order of sums differs.
//
// With a maximum of the sequence, slices use running references, too. `join` then finds the maximum, multiplies by the
// missing factor, and adds epsilon times the sums of v and 1.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

Value kernel::startTask(ScanKernel &k, Value tile, Value count) {
  KernelBuilder &kb = k.kb;
  Value heads = k.task.queries.source.sizes[1], head = kb.div(tile, count);
  k.task.h = kb.rem(head, heads);
  k.task.b = kb.div(head, heads);
  return kb.rem(tile, count);
}

Value kernel::slicesOf(const ScanKernel &k, Value rows, int64_t chunks) {
  return k.kb.max(k.kb.ceilDiv(rows, chunks * k.chunk), k.kb.integer(1));
}

static Value slices(const ScanKernel &k) { return k.operands.keptState->sizes[2]; }

/// Calls body(first, end) for each chunk of slice `number` of a sequence of `count` rows. `first` is the first row of
/// the chunk, and `end` the end of the slice.
static void forChunksOf(const ScanKernel &k, Value number, Value count,
                        function_ref<void(Value first, Value end)> body) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(number, k.slice * k.chunk), end = kb.min(kb.add(first, k.slice * k.chunk), count);
  if (k.slice == 1)
    return kb.ifThen(kb.compare(slt, first, count), [&] { body(first, end); });
  kb.loop(first, end, k.chunk, [&](Value chunk) { body(chunk, end); });
}

/// Returns whether the keys of slices are relative to running references. This also holds if the stabiliser is the
/// maximum over the sequence, because no slice knows this maximum.
static bool runsInSlices(const ScanKernel &k) {
  return k.hasExponents() && (k.op.stabilizer == Stabilizer::k_running || k.op.stabilizer == Stabilizer::k_sequence);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Adds the chunk of keys at `first`, which placeChunk has set, to the state of the slice.
static void addChunk(const ScanKernel &k, Value first) {
  KernelBuilder &kb = k.kb;
  loadKeys(k);
  loadDecays(k, first);
  buildKeyFeatures(k, runsInSlices(k) ? KeyScaling::Running : KeyScaling::Direct);
  addKeys(k, k.task.state, runsInSlices(k));
  if (k.hasDecay) {
    Value before = k.scalar(xft::ScanDecay), own = k.element(k.buffers.decays.before, k.chunk - 1);
    k.setScalar(xft::ScanDecay, kb.mulf(before, own));
  }
}

static void buildKeysTask(ScanKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Value number = startTask(k, tile, slices(k)), isWanted = kb.constant(kb.b.getBoolAttr(true));
  if (k.op.isOrdered && !isFinishedLater(k))
    isWanted = kb.compare(slt, kb.add(number, 1), slices(k));
  kb.ifThen(isWanted, [&] {
    startHead(k);
    startKeys(k);
    ScanState kept = keptState(k, number);
    if (k.slice == 1)
      k.task.state = kept;
    clearState(k, k.task.state);
    k.clear(k.buffers.valueSums, k.valueColumns());
    forChunksOf(k, number, k.operands.nk, [&](Value first, Value) {
      Value takesPart = placeChunk(k, k.task.keys, first);
      if (k.hasDecay) // decay also applies to chunks where no key takes part
        takesPart = kb.constant(kb.b.getBoolAttr(true));
      kb.ifThen(takesPart, [&] { addChunk(k, first); });
    });
    if (k.slice != 1)
      copyState(k, k.task.state, kept);
    copyElements(k, k.buffers.scalars, keptSliceScalars(k, kept), xft::ScanScalarCount);
    copyElements(k, k.buffers.valueSums, keptValueSums(k, kept), k.valueColumns());
  });
}

//===----------------------------------------------------------------------===//
// Join
//===----------------------------------------------------------------------===//

namespace {
/// Joins one element of the states of all slices, in one thread.
class JoinedSlices {
public:
  JoinedSlices(const ScanKernel &k, Value element) : k(k), kb(k.kb), element(element) {
    if (isFinishedLater(k))
      largest = findLargest();
  }

  /// In an ordered scan, replaces the element of each slice's state by the sum over all slices before it. In other
  /// scans, replaces the element of the first slice's state by the sum over all slices. The thread whose `isFirst` (i1)
  /// is set also stores the scalars of states.
  void join(Value isFirst) {
    Value last = kb.add(slices(k), k.op.isOrdered ? -1 : 0), zero = kb.real(k.real, 0);
    SmallVector<Value> sums = {zero, kb.real(k.real, reference()), zero}; // of the element, its power of 2, keys
    sums = kb.loop(kb.integer(0), last, 1, sums, [&](Value number, ValueRange before) {
      ScanState slice = keptState(k, number);
      Value own = k.element(slice.matrix, element);
      if (k.op.isOrdered)
        leave(number, before, isFirst);
      return add(slice, own, before);
    });
    leave(k.op.isOrdered ? last : kb.integer(0), sums, isFirst);
  }

private:
  static double reference() { return -1e6; }
  Value sliceScalar(const ScanState &slice, xft::ScanScalar which) {
    return k.element(keptSliceScalars(k, slice), which);
  }

  /// Returns the largest a * u over the keys of all slices, where a is the factor of the projection u in exponents.
  Value findLargest() {
    return kb.loop(kb.integer(0), slices(k), 1, kb.real(k.real, reference() * M_LN2),
                   [&](Value number, ValueRange top) {
                     return SmallVector<Value>{kb.maxf(sliceScalar(keptState(k, number), xft::ScanLargest), top[0])};
                   })[0];
  }
  Value shift() { return kb.mulf(largest, kb.real(k.real, M_LOG2E)); }

  /// Adds one more slice to `before`, the sums over earlier slices, and returns the result. The sums are an element,
  /// its power of 2, and the number of keys. `own` is the element of `slice`.
  SmallVector<Value> add(const ScanState &slice, Value own, ValueRange before) {
    Value power = before[1], sum = before[0], count = sliceScalar(slice, xft::ScanCount);
    if (isFinishedLater(k)) {
      Value ownPower = sliceScalar(slice, xft::ScanReference);
      own = kb.mulf(own, kb.exp2(kb.subf(ownPower, shift())));
      if (k.op.epsilon != 0)
        own = kb.fma(loadValueSum(slice, count), kb.real(k.real, k.op.epsilon), own);
    } else if (k.hasExponents() && k.op.stabilizer == Stabilizer::k_running) {
      Value ownPower = sliceScalar(slice, xft::ScanReference), joined = kb.maxf(ownPower, power);
      own = kb.mulf(own, kb.exp2(kb.subf(ownPower, joined)));
      sum = kb.mulf(sum, kb.exp2(kb.subf(power, joined)));
      power = joined;
    }
    sum = k.hasDecay ? kb.fma(sum, sliceScalar(slice, xft::ScanDecay), own) : kb.addf(sum, own);
    return {sum, power, kb.addf(before[2], count)};
  }

  /// Returns the factor of epsilon in the element of a slice's state. For an element of the matrix, it is the sum of
  /// the element's column of v. For an element of the vector, it is `count`, the number of keys.
  Value loadValueSum(const ScanState &slice, Value count) {
    int64_t inMatrix = k.features() * k.valueColumns();
    Value column = kb.floorMod(element, k.valueColumns()),
          isNormaliser = kb.compare(slt, kb.integer(inMatrix - 1), element);
    return kb.select(isNormaliser, count, k.element(keptValueSums(k, slice), column));
  }

  void leave(Value number, ValueRange sums, Value isFirst) {
    ScanState state = keptState(k, number);
    kb.store(sums[0], kb.at(k.real, state.matrix, element));
    kb.ifThen(isFirst, [&] {
      Value scalars = keptScalars(k, state), zero = kb.real(k.real, 0), power = sums[1];
      Value shifted = isFinishedLater(k) ? shift() : k.op.isOrdered ? zero : power;
      auto set = [&](xft::ScanScalar which, Value x) { kb.store(x, kb.at(k.real, scalars, which)); };
      set(xft::ScanReference, power);
      set(xft::ScanLargest, largest ? largest : zero);
      set(xft::ScanShift, runsInSlices(k) ? shifted : zero);
      set(xft::ScanCount, sums[2]);
      set(xft::ScanDecay, kb.real(k.real, 1));
    });
  }

  const ScanKernel &k;
  KernelBuilder &kb;
  Value element;
  Value largest; ///< maximum of a * u over all keys; null if states are not relative to it
};
} // namespace

void kernel::forJoinedElements(const ScanKernel &k, Value part, function_ref<void(Value element)> body) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(part, xft::ScanSizes::joinedElements);
  k.threads.overThreads(xft::ScanSizes::joinedElements, 1, [&](Value number) {
    Value element = kb.add(first, number);
    kb.ifThen(kb.compare(slt, element, kb.integer(k.stateElements())), [&] { body(element); });
  });
}

static void buildJoinTask(ScanKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Value part = startTask(k, tile, kb.integer(k.joinTasks()));
  forJoinedElements(k, part, [&](Value element) {
    JoinedSlices(k, element).join(kb.compare(arith::CmpIPredicate::eq, element, kb.integer(0)));
  });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Makes the state of slice `number` the state of the task. If slices have several chunks, copies the state to scratch,
/// where the task updates it or reads it for each chunk.
static void startFrom(ScanKernel &k, Value number) {
  ScanState own = k.task.state;
  recallState(k, number);
  if (k.slice == 1)
    return;
  copyState(k, k.task.state, own);
  k.task.state = own;
}

static void buildQueriesTask(ScanKernel &k, const View &o, Value tile) {
  KernelBuilder &kb = k.kb;
  Value count = k.op.isOrdered ? slices(k) : slicesOf(k, k.operands.nq, k.slice), number = startTask(k, tile, count);
  startHead(k);
  k.task.queries.writes = {{o, k.task.h, k.valueDepth}};
  startKeys(k);
  startFrom(k, k.op.isOrdered ? number : kb.integer(0));
  if (!k.op.isOrdered)
    return forChunksOf(k, number, k.operands.nq, [&](Value first, Value) {
      kb.ifThen(placeChunk(k, k.task.queries, first), [&] { buildQueries(k, o); });
    });
  Value before = kb.sub(k.operands.nk, k.operands.nq); // positions without queries
  forChunksOf(k, number, k.operands.nk, [&](Value first, Value end) {
    Value isWanted = arith::AndIOp::create(kb.b, kb.loc, placeOrderedChunk(k, first), kb.compare(slt, before, end));
    kb.ifThen(isWanted, [&] {
      loadOrderedKeys(k, first);
      kb.ifThen(kb.compare(slt, before, kb.add(first, k.chunk)), [&] { buildQueries(k, o); });
      if (k.slice != 1)
        kb.ifThen(kb.compare(slt, kb.add(first, k.chunk), end), [&] { addKeys(k, k.task.state, k.runs()); });
    });
  });
}

void kernel::buildScanPhase(ScanKernel &k, const View &o, Value tile) {
  switch (*k.phase) {
  case xft::ScanPhase::keys:
    return buildKeysTask(k, tile);
  case xft::ScanPhase::join:
    return buildJoinTask(k, tile);
  case xft::ScanPhase::queries:
    return buildQueriesTask(k, o, tile);
  }
}
