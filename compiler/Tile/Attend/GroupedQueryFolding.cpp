//===- GroupedQueryFolding.cpp - Grouped-query folding --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/GroupedQueryFolding.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns true if a solution has no predicate and each of its pieces visits all queries in ascending order.
static bool keepsOrder(SolutionAttr solution) {
  auto isInOrder = [](PieceAttr piece) { return piece.getQueries().isIdentity() && piece.getResidues() == 1; };
  return !solution.getTiles() && llvm::all_of(solution.getPieces(), isInOrder);
}

int64_t xf::foldableHeads(AttentionOp op, SolutionAttr solution) {
  auto q = op.getQ().getType(), k = op.getK().getType(), v = op.getV().getType();
  auto isPerHead = [](Value symbol) { return cast<RankedTensorType>(symbol.getType()).getRank() > 1; };
  bool tellsApart = op.getQueryLengths() || op.getPart() || llvm::any_of(op.getSymbols(), isPerHead);
  if (!hasPlainScores(op) || tellsApart || !keepsOrder(solution))
    return 1;
  int64_t heads = q.getDimSize(1), keyHeads = k.getDimSize(1);
  bool isKnown = !q.isDynamicDim(1) && !q.isDynamicDim(2) && !k.isDynamicDim(1) && q.getDimSize(2) > 0;
  return isKnown && keyHeads > 0 && keyHeads == v.getDimSize(1) ? heads / keyHeads : 1;
}

FailureOr<Buffer> xf::foldHeads(HostBuilder &host, const Buffer &x, int64_t heads) {
  return host.collapsed(host.split(x, 1, host.size(heads)), 2, 3);
}

/// Returns `bounds`, a function of a query's position, as a function of a folded row's position. The new function has
/// the value of `bounds` at the position that the row's query has within its own head. Returns null if `bounds` is
/// null.
static AffineMap foldBounds(AffineMap bounds, int64_t queries) {
  if (!bounds)
    return bounds;
  MLIRContext *context = bounds.getContext();
  AffineExpr position = getAffineDimExpr(0, context), keys = getAffineSymbolExpr(1, context);
  SmallVector<AffineExpr> symbols;
  for (unsigned n = 0; n < bounds.getNumSymbols(); ++n)
    symbols.push_back(getAffineSymbolExpr(n, context));
  symbols[0] = getAffineConstantExpr(queries, context);
  return bounds.replaceDimsAndSymbols((position - keys) % queries + keys - queries, symbols, 1, symbols.size());
}

SolutionAttr xf::foldHeads(SolutionAttr solution, int64_t queries) {
  SmallVector<PieceAttr> pieces;
  for (PieceAttr piece : solution.getPieces()) {
    AffineMap lower = foldBounds(piece.getLower(), queries), upper = foldBounds(piece.getUpper(), queries);
    AffineMap rows = foldBounds(piece.getRows(), queries);
    pieces.push_back(PieceAttr::get(solution.getContext(), piece.getQueries(), piece.getKeys(), /*residues=*/1, lower,
                                    upper, rows, /*query_lower=*/{}, /*query_upper=*/{}, /*columns=*/{},
                                    /*monotone=*/false, /*has_inverse=*/false, piece.getKeysDisjoint(),
                                    piece.getQueriesDisjoint()));
  }
  return SolutionAttr::get(solution.getContext(), pieces, TilesAttr());
}
