//===- PropagateShardings.cpp - Which ranks have which part of a value ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Propagates shardings from the arguments of a function to its results, op by op. Only sets attributes: an op still
// stands for what all ranks compute together. In the example, %x is sharded over "data" in its first dimension:
//
//   %y = xf.linear %x, %w : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
//   %s = xf.reduce sum %y axes [0] : tensor<4x5xf32> -> tensor<5xf32>
//
// becomes
//
//   %y = xf.linear %x, %w {shardings = [#xf.sharding<[{"data"}, {}]>]} : ..
//   %s = xf.reduce sum %y axes [0] {sums = [["data"]]} : ..
//
// The dimension factors of an op (DimensionFactorsOpInterface) say which dimensions are sharded alike:
//
// - If a factor is sharded and a dimension of an operand is whole, each rank takes its part of the operand. Ranks send
//   nothing.
// - If a factor is whole and a dimension of an operand is sharded, ranks gather the operand. A remark says so, with the
//   number of bytes, because nobody asked for it.
// - An axis shards only one factor of an op. An operand with the axis at a second factor is gathered, too.
//
// A dimension that a reshape merged from several has the axes of all of them. Two such dimensions are alike if they
// were merged from dimensions of the same sizes.
//
// Every sharding comes from an argument, whose location is kept with it. If two shardings of one factor contradict each
// other, an error names both arguments.
//
// Runs after gradients are made and patterns are solved, so that gradients of parameters are ordinary sums, and before
// kernels are built.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/FactorShardings.h"
#include "compiler/Partition/Passes.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf {
#define GEN_PASS_DEF_PROPAGATESHARDINGSPASS
#include "compiler/Partition/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Propagates the shardings of one function's arguments to its results.
class Propagation {
public:
  Propagation(func::FuncOp function, MeshAttr mesh, bool errorOnReshard)
      : function(function), mesh(mesh), errorOnReshard(errorOnReshard), sizes(function) {}

  LogicalResult run();

private:
  LogicalResult readArguments();
  LogicalResult visit(Operation *op);
  LogicalResult reportGather(OpOperand &operand, const DimSharding &dim);
  void setResults(Operation *op, const DimensionFactors &factors, const FactorShardings &assigned);
  ShardingAttr declaredSharding(unsigned number);
  LogicalResult visitReturn(func::ReturnOp op);
  ShardingAttr toAttribute(ArrayRef<DimSharding> dims) const;
  ArrayRef<DimSharding> shardingOf(Value value) const;

  func::FuncOp function;
  MeshAttr mesh;
  bool errorOnReshard;
  SymbolicSizes sizes;
  DenseMap<Value, DimShardings> known; ///< the shardings of values that are not whole
};

struct PropagateShardingsPass : xf::impl::PropagateShardingsPassBase<PropagateShardingsPass> {
  using PropagateShardingsPassBase::PropagateShardingsPassBase;
  void runOnOperation() override;
};
} // namespace

ArrayRef<DimSharding> Propagation::shardingOf(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? ArrayRef<DimSharding>() : ArrayRef(found->second);
}

ShardingAttr Propagation::toAttribute(ArrayRef<DimSharding> dims) const {
  MLIRContext *context = mesh.getContext();
  ArrayAttr none = ArrayAttr::get(context, {});
  SmallVector<ArrayAttr> axes;
  SmallVector<int64_t> chunks;
  for (const DimSharding &dim : dims) {
    axes.push_back(dim.axes ? dim.axes : none);
    chunks.push_back(dim.axes && dim.axes.size() == 1 ? dim.chunks : 1);
  }
  return ShardingAttr::get(context, axes, chunks);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Verifies that dimensions of the same name have the same axes and chunks, in all arguments with a sharding. Fails
/// after an error.
static LogicalResult verifyNames(func::FuncOp function) {
  llvm::MapVector<StringRef, DimSharding> named;
  for (BlockArgument argument : function.getArguments()) {
    auto sharding = function.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), kShardingAttrName);
    auto dims = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "xf.dims");
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!sharding || !dims || !type)
      continue;
    unsigned number = 0;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      auto dim = type.isDynamicDim(d) ? dyn_cast<DimAttr>(dims[number++]) : DimAttr();
      if (!dim)
        continue;
      DimSharding given = dimsOf(sharding, argument.getLoc())[d];
      auto [found, isNew] = named.insert({dim.getName(), given});
      const DimSharding &first = found->second;
      if (isNew || first.isLike(given))
        continue;
      InFlightDiagnostic error = emitError(argument.getLoc(), "expected dimension '")
                                 << dim.getName() << "' to be sharded over " << textOf(first.axes, first.chunks)
                                 << " everywhere, got " << textOf(given.axes, given.chunks);
      error.attachNote(*first.origin) << "here it is sharded over " << textOf(first.axes, first.chunks);
      return error;
    }
  }
  return success();
}

