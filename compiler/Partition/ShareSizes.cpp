//===- ShareSizes.cpp - Dynamic sizes of a rank's shares ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ShareSizes.h"

using namespace mlir;
using namespace mlir::xf;

ShareSizes::ShareSizes(func::FuncOp function, MeshAttr mesh) : mesh(mesh) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto sharding = function.getArgAttrOfType<ShardingAttr>(number, kShardingAttrName);
    auto dims = function.getArgAttrOfType<ArrayAttr>(number, "xf.dims");
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!sharding || !type)
      continue;
    unsigned taken = 0;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d))
        continue;
      auto dim = dims ? dyn_cast<DimAttr>(dims[taken++]) : DimAttr();
      int64_t ranks = ranksOf(mesh, sharding.getDims()[d]);
      if (ranks != 1 && (dim || !dims))
        ranksOfName[dim ? dim.getName().str() : sizeName(cast<FunctionOpInterface>(*function), number, d)] = ranks;
    }
  }
}

/// Returns the size of one share of a dimension of size `whole`, which `ranks` ranks share. The result is an expression
/// of the named sizes of shares. Fails, after an error at `location`, if there is no such expression.
FailureOr<SizeExpression> ShareSizes::ofShare(const SizeExpression &whole, int64_t ranks, Location location) const {
  bool isKnown = true;
  SizeExpression all;
  for (const SizeExpression::Term &term : whole.terms()) {
    SizeExpression product(term.coefficient);
    for (const SizeExpression::Factor &factor : term.factors) {
      if (factor.dividend) { // a quotient of what all ranks have is none of what one has
        factor.dividend->forEachName([&](const std::string &name) { isKnown &= !ranksOfName.contains(name); });
        product = product * floorQuotient(*factor.dividend, factor.divisor);
        continue;
      }
      auto found = ranksOfName.find(factor.name);
      product = product * SizeExpression::ofName(factor.name) *
                SizeExpression(found == ranksOfName.end() ? 1 : found->second);
    }
    all = all + product;
  }
  std::optional<SizeExpression> share = exactQuotient(all, SizeExpression(ranks));
  if (isKnown && share)
    return *share;
  emitError(location, "expected a size of which each of ")
      << ranks << " ranks has a share, got '" << whole.text() << "'; shares of different sizes are not implemented";
  return failure();
}

FailureOr<ArrayAttr> ShareSizes::ofShares(ArrayAttr whole, ArrayRef<int64_t> ranks, Location location) const {
  SmallVector<Attribute> shares;
  for (auto [number, attribute] : llvm::enumerate(whole)) {
    int64_t of = number < ranks.size() ? ranks[number] : 1;
    if (auto dim = dyn_cast<DimAttr>(attribute)) {
      int64_t min = llvm::divideCeil(dim.getMin(), of), max = dim.getMax() / of;
      if (min > max) {
        emitError(location, "expected a size '")
            << dim.getName() << "' of which each of " << of << " ranks has a share, got " << dim.getMin() << " to "
            << dim.getMax();
        return failure();
      }
      shares.push_back(DimAttr::get(dim.getContext(), dim.getName(), min, max));
      continue;
    }
    FailureOr<SizeExpression> share = ofShare(cast<SizeAttr>(attribute).getExpression(), of, location);
    if (failed(share))
      return failure();
    shares.push_back(SizeAttr::get(attribute.getContext(), *share));
  }
  return ArrayAttr::get(whole.getContext(), shares);
}

/// Returns, for each dynamic dimension of `type`, the number of ranks that share it.
static SmallVector<int64_t> ranksOfDynamic(RankedTensorType type, ArrayRef<DimSharding> dims, MeshAttr mesh) {
  SmallVector<int64_t> ranks;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      ranks.push_back(size_t(d) < dims.size() && dims[d].axes ? ranksOf(mesh, dims[d].axes) : 1);
  return ranks;
}

FailureOr<DictionaryAttr> ShareSizes::ofInterface(DictionaryAttr attributes, RankedTensorType share,
                                                  ArrayRef<DimSharding> dims, Location location) const {
  NamedAttrList list(attributes);
  if (auto named = dyn_cast_or_null<ArrayAttr>(list.get("xf.dims"))) {
    FailureOr<ArrayAttr> shares = ofShares(named, ranksOfDynamic(share, dims, mesh), location);
    if (failed(shares))
      return failure();
    list.set("xf.dims", *shares);
  }
  return list.getDictionary(mesh.getContext());
}

LogicalResult ShareSizes::adapt(Value share, ArrayRef<DimSharding> dims) const {
  Operation *op = share.getDefiningOp();
  if (!op || ranksOfName.empty())
    return success();
  if (auto listed = op->getAttrOfType<ArrayAttr>("sizes")) {
    auto type = cast<RankedTensorType>(share.getType());
    FailureOr<ArrayAttr> shares = ofShares(listed, ranksOfDynamic(type, dims, mesh), op->getLoc());
    if (failed(shares))
      return failure();
    op->setAttr("sizes", *shares);
  }
  if (auto starts = op->getAttrOfType<ArrayAttr>("starts")) {
    FailureOr<ArrayAttr> shares = ofShares(starts, {}, op->getLoc());
    if (failed(shares))
      return failure();
    op->setAttr("starts", *shares);
  }
  return success();
}
