//===- Describe.cpp - Solutions in words ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Describe.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;

static std::string exprText(AffineExpr expr, StringRef index);

/// Returns `expr`, a factor of a product, as text. Puts a sum in parentheses.
static std::string factorText(AffineExpr expr, StringRef index) {
  std::string text = exprText(expr, index);
  return expr.getKind() == AffineExprKind::Add ? "(" + text + ")" : text;
}

static std::string productText(int64_t factor, AffineExpr expr, StringRef index) {
  std::string text = factorText(expr, index);
  return factor == 1 ? text : factor == -1 ? "-" + text : std::to_string(factor) + " " + text;
}

static std::string exprText(AffineExpr expr, StringRef index) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (isa<AffineDimExpr>(expr))
    return index.str();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    unsigned number = symbol.getPosition();
    return number == 0 ? "Nq" : number == 1 ? "Nk" : "p" + std::to_string(number - 2);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string left = exprText(binary.getLHS(), index), right = exprText(binary.getRHS(), index);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return right.front() == '-' ? left + " - " + right.substr(1) : left + " + " + right;
  case AffineExprKind::Mul:
    return productText(cast<AffineConstantExpr>(binary.getRHS()).getValue(), binary.getLHS(), index);
  case AffineExprKind::Mod:
    return "(" + factorText(binary.getLHS(), index) + " mod " + right + ")";
  default:
    return "(" + factorText(binary.getLHS(), index) + " div " + right + ")";
  }
}

static std::string listText(StringRef function, StringRef first, AffineMap map, StringRef index) {
  std::string text = (function + "(" + first).str();
  if (map)
    for (AffineExpr expr : map.getResults())
      text += ", " + exprText(expr, index);
  return text + ")";
}

static std::string conditionText(AffineMap conditions, StringRef index) {
  std::string text;
  if (conditions)
    for (AffineExpr expr : conditions.getResults())
      text += (text.empty() ? " where " : " and ") + exprText(expr, index) + " >= 0";
  return text;
}

std::string mlir::xf::pattern::describe(PieceAttr piece) {
  std::string text = piece.getResidues() > 1 ? "r < " + std::to_string(piece.getResidues()) + ": " : "";
  text += "i = " + piece.getQueries().str("a") + ", j = " + piece.getKeys().str("b");
  text += ", keys " + listText("max", "0", piece.getLower(), "i") +
          " <= j <= " + listText("min", "Nk - 1", piece.getUpper(), "i");
  return text + conditionText(piece.getRows(), "i");
}

std::string mlir::xf::pattern::describeInverse(PieceAttr piece) {
  if (!piece.getHasInverse())
    return "queries: no interval";
  std::string text = "queries " + listText("max", "Nk - Nq", piece.getQueryLower(), "j") +
                     " <= i <= " + listText("min", "Nk - 1", piece.getQueryUpper(), "j");
  return text + conditionText(piece.getColumns(), "j");
}
