//===- SeenRows.cpp - Rows of q and k with a pair -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/SeenRows.h"

using namespace mlir;
using namespace mlir::xf;

bool SeenRows::mayHide() {
  xf::Pattern set = cast<KernelizedPatternAttr>(op.getPattern()).getOf();
  if (op.getLengths() || op.getQueryLengths() || (set && !isa<DensePatternAttr, CausalPatternAttr>(set)))
    return true;
  int64_t queries = op.getQ().getType().getDimSize(2), keys = op.getK().getType().getDimSize(2);
  bool isKnown = !ShapedType::isDynamic(queries) && !ShapedType::isDynamic(keys);
  bool isCausal = set && isa<CausalPatternAttr>(set); // queries before all keys have no pair
  return isKnown ? queries == 0 || keys == 0 || (isCausal && queries > keys) : isCausal && op.getQ() != op.getK();
}

AttentionOp SeenRows::countingOp() {
  if (counting)
    return counting;
  auto of = cast<KernelizedPatternAttr>(op.getPattern()).getOf();
  auto pattern = KernelizedPatternAttr::get(op.getContext(), Feature::k_identity, /*epsilon=*/nullptr, std::nullopt,
                                            /*scale_input=*/true, Normalizer::k_none, /*guard=*/nullptr, of);
  auto element = cast<FloatType>(accumulatorType(op.getQ().getType().getElementType()));
  Value q = code.filled(code.columns(op.getQ(), 0, 1), element, 1);
  Value k = code.filled(code.columns(op.getK(), 0, 1), element, 1);
  counting = AttentionOp::create(code.b, code.loc, q.getType(), /*lse=*/Type(), q, k, /*v=*/k, /*params=*/ValueRange(),
                                 /*decay=*/Value(), /*beta=*/Value(), /*relative=*/Value(),
                                 /*feature_captures=*/ValueRange(), op.getLengths(), op.getQueryLengths(),
                                 op.getSegmentsQ(), op.getSegmentsK(), op.getSymbols(), op.getTableOffsets(),
                                 op.getTableColumns(), /*captures=*/ValueRange(), /*seed=*/Value(), /*part=*/Value(),
                                 /*scale=*/nullptr, /*dropout=*/nullptr, pattern);
  return counting;
}

Value SeenRows::countQueries() {
  if (queriesOfKeys)
    return queriesOfKeys;
  AttentionOp forward = countingOp();
  Value q = forward.getQ(), k = forward.getK();
  auto vjp = AttentionVjpOp::create(
      code.b, code.loc, q.getType(), k.getType(), k.getType(), /*d_params=*/TypeRange(), /*d_decay=*/Type(),
      /*d_beta=*/Type(), /*d_relative=*/Type(), /*d_feature_captures=*/TypeRange(), /*d_captures=*/TypeRange(), q, k, k,
      forward.getO(), /*lse=*/Value(), /*d_o=*/q, /*d_lse=*/Value(), /*params=*/ValueRange(), /*decay=*/Value(),
      /*beta=*/Value(), /*relative=*/Value(), /*feature_captures=*/ValueRange(), op.getLengths(), op.getQueryLengths(),
      op.getSegmentsQ(), op.getSegmentsK(), op.getSymbols(), op.getTableOffsets(), op.getTableColumns(),
      /*captures=*/ValueRange(), /*seed=*/Value(), /*part=*/Value(), /*scale=*/nullptr, /*dropout=*/nullptr,
      forward.getPattern(),
      /*exact_weights=*/nullptr, /*reads=*/nullptr);
  return queriesOfKeys = vjp.getDV();
}

Value SeenRows::selectRows(Value x, Value (SeenRows::*count)()) {
  if (!mayHide())
    return x;
  return code.select(code.compare(Comparison::k_gt, (this->*count)(), 0), x, code.number(x, 0));
}
