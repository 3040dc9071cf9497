//===- Gradient.cpp - Reverse-mode differentiation ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the derivatives that a module requests as ordinary code. There are two ways to request one. The option
// entry=f, or the unit attribute xf.vjp on f, adds a function beside f:
//
//   func @f(%x {xf.name = "x"}) -> (T {xf.name = "y"})
//   func @f_vjp(%x {xf.name = "x"}, %d_y {xf.name = "d_y"}) -> (T {xf.name = "y"}, T {xf.name = "d_x"}) {
//     %y, %d_x = xf.vjp @f(%x) cotangents(%d_y) wrt [0]
//
// The ops xf.vjp and xf.gradient stand for a function and its derivative inside other code, such as a training step.
// Both are expanded to
//
//   the body of @f
//   its reverse sweep: per op of the body, last one first, what its DifferentiableOpInterface builds
//
// An xf.attention_vjp that the program itself contains gets the derivative of its score region.
//
// Runs before all stages except expand. So the later stages see plain ops only, and optimise forward and backward code
// together. xf.checkpoint ops of the forward part stay, and the fuse stage inlines them. A private @f without other
// uses stays until symbol-dce removes it after this pass.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Gradient/ReverseSweep.h"
#include "compiler/Gradient/ScoreDerivative.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xf {
#define GEN_PASS_DEF_GRADIENTPASS
#include "compiler/Gradient/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

static bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

static bool isDynamic(TypeRange types) {
  return llvm::any_of(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

//===----------------------------------------------------------------------===//
// NAME_vjp
//===----------------------------------------------------------------------===//

static constexpr StringLiteral nameAttribute = "xf.name", vjpAttribute = "xf.vjp";

static std::string argumentName(func::FuncOp function, unsigned number) {
  if (auto name = function.getArgAttrOfType<StringAttr>(number, nameAttribute))
    return name.str();
  return ("arg" + Twine(number)).str();
}

static std::string resultName(func::FuncOp function, unsigned number) {
  if (auto name = function.getResultAttrOfType<StringAttr>(number, nameAttribute))
    return name.str();
  return ("result" + Twine(number)).str();
}

static DictionaryAttr derivativeName(OpBuilder &builder, const std::string &of) {
  return builder.getDictionaryAttr(builder.getNamedAttr(nameAttribute, builder.getStringAttr("d_" + of)));
}

namespace {
/// The types and attributes of the function NAME_vjp. It has the arguments of NAME, followed by a cotangent for each
/// floating-point result. It returns the results of NAME, followed by a gradient for each floating-point argument.
/// `wrt` are the indices of these arguments.
struct VjpSignature {
  SmallVector<Type> arguments, results;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  SmallVector<int64_t> wrt;

  VjpSignature(OpBuilder &builder, func::FuncOp function)
      : arguments(function.getArgumentTypes()), results(function.getResultTypes()) {
    std::optional<SymbolicSizes> sizes;
    if (isDynamic(function.getResultTypes()))
      sizes.emplace(function);
    for (unsigned number = 0; number < function.getNumArguments(); ++number)
      argumentAttributes.push_back(function.getArgAttrDict(number));
    for (unsigned number = 0; number < function.getNumResults(); ++number) {
      resultAttributes.push_back(function.getResultAttrDict(number));
      if (!isFloat(function.getResultTypes()[number]))
        continue;
      arguments.push_back(function.getResultTypes()[number]);
      NamedAttrList attributes(derivativeName(builder, resultName(function, number)));
      Value value = function.getBody().front().getTerminator()->getOperand(number);
      if (ArrayAttr computed = sizes ? computedSizes(value, *sizes) : ArrayAttr())
        attributes.set("xf.dims", computed);
      argumentAttributes.push_back(attributes.getDictionary(builder.getContext()));
    }
    for (unsigned number = 0; number < function.getNumArguments(); ++number) {
      if (!isFloat(function.getArgumentTypes()[number]))
        continue;
      wrt.push_back(number);
      results.push_back(function.getArgumentTypes()[number]);
      resultAttributes.push_back(derivativeName(builder, argumentName(function, number)));
    }
  }
};
} // namespace

static LogicalResult addVjpFunction(ModuleOp module, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return module.emitError("expected a function '") << entry << "' to differentiate, got none of this name";
  std::string name = (entry + "_vjp").str();
  if (Operation *other = module.lookupSymbol(name)) {
    InFlightDiagnostic error = other->emitError("expected no '")
                               << name << "' beside '" << entry << "', got one already";
    error.attachNote(function.getLoc()) << "'" << entry << "' is differentiated";
    return error;
  }
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block, got ") << function.getBody().getBlocks().size();
  OpBuilder builder(function->getContext());
  builder.setInsertionPointAfter(function);
  VjpSignature signature(builder, function);
  FunctionType type = builder.getFunctionType(signature.arguments, signature.results);
  auto vjp = func::FuncOp::create(builder, function.getLoc(), name, type);
  vjp.setAllArgAttrs(signature.argumentAttributes);
  vjp.setAllResultAttrs(signature.resultAttributes);
  Block *body = vjp.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  ValueRange arguments = body->getArguments();
  auto op = VjpOp::create(builder, function.getLoc(), signature.results, entry,
                          arguments.take_front(function.getNumArguments()),
                          arguments.drop_front(function.getNumArguments()), signature.wrt);
  func::ReturnOp::create(builder, function.getLoc(), op.getOutputs());
  return success();
}

//===----------------------------------------------------------------------===//
// Expansion of xf.gradient and xf.vjp
//===----------------------------------------------------------------------===//

/// Returns one cotangent for each result of the function: 1 for the first result, which is the loss, and null for the
/// others.
static SmallVector<Value> buildCotangents(OpBuilder &builder, GradientOp op, func::FuncOp callee) {
  SmallVector<Value> cotangents(callee.getNumResults());
  auto type = cast<RankedTensorType>(callee.getResultTypes().front());
  auto one = DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), 1.0));
  cotangents.front() = arith::ConstantOp::create(builder, op.getLoc(), one);
  return cotangents;
}

