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
/// Which calls run a step of a host program. This depends on the prepacked forms of parameters that a handle holds
/// (XftHeld.h).
enum class StepCondition { Always, FillsHeld, IfHeld, IfNotHeld };
/// Returns the condition under which `step` runs, from its attributes.
StepCondition conditionOf(Operation *step);
/// Returns the buffer of a host program that `memref` is a view of, or `memref` itself.
Value rootOf(Value memref);
} // namespace mlir::xft

#include "dialects/xft/IR/XftHostSteps.h.inc"
#include "dialects/xft/IR/XftOpInterfaces.h.inc"

namespace mlir::xft {
/// Returns the tile of a schedule.
inline AttendTileAttr tileOf(AttendSchedule schedule) { return cast<AttendTileAttr>(schedule.getTile()); }
/// Returns true if kernels with this schedule read keys and values in place. Returns false if they read panels that
/// another launch has packed.
bool readsInPlace(AttendSchedule schedule);

/// Returns the only operand of `group`, or null if the group is empty.
inline Value optionalOperand(OperandRange group) { return group.empty() ? Value() : group.front(); }

/// Operands of an op, and their types, as a parser reads them. Both have one list for each group of operands.
using OperandGroups = SmallVectorImpl<SmallVector<OpAsmParser::UnresolvedOperand>>;
using TypeGroups = SmallVectorImpl<SmallVector<Type>>;
/// Parse and print groups of operands, each with its name, such as `lengths(%n : memref<?xi64>)`. Empty groups are not
/// printed.
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

/// Parse and print the combiners of xft.cols, such as `combine(add, max)`. Nothing is printed if there are none.
ParseResult parseCombiners(OpAsmParser &parser, ArrayAttr &combiners);
void printCombiners(OpAsmPrinter &printer, Operation *op, ArrayAttr combiners);
} // namespace mlir::xft

#define GET_OP_CLASSES
#include "dialects/xft/IR/XftOps.h.inc"

namespace mlir::xft {

/// Unit attribute of a function that is a kernel.
inline constexpr StringLiteral kernelAttrName = "xft.kernel";
/// Unit attribute of a function that is a host program, which runs one entry.
inline constexpr StringLiteral entryAttrName = "xft.entry";
/// Integer attribute of an argument of a host program that receives a result: the index of the result.
inline constexpr StringLiteral resultAttrName = "xft.result";
/// Attribute [argument, dimension, size] of an integer argument of a host program. The elements of this argument are at
/// most `size` minus the size of dimension `dimension` of argument `argument`.
inline constexpr StringLiteral roomAttrName = "xft.room";

/// Array attribute of a host program: sizes (#xf.size) that each call computes and checks. None of them may be
/// negative.
inline constexpr StringLiteral sizesAttrName = "xft.sizes";
/// Array attribute of a host program: differences of sizes (#xf.size) that must be 0.
inline constexpr StringLiteral zeroSizesAttrName = "xft.zero_sizes";

// Three attributes of a host program tell the work of one call, as far as sizes are constants.

/// Attribute of a host program: the number of floating-point operations of one call.
inline constexpr StringLiteral flopAttrName = "xft.flop";
/// Attribute of a host program: the number of pairs of the patterns in one call.
inline constexpr StringLiteral pairsAttrName = "xft.pairs";
/// Attribute of a host program: the number of pairs that kernels compute in one call, masked pairs included.
inline constexpr StringLiteral executedPairsAttrName = "xft.executed_pairs";
/// Integer attribute of a kernel: the number of bytes of %scratch that one worker needs.
inline constexpr StringLiteral scratchAttrName = "xft.scratch_bytes";

/// Array attribute of a GPU kernel: its tensor maps (#xft.tensor_map). The code of the kernel refers to a tensor map by
/// its index in this array.
inline constexpr StringLiteral tensorMapsAttrName = "xft.tensor_maps";
/// Integer attribute of a GPU kernel: the largest number of thread blocks per multiprocessor (SM) in its grid.
inline constexpr StringLiteral blocksPerProcessorAttrName = "xft.blocks_per_processor";

/// The number of arguments before the operands of a kernel: begin, end and scratch.
inline constexpr unsigned kernelPrefix = 3;

/// Returns true if `function` is a kernel.
bool isKernel(func::FuncOp function);
/// Returns true if `function` is a host program.
bool isEntry(func::FuncOp function);

/// Returns the operands of a kernel, which are its arguments after begin, end and scratch.
ArrayRef<BlockArgument> kernelOperands(func::FuncOp kernel);

/// Verifies a region that computes one element. Its arguments and results must have the scalar types `arguments` and
/// `results`. Its ops must be constants or element-wise arith or math ops. It may capture values of the kernel. Fails
/// after an error at `owner`.
LogicalResult verifyElementRegion(Operation *owner, Region &region, TypeRange arguments, TypeRange results);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTOPS_H
