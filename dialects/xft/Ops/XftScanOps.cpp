//===- XftScanOps.cpp - Sums over feature maps as kernels: verification ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftScanSizes.h"
#include "dialects/xft/Ops/XftOperandGroups.h"

using namespace mlir;
using namespace mlir::xft;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Returns true for a memref BxHxNxD with a static D and stride 1 along D.
static bool isMatrix(Value value) {
  MemRefType type = memrefType(value);
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getRank() == 4 && !type.isDynamicDim(3) && succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

/// Returns the number of products that an instruction adds to one sum: as many numbers of type `operand` as fit into
/// one number of the type in which `op` computes. If `operand` is null, returns 1.
template <typename OpTy>
static int64_t termsOf(OpTy op, Type operand) {
  Type real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
  return operand ? real.getIntOrFloatBitWidth() / operand.getIntOrFloatBitWidth() : 1;
}

/// Verifies C8 of a scan: the type to which features are rounded as operands of products.
template <typename OpTy>
static LogicalResult verifyFeatures(OpTy op) {
  AttendTileAttr tile = op.getTile();
  Type features = op.getSchedule().getFeatures();
  if (!features)
    return success();
  if (tile.getLanes() == 1)
    return op.emitOpError("expected tiles of several lanes where features are rounded, got ") << tile;
  if (memrefType(op.getV()).getElementType() != features)
    return op.emitOpError("expected v of ") << features << ", got " << op.getV().getType();
  if (op.getDecay() || op.getBeta())
    return op.emitOpError("expected neither decay nor beta where features are rounded");
  int64_t inRegister = tile.getLanes() * termsOf(op, features);
  if (tile.getQueries() % inRegister != 0)
    return op.emitOpError("expected a chunk that is a multiple of ") << inRegister << ", got " << tile;
  return success();
}

template <typename OpTy>
static LogicalResult verifyScan(OpTy op, ValueRange matrices) {
  for (Value matrix : matrices) // C1
    if (!isMatrix(matrix))
      return op.emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << matrix.getType();
  AttendTileAttr tile = op.getTile();
  int64_t chunk = tile.getQueries();
  if (tile.getRows() < 1 || tile.getWidth() < 1 || chunk < 1 || chunk % tile.getRows() != 0 ||
      chunk % tile.getWidth() != 0) // C4
    return op.emitOpError("expected a chunk that is a multiple of the register tile, got ") << tile;
  int64_t valueDepth = memrefType(op.getV()).getDimSize(3);
  if (tile.getLanes() == 1 && (tile.getKeys() < 1 || valueDepth % tile.getKeys() != 0)) // C4
    return op.emitOpError("expected value columns of a task that divide ") << valueDepth << ", got " << tile;
  int64_t depth = memrefType(op.getQ()).getDimSize(3), columns = llvm::alignTo(depth, tile.getLanes());
  if (Value weights = op.getWeights()) {
    MemRefType type = memrefType(weights);
    if (!isMatrix(weights) || type.isDynamicDim(2) || type.getDimSize(3) < columns) // C2
      return op.emitOpError("expected weights 1x1xmxD' with D' >= ") << columns << ", got " << type;
    Type element = type.getElementType(), stored = memrefType(op.getQ()).getElementType();
    bool isInput = element == stored && memrefType(op.getK()).getElementType() == stored && tile.getLanes() != 1;
    if (element != xf::accumulatorType(stored) && !isInput) // C2
      return op.emitOpError("expected weights of ") << xf::accumulatorType(stored)
                                                    << ", or of the type of q and k and "
                                                       "tiles of several lanes, got "
                                                    << type;
  }
  if (op.getDecay() && !op.getOrdered()) // C6
    return op.emitOpError("expected an ordered scan where there is decay");
  if (op.getBeta() &&
      (!op.getOrdered() || op.getFeatures().getStabilizer().getValue() == xf::Stabilizer::k_running)) // C6
    return op.emitOpError("expected an ordered scan without running keys where there is beta");
  if (op.getPhase() && (!op.getState() || tile.getLanes() != 1 || op.getSegmentsQ() || op.getBeta())) // C5
    return op.emitOpError("expected a state, tiles of one lane and neither segments nor beta where there is a phase");
  ArrayRef<double> exponents = op.getExponents();
  size_t slots = op.getValue().front().getTerminator()->getNumOperands();
  if (exponents.size() % 2 != 0 || slots < 1 || (!exponents.empty() && exponents.size() != 2 * slots)) // C3
    return op.emitOpError("expected two exponents for each of ")
           << slots << " slots, or none, got " << exponents.size();
  if (failed(verifyFeatures(op))) // C8
    return failure();
  Type real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
  return verifyElementRegion(op, op.getValue(), SmallVector<Type>{real}, SmallVector<Type>(slots, real));
}

LogicalResult ScanOp::verify() {
  if (failed(verifyScanClauses(*this, getClauses())))
    return failure();
  AttendTileAttr tile = getTile();
  if (getState() && tile.getLanes() == 1 && tile.getKeys() != memrefType(getV()).getDimSize(3)) // C7
    return emitOpError("expected tasks of all value columns where there is a state, got ") << tile;
  if (getState() && getSegmentsQ()) // C7
    return emitOpError("expected one sequence of keys where there is a state, got segments");
  return verifyScan(*this, {getQ(), getK(), getV(), getO()});
}

LogicalResult ScanVjpOp::verify() {
  if (failed(verifyScanClauses(*this, getClauses())) || failed(verifyScanGradients(*this, getGradients())))
    return failure();
  if (failed(verifyScan(*this, {getQ(), getK(), getV(), getDO(), getDQ(), getDK(), getDV()}))) // C1
    return failure();
  size_t slots = getValue().front().getTerminator()->getNumOperands();
  Type real = xf::accumulatorType(memrefType(getQ()).getElementType());
  if (getOrdered() && !getState()) // C3
    return emitOpError("expected a state where the scan is ordered");
  Type input = memrefType(getQ()).getElementType();
  for (Value buffer : {getDQ(), getDK(), getDV()})
    if (Type element = memrefType(buffer).getElementType(); element != real && !(getPhase() && element == input)) // C1
      return emitOpError("expected gradients of ") << real << ", got " << buffer.getType();
  if (getPhase() && (!getDState() || getSlice() != 1)) // C4
    return emitOpError("expected a buffer for R and slices of one chunk where there is a phase");
  if (getSchedule().getFeatures()) // C5
    return emitOpError("expected features that are not rounded, got ") << getSchedule();
  if (getDWeights() && !getWeights()) // C2
    return emitOpError("expected weights where there are gradients of weights");
  return verifyElementRegion(*this, getSlope(), SmallVector<Type>{real}, SmallVector<Type>(slots, real));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

bool xft::hasHalves(ArrayRef<double> exponents) {
  for (size_t slot = 0; slot < exponents.size() / 2; ++slot)
    if (exponents[2 * slot + 1] != 0)
      return true;
  return false;
}

bool xft::passMaxima(ScanFeaturesAttr features) {
  xf::Stabilizer stabilizer = features.getStabilizer().getValue();
  bool isMaximum = stabilizer == xf::Stabilizer::k_row || stabilizer == xf::Stabilizer::k_sequence;
  bool cancels = features.getNormalizer().getValue() == xf::Normalizer::k_sum &&
                 features.getEpsilon().getValue().isZero() && features.getGuard().getValue().isZero();
  return isMaximum && !features.getExponents().empty() && !cancels;
}

template <typename OpTy>
static void readSizes(ScanSizes &sizes, OpTy op) {
  AttendTileAttr tile = op.getTile();
  sizes.depth = memrefType(op.getQ()).getDimSize(3);
  sizes.valueDepth = memrefType(op.getV()).getDimSize(3);
  sizes.projections = op.getWeights() ? memrefType(op.getWeights()).getDimSize(2) : sizes.depth;
  sizes.slots = op.getValue().front().getTerminator()->getNumOperands();
  sizes.chunk = tile.getQueries();
  sizes.lanes = tile.getLanes();
  if (sizes.isBlock())
    sizes.valueDepth = tile.getKeys();
  sizes.hasDecay = op.getDecay() != nullptr;
  sizes.hasBeta = op.getBeta() != nullptr;
  sizes.hasWeights = op.getWeights() != nullptr;
  sizes.hasHalves = hasHalves(op.getExponents());
  sizes.hasMaximum = sizes.isGradient && passMaxima(op.getFeatures()) && op.getPhase() != ScanPhase::queries &&
                     op.getFeatures().getStabilizer().getValue() == xf::Stabilizer::k_sequence;
  sizes.phase = op.getPhase();
  sizes.slice = op.getSlice();
  sizes.inputTerms = op.getWeights() ? termsOf(op, memrefType(op.getWeights()).getElementType()) : 1;
  sizes.featureTerms = termsOf(op, op.getSchedule().getFeatures());
  sizes.real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
}

ScanSizes::ScanSizes(ScanOp op) : isGradient(false) { readSizes(*this, op); }
ScanSizes::ScanSizes(ScanVjpOp op) : isGradient(true) { readSizes(*this, op); }
