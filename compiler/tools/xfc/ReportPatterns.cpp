//===- ReportPatterns.cpp - Patterns in a page ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ReportPatterns.h"
#include "compiler/Pattern/Describe.h"
#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

using llvm::json::Array;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Writes an expression of an index, of Nq, Nk and of run-time symbols. It is a number, "x", "Nq", "Nk", "p0", .., or
/// [op, x, y], where op is +, *, mod, div (rounded down) or ceil (rounded up).
static llvm::json::Value toJson(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (isa<AffineDimExpr>(expr))
    return "x";
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    unsigned number = symbol.getPosition();
    return number == 0 ? "Nq" : number == 1 ? "Nk" : "p" + std::to_string(number - 2);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto name = [&]() -> StringRef {
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return "+";
    case AffineExprKind::Mul:
      return "*";
    case AffineExprKind::Mod:
      return "mod";
    case AffineExprKind::FloorDiv:
      return "div";
    default:
      return "ceil";
    }
  };
  return Array{name(), toJson(binary.getLHS()), toJson(binary.getRHS())};
}

static Array toJson(AffineMap map) {
  Array results;
  if (map)
    for (AffineExpr result : map.getResults())
      results.push_back(toJson(result));
  return results;
}

/// Writes the parameters of an index map in the order of its attribute.
static Array toJson(IndexMapAttr map) {
  return Array{map.getResidues(), map.getPeriod(),     map.getWidth(), map.getOffset(),
               map.getCell(),     map.getMultiplier(), map.getShift()};
}

static Object toJson(PieceAttr piece) {
  return Object{{"text", describe(piece)},           {"inverse", describeInverse(piece)},
                {"residues", piece.getResidues()},   {"queries", toJson(piece.getQueries())},
                {"keys", toJson(piece.getKeys())},   {"lower", toJson(piece.getLower())},
                {"upper", toJson(piece.getUpper())}, {"rows", toJson(piece.getRows())}};
}

//===----------------------------------------------------------------------===//
// Runs of a predicate
//===----------------------------------------------------------------------===//

namespace {
/// Writes the keys that queries see by a predicate. For each group of equal rows, writes [number of rows, runs]. `runs`
/// has three numbers for each group of runs: a gap, the length of the run after it, and how often gap and run are
/// repeated.
class RunWriter {
public:
  RunWriter(TilesAttr tiles, const CallSizes &sizes, RunBudget &budget)
      : predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head), sizes(sizes), budget(budget) {}

  /// Returns the groups of rows, and the number of queries in them. If the budget is used up, the groups lack the last
  /// queries.
  std::pair<Array, int64_t> write();

private:
  void addCandidates(KeyRange positions, KeyRange keys);
  void addRuns(int64_t position, KeyRange keys);
  void addRun(KeyRange keys);
  SmallVector<int64_t> packed() const;

  PairPredicate predicate;
  const CallSizes &sizes;
  RunBudget &budget;
  SmallVector<KeyRange> candidates; ///< the keys that some query of the current strip may see
  SmallVector<KeyRange> runs;       ///< the keys that the current row sees
};
} // namespace

void RunWriter::addRun(KeyRange keys) {
  if (!runs.empty() && runs.back().upper + 1 == keys.lower)
    runs.back().upper = keys.upper;
  else
    runs.push_back(keys);
}

/// Halves `keys` into ranges of at most 64 keys. Adds to `candidates` each range of which some query at `positions` may
/// see a key.
void RunWriter::addCandidates(KeyRange positions, KeyRange keys) {
  constexpr int64_t leastKeys = 64;
  --budget.questions;
  if (predicate.decide(positions, keys) == PairPredicate::Share::None)
    return;
  if (keys.upper - keys.lower < leastKeys) {
    candidates.push_back(keys);
    return;
  }
  int64_t middle = keys.lower + (keys.upper - keys.lower) / 2;
  addCandidates(positions, {keys.lower, middle});
  addCandidates(positions, {middle + 1, keys.upper});
}

/// Adds to `runs` the runs of keys among `keys` that the query at `position` sees.
void RunWriter::addRuns(int64_t position, KeyRange keys) {
  constexpr int64_t fewKeys = 16; // asked one by one, which takes less time than interval arithmetic on their boxes
  if (keys.upper - keys.lower < fewKeys) {
    budget.questions -= fewKeys;
    for (int64_t key = keys.lower; key <= keys.upper; ++key)
      if (predicate.contains(position, key))
        addRun({key, key});
    return;
  }
  --budget.questions;
  PairPredicate::Share share = predicate.decide({position, position}, keys);
  if (share == PairPredicate::Share::All)
    addRun(keys);
  if (share != PairPredicate::Share::Some)
    return;
  int64_t middle = keys.lower + (keys.upper - keys.lower) / 2;
  addRuns(position, {keys.lower, middle});
  addRuns(position, {middle + 1, keys.upper});
}

