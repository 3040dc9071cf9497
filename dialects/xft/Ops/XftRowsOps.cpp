//===- XftRowsOps.cpp - Rows and columns: syntax, verification ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/Ops/XftRowOrderOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xft;

static Type computedType(Value memref) {
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

/// Returns the stride of a memref's last dimension. Returns a dynamic stride if the memref has no dimension or its
/// layout is not strided.
static int64_t columnStride(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(memref.getType());
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.empty())
    return ShapedType::kDynamic;
  return strides.back();
}

/// Verifies an operand of an op in xft.rows. It is either the single row that xft.row returns, or a memref whose
/// dimensions are the outer dimensions and the columns.
static LogicalResult verifyOperand(Operation *op, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  int64_t outer = cast<RowsOp>(op->getParentOp()).getOuter().size();
  if (memref.getDefiningOp<RowOp>() || rank == outer + 1)
    return success();
  return op->emitOpError("expected a memref of rank ") << outer + 1 << ", got " << memref.getType();
}

//===----------------------------------------------------------------------===//
// xft.rows
//===----------------------------------------------------------------------===//

LogicalResult RowsOp::verify() {
  if (getOuter().empty()) // C1
    return emitOpError("expected at least one outer dimension, got none");
  Block &block = getBody().front();
  if (block.getNumArguments() != 1 || !block.getArgument(0).getType().isInteger(64))
    return emitOpError("expected a body on (i64), got (") << block.getArgumentTypes() << ")";
  for (Operation &op : block) {
    if (isa<ColsOp, RowOp, ElementLoadOp, ElementStoreOp, CumsumOp, SortRowOp, SumRowOp>(op) ||
        isa_and_present<arith::ArithDialect, math::MathDialect>(op.getDialect())) // C2
      continue;
    return op.emitOpError(
        "expected xft.cols, xft.row, xft.element_load, xft.element_store, a scalar arith or math op, or "
        "xft.cumsum, xft.sort_row or xft.sum_row alone in the body of xft.rows");
  }
  for (ColsOp cols : block.getOps<ColsOp>())
    if (getColumnBlocks() && cols.getNumResults()) // C3
      return cols.emitOpError("expected no reduction over columns that are cut into blocks, got ")
             << cols.getNumResults();
  return success();
}

//===----------------------------------------------------------------------===//
// xft.cols
//===----------------------------------------------------------------------===//

ParseResult xft::parseCombiners(OpAsmParser &parser, ArrayAttr &combiners) {
  SmallVector<Attribute> list;
  auto parseOne = [&]() -> ParseResult {
    StringRef word;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Combiner> combiner = symbolizeCombiner(word);
    if (!combiner)
      return parser.emitError(location, "expected add or max, got ") << word;
    list.push_back(CombinerAttr::get(parser.getContext(), *combiner));
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("combine")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  combiners = parser.getBuilder().getArrayAttr(list);
  return success();
}

void xft::printCombiners(OpAsmPrinter &printer, Operation *, ArrayAttr combiners) {
  if (combiners.empty())
    return;
  printer << "combine(";
  llvm::interleaveComma(combiners.getAsRange<CombinerAttr>(), printer,
                        [&](CombinerAttr combiner) { printer << stringifyCombiner(combiner.getValue()); });
  printer << ')';
}

OperandRange ColsOp::getReductionTerms() {
  return getBody().front().getTerminator()->getOperands().take_front(getNumResults());
}
OperandRange ColsOp::getOutputElements() {
  return getBody().front().getTerminator()->getOperands().slice(getNumResults(), getOuts().size());
}
OperandRange ColsOp::getAccumulatorTerms() {
  return getBody().front().getTerminator()->getOperands().take_back(getAccs().size());
}

LogicalResult ColsOp::verify() {
  for (Value memref : getOperands()) // C1
    if (failed(verifyOperand(*this, memref)))
      return failure();
  for (Value memref : getOuts())
    if (columnStride(memref) == 0) // C2
      return emitOpError("expected outputs with a column stride other than 0, got ") << memref.getType();
  for (Value memref : getAccs()) // C2, C3
    if (columnStride(memref) != 1 || cast<MemRefType>(memref.getType()).getElementType() != computedType(memref))
      return emitOpError("expected accumulators with a column stride of 1 and a type that is computed in, got ")
             << memref.getType();
  if (getCombiners().size() != getNumResults() + getAccs().size()) // C4
    return emitOpError("expected ") << getNumResults() + getAccs().size() << " combiners, got "
                                    << getCombiners().size();
  SmallVector<Type> arguments = {IntegerType::get(getContext(), 64)}, yielded(getResultTypes());
  for (Value memref : getIns())
    arguments.push_back(computedType(memref));
  for (Value memref : llvm::concat<Value>(getOuts(), getAccs()))
    yielded.push_back(computedType(memref));
  return verifyElementRegion(*this, getBody(), arguments, yielded); // C5
}

//===----------------------------------------------------------------------===//
// Single rows and elements
//===----------------------------------------------------------------------===//

LogicalResult RowOp::verify() {
  auto source = cast<MemRefType>(getSource().getType()), row = cast<MemRefType>(getRow().getType());
  if (failed(verifyOperand(*this, getSource())))
    return failure();
  // C1
  if (row.getRank() != 1 || row.getElementType() != source.getElementType() ||
      columnStride(getRow()) != columnStride(getSource()))
    return emitOpError("expected one row of ") << source << ", got " << row;
  return success();
}

static LogicalResult verifyElement(Operation *op, Value memref, Type element) {
  if (failed(verifyOperand(op, memref)))
    return failure();
  if (element != computedType(memref))
    return op->emitOpError("expected an element of type ") << computedType(memref) << ", got " << element;
  return success();
}

LogicalResult ElementLoadOp::verify() { return verifyElement(*this, getSource(), getElement().getType()); }
LogicalResult ElementStoreOp::verify() { return verifyElement(*this, getDestination(), getElement().getType()); }
