//===- TakeShare.cpp - A program for one of several ranks -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites each function, which stands for what all ranks compute together, to the function that every rank runs.
// Tensors become a rank's shares, and ops are added for what ranks send each other:
//
//   func.func @f(%x: tensor<4x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %w: tensor<5x3xf32>) ->
//   tensor<5xf32> {
//     %y = xf.linear %x, %w : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
//     %s = xf.reduce sum %y axes [0] : tensor<4x5xf32> -> tensor<5xf32>
//
// becomes, with two ranks along "data",
//
//   func.func @f(%x: tensor<2x3xf32> {xf.sharding = ..}, %w: tensor<5x3xf32>) -> tensor<5xf32> attributes {xf.share} {
//     %y = xf.linear %x, %w : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x5xf32>
//     %p = xf.reduce sum %y axes [0] : tensor<2x5xf32> -> tensor<5xf32>
//     %s = xf.all_reduce %p over ["data"] : tensor<5xf32>
//
// All ranks have shares of the same size. A static size that the ranks do not divide is an error. A named dynamic size
// becomes the size of a share (ShareSizes.h).
//
// Runs right after xf-propagate-shardings, which reports what is gathered. Derives the same shardings again. If ranks
// cannot share an op as these shardings require (RestrictFactors.cpp), they gather its operands, and each rank takes
// its part of the results.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Partition/Passes.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ScatterSums.h"
#include "compiler/Partition/ShareOps.h"
#include "compiler/Partition/ShareSizes.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {
#define GEN_PASS_DEF_TAKESHAREPASS
#include "compiler/Partition/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
/// One value of the whole program, as one rank has it. `dims` is the value's sharding. `forms` are the shares built so
/// far, each with its sharding: first the share that the op or argument gives, then shares by other shardings that ops
/// needed.
struct Shares {
  DimShardings dims;
  SmallVector<std::pair<DimShardings, Value>, 2> forms;
};

/// Builds the function of one rank from a function of all ranks, and replaces it.
class FunctionShare {
public:
  FunctionShare(func::FuncOp function, MeshAttr mesh, bool errorOnReshard, bool sharesQueries)
      : function(function), mesh(mesh), errorOnReshard(errorOnReshard), sharesQueries(sharesQueries), b(function),
        sizes(function, mesh), wholeSizes(function) {}

  LogicalResult run();

private:
  LogicalResult takeArguments();
  LogicalResult visit(Operation *op);
  LogicalResult visitReturn(func::ReturnOp op);
  LogicalResult reportRestriction(Operation *op, StringRef why);
  FailureOr<Value> shareBy(Value value, DimShardings dims, Location location);

  func::FuncOp function;
  MeshAttr mesh;
  bool errorOnReshard, sharesQueries;
  OpBuilder b;
  ShareSizes sizes;
  SymbolicSizes wholeSizes; ///< the sizes of values before they are shared
  func::FuncOp share;
  DenseMap<Value, Shares> known;
};

struct TakeSharePass : xf::impl::TakeSharePassBase<TakeSharePass> {
  using TakeSharePassBase::TakeSharePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TakeSharePassBase::getDependentDialects(registry);
    registerGradientModels(registry); // of features, which are ops in a rank's share alone
  }

  void runOnOperation() override;
};
} // namespace

/// Returns whether each rank has the same elements under the shardings `x` and `y`.
static bool areAlike(ArrayRef<DimSharding> x, ArrayRef<DimSharding> y) {
  auto at = [](ArrayRef<DimSharding> dims, size_t d) { return d < dims.size() ? dims[d] : DimSharding(); };
  return llvm::all_of(llvm::seq<size_t>(0, std::max(x.size(), y.size())),
                      [&](size_t d) { return at(x, d).isLike(at(y, d)); });
}

static DimShardings dimsOrNone(ShardingAttr sharding, Location origin) {
  return sharding && !sharding.isWhole() ? dimsOf(sharding, origin) : DimShardings();
}

