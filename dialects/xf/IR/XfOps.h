//===- XfOps.h - The ops ------------------------------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFOPS_H
#define XF_DIALECTS_XF_IR_XFOPS_H

#include "dialects/xf/IR/XfPatterns.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xf {
struct DimensionFactors;
class SizeArithmetic;
enum class SizeId : unsigned;
/// Sets `factors` to the factors that the row of `op` states (Factors/DimensionFactors.h).
void readFactors(Operation *op, DimensionFactors &factors);
/// Returns the sizes of `result` that follow from its op's row (Factors/SizeArithmetic.h), or nullopt if they are
/// unknown.
std::optional<SmallVector<SizeId>> sizesByRow(OpResult result, SizeArithmetic &sizes);
} // namespace mlir::xf

#include "dialects/xf/Interfaces/XfOpInterfaces.h.inc"

namespace mlir::xf {
/// Parse and print the sizes of a result's dynamic dimensions, or positions in a tensor. Positions that are kDynamic in
/// `numbers` are the elements of `sizes`, in order.
ParseResult parseSizes(OpAsmParser &parser, ArrayAttr &sizes);
void printSizes(OpAsmPrinter &printer, Operation *op, ArrayAttr sizes);
ParseResult parsePositions(OpAsmParser &parser, DenseI64ArrayAttr &numbers, ArrayAttr &sizes);
void printPositions(OpAsmPrinter &printer, Operation *op, DenseI64ArrayAttr numbers, ArrayAttr sizes);
} // namespace mlir::xf

#define GET_OP_CLASSES
#include "dialects/xf/IR/XfOps.h.inc"

namespace mlir::xf {

/// Broadcasts `shapes` by numpy's rules. Fails, without an error, if two static sizes differ and neither is 1.
FailureOr<SmallVector<int64_t>> broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

/// Returns whether two dimension sizes can be equal: they are equal, or one of them is dynamic.
bool compatible(int64_t a, int64_t b);

/// Returns the type of sums, scores and lse for elements of `elementType`: f64 for f64, and f32 for every narrower
/// type.
FloatType accumulatorType(Type elementType);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFOPS_H
