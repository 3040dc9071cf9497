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
void ScanKernel::init(OpTy op, ScratchPlace place) {
  xft::AttendTileAttr tile = op.getTile();
  integer = kb.b.getIntegerType(real.getIntOrFloatBitWidth());
  lanes = tile.getLanes();
  tileRows = tile.getRows();
  tileRegisters = tile.getRegisters();
  isOrdered = op.getOrdered();
  exponents = SmallVector<double>(op.getExponents());
  epsilon = op.getFeatures().getEpsilon().getValueAsDouble();
  inputScale = op.getFeatures().getInputScale().getValueAsDouble();
  weight = op.getFeatures().getWeight().getValueAsDouble();
  if (hasBeta) { // the delta rule is not linear in products of features: queries and keys take half of it each
    featureExponent = std::log2(weight) / 2;
    epsilon *= std::sqrt(weight);
    weight = 1;
  }
  hasShortInputs = cast<MemRefType>(op.getQ().getType()).getElementTypeBitWidth() == 16;
  if ((threads.usesTensorCores() && hasWeights) || inputTerms != 1)
    rowScale = inputScale;
  guard = op.getFeatures().getGuard().getValueAsDouble();
  stabilizer = op.getFeatures().getStabilizer().getValue();
  normalizer = op.getFeatures().getNormalizer().getValue();
  value = &op.getValue();
  valueIsOne = yieldsOne(op.getValue());
  lengths = op.getLengths();
  queryLengths = op.getQueryLengths();
  keys.isKeys = true;
  queries.isKeys = false;
  keys.source = View::of(kb, op.getK());
  queries.source = View::of(kb, op.getQ());
  valueSource = View::of(kb, op.getV());
  keys.segments = op.getSegmentsK();
  queries.segments = op.getSegmentsQ();
  if (op.getBeta())
    beta = View::of(kb, op.getBeta());
  if (op.getState())
    keptState = View::of(kb, op.getState());
  if (op.getDecay())
    decay = View::of(kb, op.getDecay());
  nq = queries.source.sizes[2];
  nk = keys.source.sizes[2];
  if (op.getWeights()) {
    View view = View::of(kb, op.getWeights());
    weights = view.pointer;
    weightElement = view.element;
    weightStride = cast<MemRefType>(op.getWeights().getType()).getDimSize(3);
  }
  placeScratch(place);
}

void ScanKernel::placeScratch(ScratchPlace part) {
  xft::ScanScratch layout = isBlock ? xft::ScanScratch(*this, threads.sharedBytes()) : xft::ScanScratch(*this);
  keys.rows = part(layout.keyRows);
  keys.channels = part(layout.keyChannels);
  keys.features = part(layout.keyFeatures);
  keys.projections = isGradient ? part(layout.keyProjections) : keys.features;
  keys.shifts = part(layout.keyShifts);
  keys.mask = part(layout.keyMask);
  queries.rows = part(layout.queryRows);
  queries.channels = part(layout.queryChannels);
  queries.features = part(layout.queryFeatures);
  queries.projections = isGradient ? part(layout.queryProjections) : queries.features;
  queries.shifts = part(layout.queryShifts);
  queries.mask = part(layout.queryMask);
  keys.operands = part(layout.keyOperands);
  keys.rounded = part(layout.roundedKeys);
  queries.operands = part(layout.queryOperands);
  valueOperands = part(layout.valueOperands);
  stateOperands = part(layout.stateOperands);
  weightOperands = part(layout.weightOperands);
  rowOperands = part(layout.rowOperands);
  dOperands = part(layout.dOperands);
  dRounded = part(layout.dRounded);
  state = {part(layout.state), part(layout.masses), statePitch()};
  dState = {part(layout.dState), part(layout.dMasses), valueColumns};
  values = part(layout.values);
  outputs = part(layout.outputs);
  pairs = part(layout.pairs);
  valueSums = part(layout.valueSums);
  halves = part(layout.halves);
  tops = part(layout.tops);
  largest = part(layout.largest);
  factors = part(layout.factors);
  references = part(layout.references);
  norms = part(layout.norms);
  counts = part(layout.counts);
  decays = part(layout.decays);
  decaysBefore = part(layout.decaysBefore);
  decaysBetween = part(layout.decaysBetween);
  decaysBehind = part(layout.decaysBehind);
  betas = part(layout.betas);
  residuals = part(layout.residuals);
  massResiduals = part(layout.massResiduals);
  massUpdates = part(layout.massUpdates);
  keyPairs = part(layout.keyPairs);
  scalars = part(layout.scalars);
  dProjections = part(layout.dProjections);
  dHalves = part(layout.dHalves);
  cotangents = part(layout.cotangents);
  cotangentChannels = part(layout.cotangentChannels);
  valueChannels = part(layout.valueChannels);
  dNorms = part(layout.dNorms);
  dPairs = part(layout.dPairs);
  moments = part(layout.moments);
  turned = part(layout.turned);
  received = part(layout.received);
  bars = part(layout.bars);
  massBars = part(layout.massBars);
  barChannels = part(layout.barChannels);
  dKeyPairs = part(layout.dKeyPairs);
  dKeyPairsTurned = part(layout.dKeyPairsTurned);
  dMassUpdates = part(layout.dMassUpdates);
  predictionMasses = part(layout.predictionMasses);
  decayPairs = part(layout.decayPairs);
  keyProducts = part(layout.keyProducts);
  dHalfParts = part(layout.dHalfParts);
  momentParts = part(layout.momentParts);
  receivedParts = part(layout.receivedParts);
  maximum = part(layout.maximum);
}

