//===- PatternChecks.cpp - What a set needs before it can be asked --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Operation.h"
#include "test/reference/PatternSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

/// The patterns that `pattern` is made of; null ones are absent.
static SmallVector<xf::Pattern> partsOf(xf::Pattern pattern) {
  auto members = [](auto attribute) { return SmallVector<xf::Pattern>(attribute.getMembers()); };
  auto inner = [](auto attribute) { return SmallVector<xf::Pattern>{attribute.getOf()}; };
  return TypeSwitch<Attribute, SmallVector<xf::Pattern>>(pattern)
      .Case<UnionPatternAttr, IntersectionPatternAttr, DifferencePatternAttr, HeadsPatternAttr>(members)
      .Case<BlockPatternAttr, LiftPatternAttr, PermutePatternAttr, GridPatternAttr>(inner)
      .Case([](RandomPatternAttr a) { return SmallVector<xf::Pattern>{a.getOutside()}; })
      .Default(SmallVector<xf::Pattern>());
}

bool reference::isCausal(xf::Pattern pattern) {
  auto endsAtQuery = [](Bound right) { return right.value && *right.value <= 0; };
  return TypeSwitch<Attribute, bool>(pattern)
      .Case<CausalPatternAttr, StridedPatternAttr, FixedPatternAttr>([](auto) { return true; })
      .Case<WindowPatternAttr, DilatedPatternAttr>([&](auto a) { return endsAtQuery(a.getRight()); })
      .Case<UnionPatternAttr, HeadsPatternAttr>([](auto a) { return llvm::all_of(a.getMembers(), isCausal); })
      .Case([](IntersectionPatternAttr a) { return llvm::any_of(a.getMembers(), isCausal); })
      .Case([](DifferencePatternAttr a) { return isCausal(a.getMembers()[0]); })
      .Case([](GridPatternAttr a) { return a.getGranularity() == Granularity::k_token && isCausal(a.getOf()); })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// `mod` and `floordiv` have positive constants on their right.
static bool dividesByPositive(AffineExpr expr) {
  bool positive = true;
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    bool divides = binary && part.getKind() != AffineExprKind::Add && part.getKind() != AffineExprKind::Mul;
    if (!divides)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    positive &= divisor && divisor.getValue() > 0;
  });
  return positive;
}

static bool allPositive(DenseI64ArrayAttr numbers) {
  return !numbers.empty() && llvm::all_of(numbers.asArrayRef(), [](int64_t number) { return number > 0; });
}

static bool isRelation(ArrayAttr relation) {
  auto isRow = [](Attribute row) {
    auto numbers = dyn_cast<ArrayAttr>(row);
    return numbers && llvm::all_of(numbers, [](Attribute number) { return isa<IntegerAttr>(number); });
  };
  return !relation || llvm::all_of(relation, isRow);
}

/// Whether the parameters are in the ranges that the predicates divide by and index with.
static bool hasGoodParameters(xf::Pattern pattern) {
  return TypeSwitch<Attribute, bool>(pattern)
      .Case([](DilatedPatternAttr a) { return a.getStep() > 0; })
      .Case([](StridedPatternAttr a) { return a.getStride() > 0; })
      .Case([](FixedPatternAttr a) { return a.getBlock() > 0; })
      .Case([](BlockPatternAttr a) { return a.getSize() > 0; })
      .Case([](TablePatternAttr a) { return a.getBlock() > 0; })
      .Case([](BigBirdPatternAttr a) { return a.getBlock() > 0 && a.getRandom() >= 0 && a.getGlobal() >= 0; })
      .Case([](GridPatternAttr a) { return a.getLayers() > 0; })
      .Case([](HeadsPatternAttr a) { return !a.getMembers().empty(); })
      .Case([](DifferencePatternAttr a) { return a.getMembers().size() == 2; })
      .Case([](SegmentsPatternAttr a) { return isRelation(a.getRelation()); })
      .Case([](WindowNdPatternAttr a) {
        return allPositive(a.getExtents()) && a.getRadius().size() == a.getExtents().size();
      })
      .Case([](LiftPatternAttr a) {
        return allPositive(a.getExtents()) && a.getAxis() >= 0 && a.getAxis() < a.getExtents().size();
      })
      .Case([](SwinPatternAttr a) {
        return allPositive(a.getExtents()) && allPositive(a.getWindow()) &&
               a.getWindow().size() == a.getExtents().size() && a.getShift().size() == a.getExtents().size();
      })
      .Case([](AffinePatternAttr a) { return llvm::all_of(a.getSet().getConstraints(), dividesByPositive); })
      .Case<DensePatternAttr, CausalPatternAttr, WindowPatternAttr, GlobalPatternAttr, RandomPatternAttr,
            PrefixPatternAttr, KeysPatternAttr, QueriesPatternAttr, PermutePatternAttr, UnionPatternAttr,
            IntersectionPatternAttr>([](auto) { return true; })
      .Default(false); // no set, or one that `holds` does not know
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// Offsets that start and end inside the columns and do not decrease.
static LogicalResult verifyTable(Operation *op, const PatternClauses &clauses) {
  if (!clauses.tableOffsets || !clauses.tableColumns)
    return op->emitError("expected a table clause");
  int64_t last = 0, columns = clauses.tableColumns->size();
  for (int64_t offset : clauses.tableOffsets->integers) {
    if (offset < last || offset > columns)
      return op->emitError("expected table offsets that do not decrease, in [0, ") << columns << "], got " << offset;
    last = offset;
  }
  return success();
}

static LogicalResult verifySymbols(Operation *op, const PatternClauses &clauses, size_t needed) {
  if (clauses.symbols.size() < needed)
    return op->emitError("expected ") << needed << " symbols, got " << clauses.symbols.size();
  return success();
}

static LogicalResult verifyClauses(Operation *op, xf::Pattern pattern, const PatternClauses &clauses) {
  if (isa<TablePatternAttr>(pattern))
    return verifyTable(op, clauses);
  if (isa<SegmentsPatternAttr>(pattern) && !(clauses.segmentsQ && clauses.segmentsK))
    return op->emitError("expected a segments clause");
  if (auto prefix = dyn_cast<PrefixPatternAttr>(pattern))
    return verifySymbols(op, clauses, prefix.getLength() ? 0 : 1);
  if (auto affine = dyn_cast<AffinePatternAttr>(pattern))
    return verifySymbols(op, clauses, affine.getSet().getNumSymbols() - 2);
  return success();
}

LogicalResult reference::verifySet(Operation *op, xf::Pattern pattern, const PatternClauses &clauses) {
  SmallVector<xf::Pattern> remaining = {pattern};
  while (!remaining.empty()) {
    xf::Pattern next = remaining.pop_back_val();
    if (!next)
      continue;
    if (!hasGoodParameters(next))
      return op->emitError("expected a set pattern with parameters in their ranges, got ") << next;
    if (failed(verifyClauses(op, next, clauses)))
      return failure();
    remaining.append(partsOf(next));
  }
  return success();
}