LogicalResult Propagation::readArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto sharding = function.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(), kShardingAttrName);
    if (!sharding || sharding.isWhole())
      continue;
    DimShardings dims = dimsOf(sharding, argument.getLoc());
    auto isZigzag = [](const DimSharding &dim) { return dim.chunks > 1; };
    for (StringRef kept : {"xf.parameter", "xf.state"}) // of which files have parts in order
      if (auto zigzag = llvm::find_if(dims, isZigzag);
          zigzag != dims.end() && function.getArgAttr(argument.getArgNumber(), kept))
        return emitError(argument.getLoc(), "expected parts of a parameter or state in the order of ranks, got ")
               << textOf(zigzag->axes, zigzag->chunks);
    known[argument] = std::move(dims);
  }
  return verifyNames(function);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Reports that ranks gather `operand` along a dimension with the sharding `dim`: as a remark, or as an error with
/// errorOnReshard.
LogicalResult Propagation::reportGather(OpOperand &operand, const DimSharding &dim) {
  Operation *op = operand.getOwner();
  auto type = cast<RankedTensorType>(operand.get().getType());
  InFlightDiagnostic message = errorOnReshard ? op->emitError("expected no operand to be gathered, got operand #")
                                              : op->emitRemark("every rank gathers operand #");
  message << operand.getOperandNumber() << ", " << type << ", over " << textOf(dim.axes, dim.chunks);
  int64_t ranks = ranksOf(mesh, dim.axes), all = 1;
  for (const DimSharding &other : shardingOf(operand.get()))
    all *= other.isWhole() ? 1 : ranksOf(mesh, other.axes);
  if (type.hasStaticShape() && all > 0) {
    int64_t bytes = type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
    message << ": " << bytes / all * (ranks - 1) << " bytes";
  }
  message.attachNote(dim.origin) << "the sharding comes from here";
  return errorOnReshard ? failure() : success();
}

/// Emits an error: dimension `dim` of `operand` has the sharding `found`, but an earlier dimension with the same factor
/// has the sharding `other`.
static LogicalResult reportConflict(OpOperand &operand, unsigned dim, const DimSharding &found,
                                    const DimSharding &other) {
  InFlightDiagnostic error = operand.getOwner()->emitError("expected dimensions that are sharded alike, got ")
                             << textOf(other.axes) << " and " << textOf(found.axes) << " in dimension " << dim
                             << " of operand #" << operand.getOperandNumber();
  error.attachNote(other.origin) << textOf(other.axes) << " comes from here";
  error.attachNote(found.origin) << textOf(found.axes) << " comes from here";
  return error;
}

/// Sets the attribute `shardings` of an op, the shardings of its results, unless all are whole. Sets the attribute
/// `sums`, the axes over which ranks have summands of each result, unless there are none.
void Propagation::setResults(Operation *op, const DimensionFactors &factors, const FactorShardings &assigned) {
  Builder builder(op->getContext());
  SmallVector<Attribute> shardings, sums;
  bool isSharded = false, isSummed = false;
  for (OpResult result : op->getResults()) {
    DimShardings dims = knownSharding(result, factors, assigned, mesh);
    SmallVector<Attribute> summed = sumsOfResult(factors, result.getResultNumber(), assigned);
    sums.push_back(builder.getArrayAttr(summed));
    isSummed |= !summed.empty();
    isSharded |= !dims.empty();
    if (!dims.empty())
      known[result] = dims;
    dims.resize(cast<RankedTensorType>(result.getType()).getRank());
    shardings.push_back(toAttribute(dims));
  }
  if (isSharded)
    op->setAttr("shardings", builder.getArrayAttr(shardings));
  if (isSummed)
    op->setAttr("sums", builder.getArrayAttr(sums));
}

