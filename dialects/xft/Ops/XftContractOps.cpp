//===- XftContractOps.cpp - Matrix products as kernels: verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::xft;

static Type computeType(Type type) {
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

/// Returns the strides of a memref. All of them are dynamic if its layout is not strided.
static SmallVector<int64_t> stridesOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    strides.assign(type.getRank(), ShapedType::kDynamic);
  return strides;
}

static Type elementOf(Value memref) { return cast<MemRefType>(memref.getType()).getElementType(); }
static int64_t rankOf(Value memref) { return cast<MemRefType>(memref.getType()).getRank(); }

static bool hasUnitStride(Value matrix) {
  SmallVector<int64_t> strides = stridesOf(matrix);
  return strides.size() >= 2 && (strides.back() == 1 || strides[strides.size() - 2] == 1);
}

/// Verifies C1 of xft.contract and of xft.pack_panels: a right operand that is not packed has a static stride of 1
/// along n or k.
static LogicalResult verifyMatrix(Operation *op, Value b) {
  if (hasUnitStride(b)) // C1
    return success();
  return op->emitOpError("expected b with a static stride of 1 in n or k, got ") << b.getType();
}

/// Verifies C1 of xft.contract and C2 of xft.pack_panels: the last dimension of panels has size `columns`, and the last
/// two have the strides `columns` and 1.
static LogicalResult verifyPanels(Operation *op, Value panels, int64_t columns) {
  auto type = cast<MemRefType>(panels.getType());
  SmallVector<int64_t> strides = stridesOf(panels);
  if (type.getRank() >= 3 && type.getShape().back() == columns && strides.back() == 1 &&
      strides[strides.size() - 2] == columns) // xft.contract C1, xft.pack_panels C2
    return success();
  return op->emitOpError("expected panels with innermost size ")
         << columns << " and strides " << columns << ", 1, got " << panels.getType();
}

//===----------------------------------------------------------------------===//
// xft.contract
//===----------------------------------------------------------------------===//

bool ContractOp::isPacked() { return rankOf(getB()) == rankOf(getA()) + 1; }

bool ContractOp::packsRows() {
  SmallVector<int64_t> strides = stridesOf(getA());
  return getWidened() || (strides.end()[-1] != 1 && strides.end()[-2] == 1);
}

bool ContractOp::packsPanels() {
  return !isPacked() || (getWidened() && elementOf(getB()) != getSumType() && getRows() >= manyRows);
}

Type ContractOp::getSumType() { return computeType(elementOf(getA())); }

int64_t ContractOp::getScratchBytes() {
  int64_t panel = packsPanels() ? getDepth() * getColumns() * (packsRows() ? 1 : getPanels()) : 0;
  int64_t tiles = getBlock() / getRows(), tile = getRows() * getDepth() + packedTilePadding;
  int64_t packedRows = packsRows() ? tiles * tile : 0;
  return (packedRows + panel + getPanels() * getBlock() * getColumns()) * getSumType().getIntOrFloatBitWidth() / 8;
}

static LogicalResult verifyShapes(ContractOp op) {
  int64_t rank = rankOf(op.getA());
  if (rank < 2 || (rankOf(op.getB()) != rank && !op.isPacked())) // C1
    return op.emitOpError("expected a of rank 2 or more and b of that rank or, packed, one more, got ranks ")
           << rank << " and " << rankOf(op.getB());
  if (failed(op.isPacked() ? verifyPanels(op, op.getB(), op.getColumns()) : verifyMatrix(op, op.getB())))
    return failure();
  if (op.getOuts().empty())
    return op.emitOpError("expected a result, got none");
  auto isRow = [](Value operand) { return stridesOf(operand).back() == 1; };
  for (Value operand : llvm::concat<Value>(op.getIns(), op.getOuts()))
    if (rankOf(operand) != rank)
      return op.emitOpError("expected operands of rank ") << rank << ", got " << operand.getType();
  for (Value operand : op.getIns())
    if (!isRow(operand) && stridesOf(operand).back() != 0)
      return op.emitOpError("expected an operand with a static innermost stride of 0 or 1, got ") << operand.getType();
  for (Value operand : op.getOuts())
    if (!isRow(operand))
      return op.emitOpError("expected a result with a static innermost stride of 1, got ") << operand.getType();
  return success();
}

