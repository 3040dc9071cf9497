//===- XftOps.h - The dialect and its ops -------------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTOPS_H
#define XF_DIALECTS_XFT_IR_XFTOPS_H

#include "dialects/xf/IR/XfPieces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/xft/IR/XftDialect.h.inc"
#include "dialects/xft/IR/XftEnums.h.inc"

#include "dialects/xft/IR/XftAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xft/IR/XftAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/xft/IR/XftTypes.h.inc"

namespace mlir::xft {
/// When a call runs a step of a host program; a handle may hold forms of parameters (XftHeld.h).
enum class StepCondition { Always, FillsHeld, IfHeld, IfNotHeld };
/// Returns the condition that the attributes of a step state.
StepCondition conditionOf(Operation *step);
/// Returns the buffer of a host program that `memref` is a view of, or `memref` itself.
Value rootOf(Value memref);
} // namespace mlir::xft

#include "dialects/xft/IR/XftHostSteps.h.inc"
#include "dialects/xft/IR/XftOpInterfaces.h.inc"

namespace mlir::xft {
/// Returns the tile of a schedule.
inline AttendTileAttr tileOf(AttendSchedule schedule) { return cast<AttendTileAttr>(schedule.getTile()); }
/// True if kernels with this schedule read keys and values in place; else they read panels that a launch has packed.
bool readsInPlace(AttendSchedule schedule);

/// Returns the operand of a group that has one or none; null for none.
inline Value optionalOperand(OperandRange group) { return group.empty() ? Value() : group.front(); }

/// Operands that a group of groups is parsed into, and their types.
using OperandGroups = SmallVectorImpl<SmallVector<OpAsmParser::UnresolvedOperand>>;
using TypeGroups = SmallVectorImpl<SmallVector<Type>>;
/// Parse and print groups of operands by name, `lengths(%n : memref<?xi64>) ..`; empty groups have no printed form.
ParseResult parseAttendClauses(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types);
void printAttendClauses(OpAsmPrinter &printer, Operation *op, OperandRangeRange operands, TypeRangeRange types);
ParseResult parseRowState(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types);
void printRowState(OpAsmPrinter &printer, Operation *op, OperandRangeRange operands, TypeRangeRange types);
ParseResult parseVjpGradients(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types);
void printVjpGradients(OpAsmPrinter &printer, Operation *op, OperandRangeRange operands, TypeRangeRange types);
ParseResult parseScanClauses(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types);
void printScanClauses(OpAsmPrinter &printer, Operation *op, OperandRangeRange operands, TypeRangeRange types);
ParseResult parseScanGradients(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types);
void printScanGradients(OpAsmPrinter &printer, Operation *op, OperandRangeRange operands, TypeRangeRange types);

/// Parse and print `combine(add, max, ..)`, or nothing for no combiners (xft.cols).
ParseResult parseCombiners(OpAsmParser &parser, ArrayAttr &combiners);
void printCombiners(OpAsmPrinter &printer, Operation *op, ArrayAttr combiners);
} // namespace mlir::xft

#define GET_OP_CLASSES
#include "dialects/xft/IR/XftOps.h.inc"

namespace mlir::xft {

/// Unit attributes of the two kinds of functions, kernels and host programs (entries).
inline constexpr StringLiteral kernelAttrName = "xft.kernel";
inline constexpr StringLiteral entryAttrName = "xft.entry";
/// Attribute of a host program's argument: the index of the result that it receives.
inline constexpr StringLiteral resultAttrName = "xft.result";

/// Attributes of a host program: the work of one call, counted where sizes are constants.
inline constexpr StringLiteral flopAttrName = "xft.flop";
inline constexpr StringLiteral pairsAttrName = "xft.pairs";
inline constexpr StringLiteral executedPairsAttrName = "xft.executed_pairs";
/// Attribute of a kernel: the bytes of %scratch that one worker needs.
inline constexpr StringLiteral scratchAttrName = "xft.scratch_bytes";

/// Array attribute of a GPU kernel: its tensor maps (#xft.tensor_map), in the order of the numbers that its code uses.
inline constexpr StringLiteral tensorMapsAttrName = "xft.tensor_maps";
/// Integer attribute of a GPU kernel: the most blocks per processor (SM) of its grid.
inline constexpr StringLiteral blocksPerProcessorAttrName = "xft.blocks_per_processor";

/// The number of a kernel's arguments before its operands: begin, end, scratch.
inline constexpr unsigned kernelPrefix = 3;

/// True for a kernel, and for a host program.
bool isKernel(func::FuncOp function);
bool isEntry(func::FuncOp function);

/// Returns the operands of a kernel: its arguments after begin, end, scratch.
ArrayRef<BlockArgument> kernelOperands(func::FuncOp kernel);

/// Checks a region on one element: its arguments and results have these scalar types, its ops are element-wise arith or
/// math ops and constants. It may capture values of the kernel. Fails after an error at `owner`.
LogicalResult verifyElementRegion(Operation *owner, Region &region, TypeRange arguments, TypeRange results);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTOPS_H