LogicalResult Propagation::visit(Operation *op) {
  DimensionFactors factors = factorsOf(op, sizes);
  FactorShardings assigned;
  auto report = [&](OpOperand &operand, unsigned dim, const DimSharding &found, const DimSharding *other) {
    return other ? reportConflict(operand, dim, found, *other) : reportGather(operand, found);
  };
  if (failed(assignFactors(op, factors, [&](Value value) { return shardingOf(value); }, assigned, report)))
    return failure();
  if (!assigned.empty())
    setResults(op, factors, assigned);
  return success();
}

/// Returns the sharding that result `number` must have, or null if any sharding is allowed. This is the sharding
/// attribute of the result. A result without this attribute that updates an argument first gets the attribute of the
/// argument.
ShardingAttr Propagation::declaredSharding(unsigned number) {
  auto declared = function.getResultAttrOfType<ShardingAttr>(number, kShardingAttrName);
  auto updates = function.getResultAttrOfType<StringAttr>(number, "xf.updates");
  if (declared || !updates)
    return declared;
  for (unsigned n = 0; n < function.getNumArguments(); ++n) {
    if (!hasName(function, n, updates))
      continue;
    auto ofArgument = function.getArgAttrOfType<ShardingAttr>(n, kShardingAttrName);
    auto type = cast<RankedTensorType>(function.getResultTypes()[number]);
    declared = ofArgument ? ofArgument : toAttribute(DimShardings(type.getRank()));
    function.setResultAttr(number, kShardingAttrName, declared);
  }
  return declared;
}

/// Visits the results of the function. A result without a sharding gets the sharding of its value. If a dimension is
/// sharded in the value but whole in the result, the value is gathered, with a remark. There is no remark for a result
/// that updates an argument, because the user chose the argument's sharding. Fails, after an error, if a dimension is
/// sharded differently in the value and in the result.
LogicalResult Propagation::visitReturn(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    ArrayRef<DimSharding> dims = shardingOf(operand.get());
    if (dims.empty())
      continue;
    ShardingAttr declared = declaredSharding(number);
    if (!declared) {
      function.setResultAttr(number, kShardingAttrName, toAttribute(dims));
      continue;
    }
    for (auto [d, dim] : llvm::enumerate(dims)) {
      ArrayAttr axes = declared.getDims()[d];
      int64_t chunks = declared.chunksOf(d);
      if (dim.isWhole() || (axes == dim.axes && chunks == dim.chunks))
        continue;
      if (axes.empty()) {
        if (!function.getResultAttr(number, "xf.updates") && failed(reportGather(operand, dim)))
          return failure();
        continue;
      }
      InFlightDiagnostic error = op.emitError("expected dimension ")
                                 << d << " of result #" << number << " to be sharded over " << textOf(axes, chunks)
                                 << ", as the function says, got " << textOf(dim.axes, dim.chunks);
      error.attachNote(dim.origin) << textOf(dim.axes, dim.chunks) << " comes from here";
      return error;
    }
  }
  return success();
}

LogicalResult Propagation::run() {
  if (function.isExternal())
    return success();
  if (failed(readArguments()))
    return failure();
  for (Operation &op : function.getBody().front()) {
    auto returned = dyn_cast<func::ReturnOp>(op);
    if (failed(returned ? visitReturn(returned) : visit(&op)))
      return failure();
  }
  return success();
}

void PropagateShardingsPass::runOnOperation() {
  auto mesh = getOperation()->getAttrOfType<MeshAttr>(kMeshAttrName);
  if (!mesh)
    return;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(Propagation(function, mesh, errorOnReshard).run()))
      return signalPassFailure();
}
