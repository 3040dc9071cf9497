//===- Import.cpp - Expressions and sets as forms and back ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/Import.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {
/// Imports an affine expression recursively. Limits the depth, because expressions come from users.
class ExprImporter {
public:
  ExprImporter(System &system, ArrayRef<LinearForm> dims, ArrayRef<LinearForm> symbols, int64_t maxNumber,
               ErrorFn emitError)
      : system(system), dims(dims), symbols(symbols), maxNumber(maxNumber), emitError(emitError) {}

  FailureOr<LinearForm> import(AffineExpr expr, unsigned depth = 0) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return checkNumber(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return dims[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return symbols[symbol.getPosition()];
    if (depth == maxDepth)
      return emitError() << "expected an expression nested at most " << maxDepth << " deep";
    auto binary = cast<AffineBinaryOpExpr>(expr);
    FailureOr<LinearForm> left = import(binary.getLHS(), depth + 1);
    if (failed(left))
      return failure();
    FailureOr<LinearForm> right = import(binary.getRHS(), depth + 1);
    if (failed(right))
      return failure();
    return combine(binary.getKind(), *left, *right);
  }

private:
  static constexpr unsigned maxDepth = 200;
  FailureOr<LinearForm> checkNumber(int64_t number) {
    if (number <= maxNumber && number >= -maxNumber)
      return LinearForm(number);
    return emitError() << "expected numbers up to 2^31 in a pattern, got " << number;
  }

  FailureOr<LinearForm> combine(AffineExprKind kind, const LinearForm &left, const LinearForm &right) {
    if (kind == AffineExprKind::Add)
      return left + right;
    if (kind == AffineExprKind::Mul) {
      if (!left.isConstant() && !right.isConstant())
        return emitError() << "expected a constant factor in every product of a pattern";
      return left.isConstant() ? left.constant() * right : right.constant() * left;
    }
    if (!right.isConstant() || right.constant() <= 0) {
      InFlightDiagnostic error = emitError() << "expected a positive constant on the right of "
                                             << (kind == AffineExprKind::Mod ? "mod" : "floordiv");
      if (right.isConstant())
        error << ", got " << right.constant();
      return error;
    }
    if (kind == AffineExprKind::Mod)
      return system.mod(left, right.constant());
    if (kind == AffineExprKind::CeilDiv)
      return -system.floorDiv(-left, right.constant());
    return system.floorDiv(left, right.constant());
  }

  System &system;
  ArrayRef<LinearForm> dims, symbols;
  int64_t maxNumber;
  ErrorFn emitError;
};
} // namespace

FailureOr<LinearForm> mlir::xf::pattern::importExpr(System &system, AffineExpr expr, ArrayRef<LinearForm> dims,
                                                    ArrayRef<LinearForm> symbols, ErrorFn emitError) {
  constexpr int64_t maxNumber = int64_t(1) << 31;
  return ExprImporter(system, dims, symbols, maxNumber, emitError).import(expr);
}

LinearForm mlir::xf::pattern::importSolved(System &system, AffineExpr expr, ArrayRef<LinearForm> dims,
                                           ArrayRef<LinearForm> symbols) {
  auto noError = []() -> InFlightDiagnostic { llvm_unreachable("expected a verified quasi-affine expression"); };
  return *ExprImporter(system, dims, symbols, std::numeric_limits<int64_t>::max(), noError).import(expr);
}

AffineExpr mlir::xf::pattern::exportForm(const System &system, const LinearForm &form, std::optional<Variable> dim,
                                         MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(form.constant(), context);
  auto columnExpr = [&](unsigned column) -> AffineExpr {
    if (std::optional<unsigned> number = system.divisionOf(column)) {
      const Division &division = system.getDivisions()[*number];
      return exportForm(system, division.numerator, dim, context).floorDiv(division.denominator);
    }
    unsigned variable = column - 1;
    if (variable >= kNumQueries)
      return getAffineSymbolExpr(variable - kNumQueries, context);
    assert((!dim || *dim == variable) && "a bound depends on the variable that it bounds");
    return getAffineDimExpr(dim ? 0 : variable, context);
  };
  for (unsigned k = 1; k < form.size(); ++k)
    if (form[k])
      sum = sum + columnExpr(k) * form[k];
  return sum;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

Conjunction mlir::xf::pattern::boxOf(unsigned numVariables) {
  Conjunction box(numVariables);
  LinearForm i = box.variable(kQuery), j = box.variable(kKey);
  LinearForm nq = box.variable(kNumQueries), nk = box.variable(kNumKeys);
  box.addInequality(i - nk + nq);
  box.addInequality(nk - i - 1);
  box.addInequality(j);
  box.addInequality(nk - j - 1);
  return box;
}

IntegerSet mlir::xf::pattern::exportConjunction(const Conjunction &set, MLIRContext *context) {
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  Conjunction box = boxOf(set.getNumVariables());
  for (const LinearForm &form : set.equalities) {
    constraints.push_back(exportForm(set, form, std::nullopt, context));
    equalities.push_back(true);
  }
  for (const LinearForm &form : set.inequalities) {
    if (llvm::is_contained(box.inequalities, form))
      continue;
    constraints.push_back(exportForm(set, form, std::nullopt, context));
    equalities.push_back(false);
  }
  if (constraints.empty()) {
    constraints.push_back(getAffineConstantExpr(0, context));
    equalities.push_back(true);
  }
  return IntegerSet::get(2, set.getNumVariables() - kNumQueries, constraints, equalities);
}

Set mlir::xf::pattern::restrictVariables(const Set &set, unsigned numVariables) {
  Set result;
  for (const Conjunction &part : set) {
    SmallVector<LinearForm, 8> variables;
    Conjunction &restricted = result.emplace_back(numVariables);
    for (unsigned k = 0; k < part.getNumVariables(); ++k)
      variables.push_back(k < numVariables ? restricted.variable(k) : LinearForm(0));
    restricted.addConstraints(part, variables);
  }
  return result;
}

TilesAttr mlir::xf::pattern::exportTiles(const Set &set, ArrayRef<DatumAttr> data, StringRef reason,
                                         MLIRContext *context) {
  SmallVector<IntegerSet> conjunctions;
  for (const Conjunction &part : set)
    conjunctions.push_back(exportConjunction(part, context));
  return TilesAttr::get(context, conjunctions, data, StringAttr::get(context, reason));
}
