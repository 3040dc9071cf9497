//===- CheckProgram.cpp - Verification of input modules -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/CheckProgram.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isElementType(Type type) {
  return type.isF32() || type.isF64() || type.isF16() || type.isBF16() || type.isInteger(32) || type.isInteger(64) ||
         type.isInteger(1);
}

static LogicalResult checkInterfaceType(Type type, function_ref<InFlightDiagnostic()> emitError) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && isElementType(tensor.getElementType()) && !tensor.getEncoding())
    return verifyBytes(type, emitError);
  return emitError() << "expected a ranked tensor of f32, f64, f16, bf16, i32, i64 or i1, got " << type;
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {
/// The arguments or the results of a function. Checks that treat both alike take an Interface.
struct Interface {
  StringRef kind; ///< "argument" or "result"
  unsigned count;
  function_ref<Type(unsigned)> type;
  function_ref<DictionaryAttr(unsigned)> attributes;
  function_ref<Location(unsigned)> location;

  InFlightDiagnostic emitError(unsigned number) const { return mlir::emitError(location(number)); }
  /// Emits an error at argument (or result) `number`, and a note at the argument (or result) `other`, which conflicts
  /// with it.
  InFlightDiagnostic emitClash(unsigned number, unsigned other) const {
    InFlightDiagnostic error = emitError(number);
    error.attachNote(location(other)) << "the other " << kind << " is here";
    return error;
  }

  StringAttr string(unsigned number, StringRef attribute) const {
    DictionaryAttr all = attributes(number);
    return all ? all.getAs<StringAttr>(attribute) : nullptr;
  }
  std::string name(unsigned number) const {
    for (StringRef attribute : {"xf.parameter", "xf.state", "xf.name"})
      if (StringAttr name = string(number, attribute))
        return name.str();
    return (kind == "argument" ? "arg" : "result") + std::to_string(number);
  }
};
} // namespace

/// Verifies C6 of checkProgram for one argument or result: a range (xf.range) belongs to integers and is not empty.
static LogicalResult checkRange(const Interface &interface, unsigned number) {
  DictionaryAttr all = interface.attributes(number);
  auto range = all ? all.getAs<DenseI64ArrayAttr>("xf.range") : nullptr;
  if (!range)
    return success();
  if (!getElementTypeOrSelf(interface.type(number)).isInteger())
    return interface.emitError(number) << "expected integers for xf.range, got " << interface.type(number);
  if (range[0] > range[1])
    return interface.emitError(number) << "expected a range whose lowest value comes first, got [" << range[0] << ", "
                                       << range[1] << "]";
  return success();
}

static LogicalResult checkInterface(const Interface &interface) {
  llvm::StringMap<unsigned> names;
  for (unsigned n = 0; n < interface.count; ++n) {
    auto error = [&] { return interface.emitError(n); };
    if (failed(checkInterfaceType(interface.type(n), error)) || failed(checkRange(interface, n)))
      return failure();
    std::string name = interface.name(n);
    if (StringRef(name).contains('\0'))
      return error() << "expected a name without NUL for " << interface.kind << " " << n;
    auto [first, isNew] = names.try_emplace(name, n);
    if (!isNew)
      return interface.emitClash(n, first->second)
             << "expected different names, got '" << name << "' for two " << interface.kind << "s";
  }
  return success();
}

/// Verifies C5 of checkProgram: xf.updates of a result is the name of exactly one argument, of the same type as the
/// result, and no argument is named by two results.
static LogicalResult checkUpdates(func::FuncOp function, const Interface &arguments, const Interface &results) {
  DenseMap<unsigned, unsigned> updated;
  for (unsigned n = 0; n < results.count; ++n) {
    StringAttr target = results.string(n, "xf.updates");
    if (!target)
      continue;
    auto found = llvm::to_vector(llvm::make_filter_range(
        llvm::seq(arguments.count), [&](unsigned argument) { return hasName(function, argument, target); }));
    if (found.empty())
      return results.emitError(n) << "expected the name of an argument in xf.updates, got " << target;
    if (found.size() > 1)
      return results.emitError(n) << "expected the name of one argument in xf.updates, got " << target
                                  << ", which names " << found.size();
    if (arguments.type(found[0]) != results.type(n))
      return results.emitError(n) << "expected the type of the argument " << target << ", which is updated, "
                                  << arguments.type(found[0]) << ", got " << results.type(n);
    auto [first, isNew] = updated.try_emplace(found[0], n);
    if (!isNew)
      return results.emitClash(n, first->second) << "expected one result that updates " << target << ", got two";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Verifies C2 and C7 of checkProgram for one op: it belongs to the dialect xf or is a dense constant.
static LogicalResult checkOp(Operation &op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant && !isa_and_present<XfDialect>(op.getDialect()))
    return op.emitError("expected an op of the dialect xf or a constant, got '") << op.getName() << "'";
  if (!constant)
    return success();
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!value || !isElementType(value.getElementType()) || !isa<RankedTensorType>(value.getType()))
    return op.emitError("expected a dense constant of f32, f64, f16, bf16, i32, i64 or i1, got ") << constant.getType();
  return success();
}

/// Verifies C2, C3 and C7 of checkProgram for a body: its ops, its terminator and the sizes of its tensors.
static LogicalResult checkBody(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(checkOp(op)))
      return failure();
  if (!isa<func::ReturnOp>(body.back()))
    return body.back().emitError("expected func.return, got '") << body.back().getName() << "'";
  return verifyBytes(function);
}

static LogicalResult checkFunction(func::FuncOp function) {
  if (function.isExternal())
    return function.emitError("expected a function with a body, got the declaration of '") << function.getName() << "'";
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a function of one block, got ") << function.getBody().getBlocks().size();
  if (function.getName().contains('\0'))
    return function.emitError("expected a name without NUL");
  auto argumentType = [&](unsigned n) -> Type { return function.getArgumentTypes()[n]; };
  auto argumentAttributes = [&](unsigned n) { return function.getArgAttrDict(n); };
  auto argumentLocation = [&](unsigned n) { return function.getArgument(n).getLoc(); };
  auto resultType = [&](unsigned n) -> Type { return function.getResultTypes()[n]; };
  auto resultAttributes = [&](unsigned n) { return function.getResultAttrDict(n); };
  auto resultLocation = [&](unsigned) { return function.getLoc(); };
  Interface arguments{"argument", function.getNumArguments(), argumentType, argumentAttributes, argumentLocation};
  Interface results{"result", function.getNumResults(), resultType, resultAttributes, resultLocation};
  if (failed(checkInterface(arguments)) || failed(checkInterface(results)) ||
      failed(checkUpdates(function, arguments, results)))
    return failure();
  return checkBody(function);
}

LogicalResult xf::checkProgram(ModuleOp module) {
  if (module.getBody()->empty())
    return module.emitError("expected a function, got an empty program");
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitError("expected functions, got '") << op.getName() << "'";
    if (failed(checkFunction(function)))
      return failure();
  }
  return success();
}