ScanKernel::ScanKernel(xft::ScanOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place)
    : ScanSizes(op), kb(kb), threads(threads) {
  init(op, place);
}

ScanKernel::ScanKernel(xft::ScanVjpOp op, KernelBuilder &kb, TaskThreads &threads, ScratchPlace place)
    : ScanSizes(op), kb(kb), threads(threads) {
  init(op, place);
  slope = &op.getSlope();
  passesMaxima = xft::passMaxima(op.getFeatures());
  joinsMaxima = op->hasAttr(xft::kScanMaximumAttrName);
  dOut = View::of(kb, op.getDO());
  delta = View::of(kb, op.getDelta());
  dQ = View::of(kb, op.getDQ());
  dK = View::of(kb, op.getDK());
  dV = View::of(kb, op.getDV());
  if (op.getDDecay())
    dDecay = View::of(kb, op.getDDecay());
  if (op.getDBeta())
    dBeta = View::of(kb, op.getDBeta());
  if (op.getDState())
    keptGradient = View::of(kb, op.getDState());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void ScanKernel::setScalar(xft::ScanScalar which, Value x) {
  threads.synchronize(); // the one before has been read
  threads.once([&] { kb.store(x, kb.at(real, scalars, which)); });
  threads.synchronize();
}

void ScanKernel::clear(Value buffer, int64_t count) {
  threads.overThreads(llvm::alignTo(count, lanes), lanes, [&](Value n) { store(zero(), buffer, n); });
  threads.synchronize();
}

void ScanKernel::forRows(function_ref<void(Value row)> body) {
  threads.inFirstWarp([&] { threads.overLanes(chunk, lanes, body); });
  threads.synchronize();
}

void ScanKernel::forRowsOfWarps(function_ref<void(Value row)> body) {
  threads.overLanes(chunk, lanes, body);
  threads.synchronize();
}

void ScanKernel::forSingleRows(function_ref<void(Value row)> body) {
  threads.inFirstWarp([&] { threads.overLanes(chunk, 1, body); });
  threads.synchronize();
}

void ScanKernel::forLines(function_ref<void(Value row)> body) {
  threads.overWarps(chunk, 1, body);
  threads.synchronize();
}

Value ScanKernel::forPrefixes(Value init, function_ref<Value(Value)> x, TaskThreads::Combine combine,
                              function_ref<void(Value, Value)> finish) {
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
