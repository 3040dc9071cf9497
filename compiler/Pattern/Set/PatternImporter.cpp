//===- PatternImporter.cpp - From patterns to sets ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/PatternImporter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

LogicalResult PatternImporter::expectStaticCall(xf::Pattern pattern) {
  if (call)
    return success();
  return emitError() << "expected static numbers of queries, keys and heads, got a dynamic one beside " << pattern;
}

LogicalResult PatternImporter::checkSize(const Set &set) {
  unsigned limit = prover.getBudget().conjunctions;
  if (set.size() <= limit)
    return success();
  return emitError() << "expected a pattern of at most " << limit << " conjunctions, got " << set.size();
}

FailureOr<Set> PatternImporter::importList(xf::Pattern pattern, const Images &images) {
  return llvm::TypeSwitch<Attribute, FailureOr<Set>>(pattern)
      .Case([&](GlobalPatternAttr global) { return importGlobal(global, images); })
      .Case([&](KeysPatternAttr keys) {
        return importIntervals(keys.getIntervals(), keys.getMod(), images[kKey], /*isRow=*/false);
      })
      .Case([&](QueriesPatternAttr queries) {
        return importIntervals(queries.getIntervals(), queries.getMod(), images[kQuery], /*isRow=*/true);
      });
}

FailureOr<Set> PatternImporter::import(xf::Pattern pattern, const Images &images) {
  if (isLongList(pattern))
    return importList(pattern, images);
  return llvm::TypeSwitch<Attribute, FailureOr<Set>>(pattern)
      .Case([&](UnionPatternAttr algebra) { return importUnion(algebra.getMembers(), images); })
      .Case([&](IntersectionPatternAttr algebra) { return importIntersection(algebra.getMembers(), images); })
      .Case([&](DifferencePatternAttr algebra) { return importDifference(algebra.getMembers(), images); })
      .Case([&](BlockPatternAttr block) { return importBlocks(block.getOf(), block.getSize(), images); })
      .Case([&](LiftPatternAttr lift) { return importLift(lift, images); })
      .Case([&](GridPatternAttr grid) { return importGrid(grid, images); })
      .Case([&](SegmentsPatternAttr segments) { return importSegments(segments, images); })
      .Case([&](TablePatternAttr table) { return importTable(table, images); })
      .Case([&](PermutePatternAttr permute) { return importPermute(permute, images); })
      .Case([&](RandomPatternAttr random) { return importRandom(random, images); })
      .Case([&](BigBirdPatternAttr bigbird) { return importBigBird(bigbird, images); })
      .Default([&](Attribute) { return importLeaf(pattern, images); });
}

LogicalResult PatternImporter::addConstraint(Conjunction &conjunction, AffineExpr expr, bool isEquality) {
  SmallVector<LinearForm, 4> dims = {conjunction.variable(kQuery), conjunction.variable(kKey)}, symbols;
  for (unsigned k = kNumQueries; k < numVariables; ++k)
    symbols.push_back(conjunction.variable(k));
  FailureOr<LinearForm> form = importExpr(conjunction, expr, dims, symbols, emitError);
  if (failed(form))
    return failure();
  if (isEquality)
    conjunction.addEquality(*form);
  else
    conjunction.addInequality(*form);
  return success();
}

FailureOr<Set> PatternImporter::importLeaf(xf::Pattern pattern, const Images &images) {
  SmallVector<IntegerSet> sets;
  if (failed(pattern.getConjunctions(sets)))
    return emitError() << "expected a set of pairs, got " << pattern;
  Set result;
  for (IntegerSet set : sets) {
    Conjunction conjunction = boxOf(numVariables);
    IntegerSet image =
        set.replaceDimsAndSymbols(ArrayRef(images).take_front(2),
                                  ArrayRef(images).drop_front(2).take_front(set.getNumSymbols()), 2, numVariables - 2);
    for (auto [constraint, isEquality] : llvm::zip(image.getConstraints(), image.getEqFlags()))
      if (failed(addConstraint(conjunction, constraint, isEquality)))
        return failure();
    if (!prover.isEmpty(conjunction))
      result.push_back(conjunction);
    if (failed(checkSize(result)))
      return failure();
  }
  return result;
}