/// Returns one cotangent for each result of the function. Floating-point results get the cotangent operands of `op` in
/// turn, and all other results get null.
static SmallVector<Value> buildCotangents(OpBuilder &, VjpOp op, func::FuncOp callee) {
  SmallVector<Value> cotangents;
  auto next = op.getCotangents().begin();
  for (Type type : callee.getResultTypes())
    cotangents.push_back(isFloat(type) ? *next++ : Value());
  return cotangents;
}

/// Sets the attribute operandSizesAttrName, the sizes of operands, on the ops of `function` whose gradients need them.
static void attachOperandSizes(func::FuncOp function) {
  if (!isDynamic(function.getArgumentTypes()))
    return;
  SymbolicSizes sizes(function);
  Builder b(function.getContext());
  function.walk([&](Operation *op) {
    if (!isa<AddAtOp, ReshapeOp, SliceOp, SliceUpdateOp, PadOp, ConcatOp>(op) ||
        cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0)
      return;
    SmallVector<Attribute> all;
    for (Value operand : op->getOperands()) {
      SmallVector<Attribute> own;
      if (const SizeExpressions *known = sizes.of(operand))
        for (const SizeExpression &size : *known)
          own.push_back(SizeAttr::get(b.getContext(), size));
      all.push_back(b.getArrayAttr(own));
    }
    if (!llvm::all_of(op->getOperandTypes(), [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); }))
      op->setDiscardableAttr(operandSizesAttrName, b.getArrayAttr(all));
  });
}

template <typename OpTy>
static LogicalResult expand(OpTy op, func::FuncOp callee) {
  attachOperandSizes(callee);
  OpBuilder builder(op);
  SmallVector<Value> cotangents = buildCotangents(builder, op, callee);
  Region copy;
  IRMapping mapping;
  callee.getBody().cloneInto(&copy, mapping);
  Block &block = copy.front();
  SmallVector<Value> wrt;
  for (int64_t number : op.getWrt())
    wrt.push_back(block.getArgument(number));
  FailureOr<SmallVector<Value>> gradients = appendReverseSweep(block, cotangents, wrt);
  if (failed(gradients))
    return failure();
  Operation *terminator = block.getTerminator();
  OpBuilder atEnd(terminator);
  for (auto [gradient, argument] : llvm::zip(*gradients, wrt))
    if (!gradient)
      gradient = buildZeros(atEnd, op.getLoc(), argument);
  SmallVector<Value> results(terminator->getOperands());
  llvm::append_range(results, *gradients);
  op->replaceAllUsesWith(results);
  terminator->erase();
  for (auto [argument, input] : llvm::zip(block.getArguments(), op.getInputs()))
    argument.replaceAllUsesWith(input);
  op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations());
  op.erase();
  return success();
}