/// Returns a rank's share of `value` under the sharding `dims`. Builds the share if no earlier op needed it. Fails
/// after an error.
FailureOr<Value> FunctionShare::shareBy(Value value, DimShardings dims, Location location) {
  Shares &shares = known[value];
  for (auto &[have, share] : shares.forms)
    if (areAlike(have, dims))
      return share;
  auto &[have, first] = shares.forms.front();
  FailureOr<Value> built = reshard(b, location, first, have, dims, mesh);
  if (succeeded(built))
    shares.forms.push_back({std::move(dims), *built});
  return built;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

/// Creates the function of one rank and its arguments, with the types and attributes of shares. Fails after an error.
LogicalResult FunctionShare::takeArguments() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    DimShardings dims =
        dimsOrNone(function.getArgAttrOfType<ShardingAttr>(number, kShardingAttrName), argument.getLoc());
    if (hasKeysOrder(function)) // whose slices are ranges
      for (const DimSharding &dim : dims)
        if (dim.chunks > 1)
          return emitError(argument.getLoc(), "expected parts in the order of ranks in the order `keys`, got ")
                 << textOf(dim.axes, dim.chunks);
    auto name = function.getArgAttrOfType<StringAttr>(number, "xf.name");
    auto type = shareOf(cast<RankedTensorType>(argument.getType()), dims, mesh, argument.getLoc(),
                        name ? "'" + name.getValue() + "'" : "argument #" + Twine(number));
    if (failed(type))
      return failure();
    FailureOr<DictionaryAttr> given =
        sizes.ofInterface(function.getArgAttrDict(number), *type, dims, argument.getLoc());
    if (failed(given))
      return failure();
    types.push_back(*type);
    attributes.push_back(*given);
    known[argument].dims = dims;
  }
  share = func::FuncOp::create(b, function.getLoc(), function.getName(), b.getFunctionType(types, {}));
  share->setAttrs(function->getAttrs());
  share.setFunctionType(b.getFunctionType(types, {}));
  share.removeArgAttrsAttr();
  share.removeResAttrsAttr();
  share.setAllArgAttrs(attributes);
  share->setAttr(kShareAttrName, b.getUnitAttr());
  Block *body = share.addEntryBlock();
  for (auto [argument, of] : llvm::zip(body->getArguments(), function.getArguments())) {
    argument.setLoc(of.getLoc());
    Shares &shares = known[of];
    shares.forms.push_back({shares.dims, argument});
  }
  b.setInsertionPointToEnd(body);
  return success();
}

LogicalResult FunctionShare::visitReturn(func::ReturnOp op) {
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    DimShardings dims = dimsOrNone(function.getResultAttrOfType<ShardingAttr>(number, kShardingAttrName), op.getLoc());
    auto whole = cast<RankedTensorType>(operand.get().getType());
    if (failed(shareOf(whole, dims, mesh, op.getLoc(), "result #" + Twine(number))))
      return failure();
    FailureOr<Value> value = shareBy(operand.get(), dims, op.getLoc());
    if (failed(value))
      return failure();
    FailureOr<DictionaryAttr> given = sizes.ofInterface(function.getResultAttrDict(number),
                                                        cast<RankedTensorType>(value->getType()), dims, op.getLoc());
    if (failed(given))
      return failure();
    values.push_back(*value);
    attributes.push_back(*given);
  }
  func::ReturnOp::create(b, op.getLoc(), values);
  share.setFunctionType(
      b.getFunctionType(share.getArgumentTypes(), llvm::map_to_vector(values, [](Value v) { return v.getType(); })));
  share.setAllResultAttrs(attributes);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Reports that every rank computes more than its share of `op`, for the reason `why`: as a remark, or as an error with
/// errorOnReshard.
LogicalResult FunctionShare::reportRestriction(Operation *op, StringRef why) {
  InFlightDiagnostic message =
      errorOnReshard ? op->emitError("expected an op that ranks share, got one that each of them computes")
                     : op->emitRemark("every rank computes what others do too");
  message << ": " << why;
  return errorOnReshard ? failure() : success();
}