FailureOr<Set> PatternImporter::importUnion(ArrayRef<xf::Pattern> members, const Images &images) {
  Set result;
  for (xf::Pattern member : members) {
    FailureOr<Set> set = import(member, images);
    if (failed(set))
      return failure();
    llvm::append_range(result, *set);
    if (failed(checkSize(result)))
      return failure();
  }
  return result;
}

FailureOr<Set> PatternImporter::importIntersection(ArrayRef<xf::Pattern> members, const Images &images) {
  FailureOr<Set> result = import(members.front(), images);
  for (xf::Pattern member : members.drop_front()) {
    if (failed(result))
      return failure();
    FailureOr<Set> set = import(member, images);
    if (failed(set))
      return failure();
    Set both;
    for (const Conjunction &left : *result)
      for (const Conjunction &right : *set) {
        Conjunction conjunction = left;
        conjunction.addConstraints(right);
        if (!prover.isEmpty(conjunction))
          both.push_back(conjunction);
      }
    if (failed(checkSize(both)))
      return failure();
    result = both;
  }
  return result;
}

FailureOr<Set> PatternImporter::importDifference(ArrayRef<xf::Pattern> members, const Images &images) {
  FailureOr<Set> from = import(members[0], images);
  if (failed(from))
    return failure();
  FailureOr<Set> taken = import(members[1], images);
  if (failed(taken))
    return failure();
  Set result = prover.subtract(*from, *taken);
  if (failed(checkSize(result)))
    return failure();
  return result;
}

FailureOr<Set> PatternImporter::importBlocks(xf::Pattern of, int64_t size, Images images) {
  AffineExpr firstRow = (images[kNumKeys] - images[kNumQueries]).floorDiv(size);
  images[kQuery] = images[kQuery].floorDiv(size);
  images[kKey] = images[kKey].floorDiv(size);
  images[kNumKeys] = (images[kNumKeys] + (size - 1)).floorDiv(size);
  images[kNumQueries] = images[kNumKeys] - firstRow;
  return import(of, images);
}

FailureOr<Set> PatternImporter::importLift(LiftPatternAttr lift, Images images) {
  ArrayRef<int64_t> extents = lift.getExtents();
  int64_t inner = 1;
  for (int64_t extent : extents.drop_front(lift.getAxis() + 1))
    inner *= extent;
  int64_t extent = extents[lift.getAxis()];
  for (Variable variable : {kQuery, kKey}) {
    images[variable] = images[variable].floorDiv(inner);
    if (lift.getAxis() > 0) // the outermost coordinate needs no wrapping
      images[variable] = images[variable] % extent;
  }
  images[kNumQueries] = images[kNumKeys] = getAffineConstantExpr(extent, lift.getContext());
  return import(lift.getOf(), images);
}

FailureOr<AffineExpr> PatternImporter::numPositions(GridPatternAttr grid, const Images &images) {
  if (grid.getOrder() == GridOrder::k_index)
    return images[kNumKeys].floorDiv(grid.getLayers());
  if (failed(expectStaticCall(grid)))
    return failure();
  return getAffineConstantExpr(std::max<int64_t>(1, sizeOf(images[kNumKeys]) / grid.getLayers()), grid.getContext());
}

FailureOr<Set> PatternImporter::withEquality(const Set &set, AffineExpr zero) {
  Set result;
  for (Conjunction conjunction : set) {
    if (failed(addConstraint(conjunction, zero, /*isEquality=*/true)))
      return failure();
    if (!prover.isEmpty(conjunction))
      result.push_back(conjunction);
  }
  return result;
}