SmallVector<int64_t> RunWriter::packed() const {
  SmallVector<int64_t> numbers;
  int64_t end = 0;
  for (KeyRange run : runs) {
    int64_t gap = run.lower - end, length = run.upper - run.lower + 1;
    end = run.upper + 1;
    size_t size = numbers.size();
    if (size > 0 && numbers[size - 3] == gap && numbers[size - 2] == length)
      ++numbers.back();
    else
      numbers.append({gap, length, 1});
  }
  return numbers;
}

std::pair<Array, int64_t> RunWriter::write() {
  constexpr int64_t strip = 16; // queries
  Array rows;
  SmallVector<int64_t> last;
  int64_t row = 0, equal = 0;
  auto finish = [&] {
    if (equal)
      rows.push_back(Array{equal, Array(last)});
  };
  for (; row < sizes.numQueries && budget.questions > 0 && budget.numbers > 0; ++row) {
    int64_t position = sizes.numKeys - sizes.numQueries + row;
    if (row % strip == 0) {
      candidates.clear();
      if (sizes.numKeys > 0)
        addCandidates({position, std::min(position + strip, sizes.numKeys) - 1}, {0, sizes.numKeys - 1});
    }
    runs.clear();
    for (KeyRange keys : candidates)
      addRuns(position, keys);
    SmallVector<int64_t> numbers = packed();
    if (equal && numbers == last) {
      ++equal;
      continue;
    }
    finish();
    budget.numbers -= int64_t(numbers.size()) + 2;
    last = std::move(numbers);
    equal = 1;
  }
  finish();
  return {std::move(rows), row};
}

/// Writes a predicate as a JSON object. Leaves out its pairs if they depend on operands of a call. `budget` limits how
/// many runs of keys are written.
static Object toJson(TilesAttr tiles, const CallSizes &sizes, bool asksOperands, RunBudget &budget) {
  Object object{{"reason", tiles.getReason().str()}};
  if (!tiles.isStatic() || asksOperands)
    return object;
  auto [rows, drawn] = RunWriter(tiles, sizes, budget).write();
  object["runs"] = std::move(rows);
  object["drawn"] = drawn;
  return object;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static Object toJson(SolutionAttr solution, xf::Pattern pattern, const CallSizes &sizes, RunBudget &budget) {
  bool asks = asksOperands(pattern);
  Array pieces;
  for (PieceAttr piece : solution.getPieces())
    pieces.push_back(toJson(piece));
  Object object{{"causal", isCausal(pattern)}, {"pieces", std::move(pieces)}};
  if (TilesAttr tiles = solution.getTiles())
    object["tiles"] = toJson(tiles, sizes, asks, budget);
  if (!asks)
    if (std::optional<int64_t> pairs = countPairs(solution, sizes))
      object["pairs"] = *pairs;
  return object;
}

FailureOr<int64_t> PatternTable::add(Operation *op, xf::Pattern pattern, int64_t numQueries, int64_t numKeys) {
  auto entries = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  auto [found, isNew] = numbers.insert({{pattern, entries, numQueries, numKeys}, int64_t(numbers.size())});
  if (!isNew)
    return found->second;
  SmallVector<SolutionAttr> solutions;
  if (entries)
    llvm::append_range(solutions, entries.getAsRange<SolutionAttr>());
  auto emitError = [op] { return op->emitError(); };
  bool isOpen = ShapedType::isDynamic(numQueries) || ShapedType::isDynamic(numKeys);
  CallSizes sizes{numQueries, numKeys};
  if (isOpen) {
    int64_t chosen = size ? size : pictureSize(solutions);
    sizes = {chosen, chosen};
    if (size && failed(verifyTokens(pattern, size, emitError)))
      return failure();
  }
  if (isOpen && !solutions.empty() && needsCall(pattern)) {
    FailureOr<SmallVector<SolutionAttr>> drawn = solveFirstHeads(pattern, emitError, sizes.numQueries, sizes.numKeys);
    if (failed(drawn))
      return failure();
    solutions.assign(drawn->begin(), drawn->end());
  }
  Array written;
  if (!solutions.empty()) {
    FailureOr<SmallVector<xf::Pattern>> ofHeads = patternsOfHeads(pattern, emitError);
    if (failed(ofHeads))
      return failure();
    for (auto [number, solution] : llvm::enumerate(solutions)) {
      sizes.head = int64_t(number);
      written.push_back(toJson(solution, (*ofHeads)[number], sizes, budget));
    }
  }
  std::string text;
  llvm::raw_string_ostream(text) << pattern;
  patterns.push_back(Object{{"text", std::move(text)},
                            {"queries", sizes.numQueries},
                            {"keys", sizes.numKeys},
                            {"open", isOpen},
                            {"fixed", needsCall(pattern)},
                            {"solutions", std::move(written)}});
  return found->second;
}