/// Verifies C5 of xft.contract: a product with warpgroups has one panel of unpacked 16-bit floats, and its tiles are
/// whole groups of rows.
static LogicalResult verifyWarpgroups(ContractOp op) {
  WarpgroupsAttr groups = op.getWarpgroupsAttr();
  if (!groups)
    return success();
  if (groups.getConsumers() < 1 || groups.getStages() < 1)
    return op.emitOpError("expected at least one group that computes and one stage, got ") << groups;
  Type element = elementOf(op.getA());
  // C5
  if (op.isPacked() || op.getPanels() != 1 || !isa<FloatType>(element) || element.getIntOrFloatBitWidth() != 16)
    return op.emitOpError("expected one panel of unpacked floats of 16 bits with warpgroups, got ")
           << op.getB().getType();
  if (!hasUnitStride(op.getA()))
    return op.emitOpError("expected a with a static stride of 1 in m or k with warpgroups, got ")
           << op.getA().getType();
  constexpr int64_t mostColumns = 256;
  int64_t rows = ContractOp::groupRows * groups.getConsumers();
  if (op.getBlock() % rows || op.getColumns() % ContractOp::stageTerms || op.getColumns() > mostColumns)
    return op.emitOpError("expected a block of multiples of ")
           << rows << " rows, and up to " << mostColumns << " columns in multiples of " << ContractOp::stageTerms
           << ", got block " << op.getBlock() << ", columns " << op.getColumns();
  return success();
}

/// Verifies C6 of xft.contract: widened rows are contiguous 16-bit floats.
static LogicalResult verifyWidened(ContractOp op) {
  Type element = elementOf(op.getA());
  bool isNarrow = computeType(element) != element && stridesOf(op.getA()).back() == 1;
  if (!op.getWidened() || (isNarrow && !op.getWarpgroups())) // C6
    return success();
  return op.emitOpError("expected widened rows of 16-bit floats with a static stride of 1 in k, without warpgroups, "
                        "got ")
         << op.getA().getType();
}

LogicalResult ContractOp::verify() {
  if (failed(verifyShapes(*this)) || failed(verifyWarpgroups(*this)) || failed(verifyWidened(*this)))
    return failure();
  bool isSummed = isPacked() && elementOf(getB()) != elementOf(getA());
  Type wanted = isSummed ? getSumType() : elementOf(getA());
  if (!isa<FloatType>(wanted) || elementOf(getB()) != wanted) // C2
    return emitOpError("expected b of ") << wanted << ", got " << elementOf(getB());
  if (getColumns() % 2 || getBlock() % getRows()) // C4
    return emitOpError("expected an even number of columns and a block of whole register tiles, got columns ")
           << getColumns() << ", block " << getBlock() << ", rows " << getRows();
  if (getDepth() % runTerms != 0) // C4
    return emitOpError("expected a depth of whole runs of ") << runTerms << " terms, got " << getDepth();
  SmallVector<Type> arguments = {getSumType()}, results;
  for (Value operand : getIns())
    arguments.push_back(computeType(elementOf(operand)));
  for (Value operand : getOuts())
    results.push_back(computeType(elementOf(operand)));
  return verifyElementRegion(*this, getEpilogue(), arguments, results); // C3
}

//===----------------------------------------------------------------------===//
// xft.pack_panels
//===----------------------------------------------------------------------===//

LogicalResult PackPanelsOp::verify() {
  if (rankOf(getPanels()) != rankOf(getB()) + 1) // C2
    return emitOpError("expected panels of rank ") << rankOf(getB()) + 1 << ", got " << rankOf(getPanels());
  if (failed(verifyMatrix(*this, getB())))
    return failure();
  if (failed(verifyPanels(*this, getPanels(), cast<MemRefType>(getPanels().getType()).getShape().back())))
    return failure();
  if (elementOf(getPanels()) != elementOf(getB()) && elementOf(getPanels()) != computeType(elementOf(getB())))
    return emitOpError("expected panels of ") << computeType(elementOf(getB())) << ", got " << elementOf(getPanels());
  return success();
}