static FlatSymbolRefAttr differentiatedFunction(Operation *op) {
  if (auto gradient = dyn_cast<GradientOp>(op))
    return gradient.getCalleeAttr();
  if (auto vjp = dyn_cast<VjpOp>(op))
    return vjp.getCalleeAttr();
  return {};
}

static SmallVector<Operation *> collectDerivatives(Operation *root) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (differentiatedFunction(op))
      found.push_back(op);
  });
  return found;
}

static LogicalResult expand(Operation *op, func::FuncOp callee) {
  return isa<GradientOp>(op) ? expand(cast<GradientOp>(op), callee) : expand(cast<VjpOp>(op), callee);
}

/// Expands all xf.gradient and xf.vjp ops of a module. An op waits until the function that it differentiates contains
/// no such op itself. Fails, after an error, if an op cannot be expanded or a function differentiates itself.
static LogicalResult expandAll(ModuleOp module) {
  for (;;) {
    SmallVector<Operation *> waiting = collectDerivatives(module);
    if (waiting.empty())
      return success();
    bool progress = false;
    for (Operation *op : waiting) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, differentiatedFunction(op));
      if (!callee)
        return op->emitOpError("expected a func.func, got ") << differentiatedFunction(op);
      if (!collectDerivatives(callee).empty())
        continue;
      if (failed(expand(op, callee)))
        return failure();
      progress = true;
    }
    if (!progress)
      return waiting.front()->emitOpError("expected a function that does not differentiate itself, got ")
             << differentiatedFunction(waiting.front());
  }
}

/// Builds the missing derivatives of score regions. The gradient stage adds a derivative to each xf.attention_vjp that
/// it builds, but a program may itself contain such ops, without a derivative. Fails after an error.
static LogicalResult addScoreDerivatives(ModuleOp module) {
  WalkResult walked = module.walk([](AttentionVjpOp op) {
    if (op.getScore().empty() || !op.getDerivative().empty())
      return WalkResult::advance();
    SmallVector<int64_t> reads;
    if (failed(buildScoreDerivative(op.getScore(), op.getDerivative(), reads)))
      return WalkResult::interrupt();
    op.setReads(reads);
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// Returns the names of the functions for which a derivative is requested, each once: first the functions named by
/// `option`, then those with the attribute xf.vjp. Removes this attribute.
static llvm::SmallSetVector<StringRef, 4> takeEntries(ModuleOp module, ArrayRef<std::string> option) {
  llvm::SmallSetVector<StringRef, 4> entries(option.begin(), option.end());
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && function->removeAttr(vjpAttribute))
      entries.insert(function.getName());
  return entries;
}

/// Declares the sizes of results (xf.dims) for all results whose sizes can be computed from the sizes of arguments.
static void declareResultSizes(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isDynamic(function.getResultTypes()) || function.isExternal() || function.isPrivate())
      continue;
    SymbolicSizes sizes(function);
    for (auto [number, value] : llvm::enumerate(function.getBody().front().getTerminator()->getOperands()))
      if (ArrayAttr computed = computedSizes(value, sizes); computed && !function.getResultAttr(number, "xf.dims"))
        function.setResultAttr(number, "xf.dims", computed);
  }
}

namespace {
struct GradientPass : xf::impl::GradientPassBase<GradientPass> {
  using GradientPassBase::GradientPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, XfDialect>();
    registerGradientModels(registry);
  }

  void runOnOperation() override {
    for (StringRef entry : takeEntries(getOperation(), entries))
      if (failed(addVjpFunction(getOperation(), entry)))
        return signalPassFailure();
    bool isExpanded = succeeded(expandAll(getOperation()));
    getOperation().walk([](Operation *op) { op->removeDiscardableAttr(operandSizesAttrName); });
    declareResultSizes(getOperation());
    if (!isExpanded || failed(addScoreDerivatives(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        eraseDeadOps(block);
  }
};
} // namespace