/// Imports a grid of N positions with L layers each. Layer l of position n is the token n L + l in index order, and the
/// token l N + n in layer order.
FailureOr<Set> PatternImporter::importGrid(GridPatternAttr grid, Images images) {
  int64_t layers = grid.getLayers();
  bool ofTokens = grid.getGranularity() == Granularity::k_token, fromTop = grid.getQueries() == GridQueries::k_top;
  if (ofTokens && !fromTop && !grid.getFactorised())
    return import(grid.getOf(), images);
  bool byIndex = grid.getOrder() == GridOrder::k_index;
  FailureOr<AffineExpr> positions = numPositions(grid, images);
  if (failed(positions))
    return failure();
  if (fromTop) { // the queries are the last positions, each by its top layer
    AffineExpr position = images[kQuery] - images[kNumKeys] + *positions;
    images[kQuery] = byIndex ? position * layers + (layers - 1) : position + *positions * (layers - 1);
    images[kNumQueries] = images[kNumKeys];
  }
  auto positionOf = [&](AffineExpr g) { return byIndex ? g.floorDiv(layers) : g % *positions; };
  AffineExpr query = positionOf(images[kQuery]), key = positionOf(images[kKey]);
  FailureOr<Set> set = failure();
  if (ofTokens) {
    set = import(grid.getOf(), images);
  } else if (byIndex) {
    set = importBlocks(grid.getOf(), layers, images);
  } else {
    images[kQuery] = query, images[kKey] = key;
    images[kNumQueries] = images[kNumKeys] = *positions;
    set = import(grid.getOf(), images);
  }
  return grid.getFactorised() && succeeded(set) ? withEquality(*set, query - key) : set;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

namespace {
/// The numbers of symbols (Nq and Nk included) and of data that a pattern uses. The leaves of a pattern share run-time
/// symbols by index, so `symbols` is a maximum over the leaves. Each leaf may have data of its own, so `data` is a sum
/// over them.
struct Needs {
  unsigned symbols = 2, data = 0;

  void add(xf::Pattern pattern);
};
} // namespace

void Needs::add(xf::Pattern pattern) {
  if (isLongList(pattern)) {
    data += isa<GlobalPatternAttr>(pattern) ? 4 : 1;
    return;
  }
  auto addAll = [&](ArrayRef<xf::Pattern> members) {
    for (xf::Pattern member : members)
      add(member);
  };
  auto addData = [&](unsigned count) { data += count; };
  llvm::TypeSwitch<Attribute>(pattern)
      .Case<UnionPatternAttr, IntersectionPatternAttr, DifferencePatternAttr, HeadsPatternAttr>(
          [&](auto algebra) { addAll(algebra.getMembers()); })
      .Case<BlockPatternAttr, LiftPatternAttr, GridPatternAttr>([&](auto inner) { add(inner.getOf()); })
      .Case([&](PermutePatternAttr permute) { addData(2), add(permute.getOf()); })
      .Case<SegmentsPatternAttr>([&](auto) { addData(3); })
      .Case<TablePatternAttr, BigBirdPatternAttr>([&](auto) { addData(1); })
      .Case([&](RandomPatternAttr random) {
        addData(1);
        if (random.getOutside())
          add(random.getOutside());
      })
      .Default([&](Attribute) {
        SmallVector<IntegerSet> sets;
        if (succeeded(pattern.getConjunctions(sets)))
          for (IntegerSet set : sets)
            symbols = std::max(symbols, set.getNumSymbols());
      });
}

FailureOr<ImportedSet> mlir::xf::pattern::importPattern(xf::Pattern pattern, Prover &prover, ErrorFn emitError,
                                                        std::optional<StaticCall> call) {
  MLIRContext *context = pattern.getContext();
  Needs needs;
  needs.add(pattern);
  PatternImporter importer(needs.symbols, needs.data, prover, emitError, call);
  PatternImporter::Images images = {getAffineDimExpr(0, context), getAffineDimExpr(1, context)};
  for (unsigned k = 0; k < needs.symbols; ++k)
    images.push_back(getAffineSymbolExpr(k, context));
  FailureOr<Set> members = importer.import(pattern, images);
  if (failed(members))
    return failure();
  return importer.finish(*members);
}
