//===- XfDialect.cpp - Registration and the attributes of functions -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfFunctionOps.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

#include "dialects/xf/IR/XfDialect.cpp.inc"
#include "dialects/xf/IR/XfEnums.cpp.inc"

#include "dialects/xf/Interfaces/XfOpInterfaces.cpp.inc"

void XfDialect::initialize() {
  registerPatterns();
  addOperations<
#define GET_OP_LIST
#include "dialects/xf/IR/XfOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/xf/IR/XfFunctionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/xf/IR/XfSelectionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/xf/Sharding/XfRankOps.cpp.inc"
      >();
}

/// Verifies the attribute xf.dims of an argument or result: it must have one #xf.dim or #xf.size for each dynamic
/// dimension.
static LogicalResult verifyDims(Operation *op, Attribute value, Type type) {
  auto dims = dyn_cast<ArrayAttr>(value);
  if (!dims || !llvm::all_of(dims, llvm::IsaPred<DimAttr, SizeAttr>))
    return op->emitOpError("expected an array of #xf.dim or #xf.size in attribute 'xf.dims', got ") << value;
  auto shaped = dyn_cast<ShapedType>(type);
  int64_t dynamic = shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
  if (static_cast<int64_t>(dims.size()) != dynamic) // #xf.dim C2
    return op->emitOpError("expected ") << dynamic << " dimensions in attribute 'xf.dims' of " << type << ", got "
                                        << value;
  return success();
}

/// Verifies an attribute of an argument or result. xf.name, xf.parameter, xf.state and xf.updates hold strings.
/// xf.range holds the lowest and the highest value of an integer argument, and xf.sharding holds a #xf.sharding.
static LogicalResult verifyFunctionAttribute(Operation *op, NamedAttribute attribute, Type type) {
  StringRef name = attribute.getName();
  if (name == "xf.dims")
    return verifyDims(op, attribute.getValue(), type);
  if (name == "xf.range") {
    auto range = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!range || range.size() != 2)
      return op->emitOpError("expected two integers in attribute 'xf.range', got ") << attribute.getValue();
    return success();
  }
  if (name == kShardingAttrName) {
    if (auto sharding = dyn_cast<ShardingAttr>(attribute.getValue()))
      return verifySharding(sharding, type, op);
    return op->emitOpError("expected a #xf.sharding in attribute 'xf.sharding', got ") << attribute.getValue();
  }
  if (name != "xf.name" && name != "xf.parameter" && name != "xf.state" && name != "xf.updates")
    return op->emitOpError("expected xf.name, xf.parameter, xf.state, xf.updates, xf.range, xf.dims or xf.sharding, "
                           "got attribute '")
           << name << "'";
  if (!isa<StringAttr>(attribute.getValue()))
    return op->emitOpError("expected a string in attribute '") << name << "', got " << attribute.getValue();
  return success();
}

LogicalResult XfDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kMeshAttrName) {
    if (isa<ModuleOp>(op) && isa<MeshAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("expected a #xf.mesh in attribute 'xf.mesh' of a module, got ") << attribute.getValue();
  }
  if (name == kKeysOrderAttrName) {
    if (isa<ModuleOp>(op) && isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("expected the unit attribute '") << name << "' on a module";
  }
  if (name != "xf.autoregressive" && name != "xf.vjp" && name != kShareAttrName)
    return op->emitOpError("expected xf.autoregressive, xf.vjp, xf.mesh or xf.share, got attribute '") << name << "'";
  if (!isa<FunctionOpInterface>(op) || !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expected the unit attribute '") << name << "' on a function";
  return success();
}

LogicalResult XfDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned number, NamedAttribute attribute) {
  return verifyFunctionAttribute(op, attribute, cast<FunctionOpInterface>(op).getArgumentTypes()[number]);
}

LogicalResult XfDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned number,
                                                     NamedAttribute attribute) {
  return verifyFunctionAttribute(op, attribute, cast<FunctionOpInterface>(op).getResultTypes()[number]);
}