/// Verifies the sharding `dims` of an operand or result: each dimension in it must have the axes and chunks of a
/// dimension in `given` or of a factor.
static LogicalResult verifyParts(Operation *op, ArrayRef<DimSharding> dims, ArrayRef<DimSharding> given,
                                 const FactorShardings &assigned) {
  auto hasPart = [](const DimSharding &dim, const CountedDim &part) {
    return llvm::any_of(countedDims(dim, part.size),
                        [&](const CountedDim &of) { return of.axes == part.axes && of.chunks == part.chunks; });
  };
  for (const DimSharding &dim : dims)
    for (const CountedDim &part : countedDims(dim, 0)) {
      if (!part.axes || llvm::any_of(given, [&](const DimSharding &of) { return hasPart(of, part); }) ||
          llvm::any_of(assigned, [&](const auto &of) { return hasPart(of.second, part); }))
        continue;
      return op->emitError("expected parts that lie as those of the op's operands, got ")
             << textOf(part.axes, part.chunks) << ", which none of them has";
    }
  return success();
}

LogicalResult FunctionShare::visit(Operation *op) {
  DimensionFactors factors = factorsOf(op, wholeSizes);
  FactorShardings propagated;
  auto shardingOf = [&](Value value) -> ArrayRef<DimSharding> { return known[value].dims; };
  auto accept = [](OpOperand &, unsigned, const DimSharding &, const DimSharding *) { return success(); };
  if (failed(assignFactors(op, factors, shardingOf, propagated, accept)))
    return failure();
  FactorShardings assigned = propagated;
  StringRef why = restrictFactors(op, mesh, sharesQueries, assigned);
  if (!why.empty() && failed(reportRestriction(op, why)))
    return failure();
  SmallVector<Value> operands;
  SmallVector<DimShardings> operandDims;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<DimSharding> given = known[operand.get()].dims;
    operandDims.push_back(shardingOfOperand(factors, operand, assigned, given));
    if (failed(verifyParts(op, operandDims.back(), given, assigned)))
      return failure();
    FailureOr<Value> value = shareBy(operand.get(), operandDims.back(), op->getLoc());
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  SmallVector<DimShardings> natural;
  SmallVector<RankedTensorType> types;
  SmallVector<SmallVector<Attribute>> sums;
  for (OpResult result : op->getResults()) {
    natural.push_back(shardingOfResult(factors, result.getResultNumber(), assigned));
    if (failed(verifyParts(op, natural.back(), {}, assigned)))
      return failure();
    sums.push_back(sumsOfResult(factors, result.getResultNumber(), assigned));
    auto type = shareOf(cast<RankedTensorType>(result.getType()), natural.back(), mesh, op->getLoc(),
                        "result #" + Twine(result.getResultNumber()));
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  OpShare opShare = {op, mesh, operands, operandDims, types, sums, {}, &factors, &assigned};
  for (const auto &[factor, dim] : assigned)
    llvm::append_range(opShare.axes, dim.axes);
  if (isa<AttentionOp, AttentionVjpOp>(op))
    opShare.tokens = assigned.lookup('s');
  FailureOr<SmallVector<Value>> results = buildShare(b, opShare);
  if (failed(results))
    return failure();
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    Value value = (*results)[number];
    if (failed(sizes.adapt(value, natural[number])))
      return failure();
    Shares &shares = known[result];
    shares.forms.push_back({natural[number], value});
    shares.dims = knownSharding(result, factors, propagated, mesh);
  }
  return success();
}

LogicalResult FunctionShare::run() {
  if (function.isExternal())
    return success();
  if (failed(takeArguments()))
    return failure();
  for (Operation &op : function.getBody().front()) {
    auto returned = dyn_cast<func::ReturnOp>(op);
    if (failed(returned ? visitReturn(returned) : visit(&op))) {
      share.erase();
      return failure();
    }
  }
  function.erase();
  scatterSums(share, mesh);
  share.walk([](Operation *op) {
    op->removeAttr("shardings");
    op->removeAttr("sums");
  });
  return success();
}

void TakeSharePass::runOnOperation() {
  auto mesh = getOperation()->getAttrOfType<MeshAttr>(kMeshAttrName);
  if (!mesh)
    return;
  if (llvm::is_contained(mesh.getSizes(), 0)) {
    getOperation().emitError("expected the number of ranks of each axis, got ") << mesh;
    return signalPassFailure();
  }
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
    if (!function->hasAttr(kShareAttrName) &&
        failed(FunctionShare(function, mesh, errorOnReshard, sharesQueries).run()))
      return signalPassFailure();
}
