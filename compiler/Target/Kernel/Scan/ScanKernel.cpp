//===- ScanKernel.cpp - Shared code of scan kernels -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanKernel.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns whether a region yields the constant 1 for every slot.
static bool yieldsOne(Region &region) {
  return llvm::all_of(region.front().getTerminator()->getOperands(), [](Value slot) {
    APFloat constant(0.0);
    return matchPattern(slot, m_ConstantFloat(&constant)) && constant.isExactlyValue(1);
  });
}

template <typename OpTy>
static ScanAttributes attributesOf(OpTy op, const ScanLayout &layout, const TaskThreads &threads) {
  ScanAttributes attributes;
  xft::ScanFeaturesAttr features = op.getFeatures();
  attributes.isOrdered = op.getOrdered();
  attributes.exponents = SmallVector<double>(op.getExponents());
  attributes.epsilon = features.getEpsilon().getValueAsDouble();
  attributes.inputScale = features.getInputScale().getValueAsDouble();
  attributes.weight = features.getWeight().getValueAsDouble();
  if (layout.hasBeta) { // the delta rule is not linear in products of features: queries and keys take half of it each
    attributes.featureExponent = std::log2(attributes.weight) / 2;
    attributes.epsilon *= std::sqrt(attributes.weight);
    attributes.weight = 1;
  }
  attributes.hasShortInputs = cast<MemRefType>(op.getQ().getType()).getElementTypeBitWidth() == 16;
  if ((threads.usesTensorCores() && layout.hasWeights) || layout.inputTerms != 1)
    attributes.rowScale = attributes.inputScale;
  attributes.guard = features.getGuard().getValueAsDouble();
  attributes.stabilizer = features.getStabilizer().getValue();
  attributes.normalizer = features.getNormalizer().getValue();
  attributes.value = &op.getValue();
  attributes.valueIsOne = yieldsOne(op.getValue());
  return attributes;
}

template <typename OpTy>
static ScanTask taskOf(OpTy op, KernelBuilder &kb) {
  ScanTask task;
  task.keys.isKeys = true;
  task.queries.isKeys = false;
  task.keys.source = View::of(kb, op.getK());
  task.queries.source = View::of(kb, op.getQ());
  task.valueSource = View::of(kb, op.getV());
  task.keys.segments = op.getSegmentsK();
  task.queries.segments = op.getSegmentsQ();
  return task;
}

template <typename OpTy>
static ScanOperands operandsOf(OpTy op, KernelBuilder &kb, const ScanTask &task) {
  ScanOperands operands;
  operands.lengths = op.getLengths();
  operands.queryLengths = op.getQueryLengths();
  if (op.getBeta())
    operands.beta = View::of(kb, op.getBeta());
  if (op.getState())
    operands.keptState = View::of(kb, op.getState());
  if (op.getDecay())
    operands.decay = View::of(kb, op.getDecay());
  operands.nq = task.queries.source.sizes[2];
  operands.nk = task.keys.source.sizes[2];
  if (op.getWeights()) {
    View view = View::of(kb, op.getWeights());
    operands.weights = view.pointer;
    operands.weightElement = view.element;
    operands.weightStride = cast<MemRefType>(op.getWeights().getType()).getDimSize(3);
  }
  return operands;
}

ScanKernel::ScanKernel(xft::ScanOp op, KernelBuilder &kb, TaskThreads &threads, Scratch &scratch)
    : ScanLayout(op), kb(kb), threads(threads), tile(op.getTile()), op(attributesOf(op, *this, threads)),
      task(taskOf(op, kb)), operands(operandsOf(op, kb, task)), buffers{ScanScratch(scratch, *this)} {
  task.state = {buffers.state, buffers.normaliser, statePitch()};
}

ScanKernel::ScanKernel(xft::ScanVjpOp vjp, KernelBuilder &kb, TaskThreads &threads, Scratch &scratch)
    : ScanLayout(vjp), kb(kb), threads(threads), tile(vjp.getTile()), op(attributesOf(vjp, *this, threads)),
      task(taskOf(vjp, kb)), operands(operandsOf(vjp, kb, task)), buffers{ScanScratch(scratch, *this)} {
  d.emplace(buffers.s);
  task.state = {buffers.state, buffers.normaliser, statePitch()};
  task.dState = {d->state, d->normaliser, valueColumns()};
  op.slope = &vjp.getSlope();
  op.passesMaxima = xft::passMaxima(vjp.getFeatures());
  op.joinsMaxima = vjp->hasAttr(xft::kScanMaximumAttrName);
  operands.dOut = View::of(kb, vjp.getDO());
  operands.delta = View::of(kb, vjp.getDelta());
  operands.dQ = View::of(kb, vjp.getDQ());
  operands.dK = View::of(kb, vjp.getDK());
  operands.dV = View::of(kb, vjp.getDV());
  if (vjp.getDDecay())
    operands.dDecay = View::of(kb, vjp.getDDecay());
  if (vjp.getDBeta())
    operands.dBeta = View::of(kb, vjp.getDBeta());
  if (vjp.getDState())
    operands.keptGradient = View::of(kb, vjp.getDState());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void ScanKernel::setScalar(xft::ScanScalar which, Value x) const {
  threads.synchronize(); // the one before has been read
  threads.once([&] { kb.store(x, kb.at(real, buffers.scalars, which)); });
  threads.synchronize();
}

void ScanKernel::clear(Value buffer, int64_t count) const {
  threads.overThreads(llvm::alignTo(count, lanes), lanes, [&](Value n) { store(zero(), buffer, n); });
  threads.synchronize();
}

void ScanKernel::forRows(function_ref<void(Value row)> body) const {
  threads.inFirstWarp([&] { threads.overLanes(chunk, lanes, body); });
  threads.synchronize();
}

void ScanKernel::forRowsOfWarps(function_ref<void(Value row)> body) const {
  threads.overLanes(chunk, lanes, body);
  threads.synchronize();
}

void ScanKernel::forSingleRows(function_ref<void(Value row)> body) const {
  threads.inFirstWarp([&] { threads.overLanes(chunk, 1, body); });
  threads.synchronize();
}

void ScanKernel::forLines(function_ref<void(Value row)> body) const {
  threads.overWarps(chunk, 1, body);
  threads.synchronize();
}

Value ScanKernel::forPrefixes(Value init, function_ref<Value(Value)> x, TaskThreads::Combine combine,
                              function_ref<void(Value, Value)> finish) const {
  if (threads.isOne())
    return kb.loop(kb.integer(0), kb.integer(chunk), 1, init, [&](Value row, ValueRange before) {
      Value prefix = combine(before[0], x(row));
      finish(row, prefix);
      return SmallVector<Value>{prefix};
    })[0];
  Value before = init;
  for (int64_t first = 0; first < chunk; first += threads.perWarp())
    threads.overLanes(threads.perWarp(), 1, [&](Value lane) {
      Value row = kb.add(lane, first), prefix = combine(before, threads.combineLowerLanes(x(row), combine));
      threads.inFirstWarp([&] { finish(row, prefix); });
      before = threads.fromLastLane(prefix);
    });
  threads.synchronize();
  return before;
}
