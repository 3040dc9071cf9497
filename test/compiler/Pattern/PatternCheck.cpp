//===- PatternCheck.cpp - Solutions against the definition ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternCheck.h"
#include "SolutionPairs.h"
#include "compiler/Pattern/Count/CountFormula.h"
#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Operands that any pattern may ask: documents in order and not, negative segments, short tables.
static void addOperands(PatternCall &call) {
  std::mt19937 engine(131 * call.numQueries + call.numKeys);
  auto between = [&](int64_t low, int64_t high) { return low + int64_t(engine() % (high - low + 1)); };
  call.symbols = {between(-3, call.numKeys + 1)};
  int64_t segments = between(1, 4);
  for (int64_t key = 0; key < call.numKeys; ++key)
    call.keySegments.push_back(between(0, 1) ? between(-1, segments) : key * segments / call.numKeys);
  for (int64_t query = 0; query < call.numQueries; ++query)
    call.querySegments.push_back(between(0, 1) ? between(-1, segments) : query * segments / call.numQueries);
  call.table.resize(between(0, call.numKeys + 1));
  for (std::vector<int64_t> &columns : call.table)
    for (int64_t count = between(0, call.numKeys); count > 0; --count)
      columns.push_back(between(0, call.numKeys - 1));
}

std::vector<PatternCall> xftest::callsOf(const PatternCase &pattern, int64_t longest) {
  std::vector<PatternCall> calls;
  auto add = [&](int64_t numQueries, int64_t numKeys) {
    addOperands(calls.emplace_back(PatternCall{numQueries, numKeys}));
  };
  for (int64_t numQueries = 1; numQueries <= longest; ++numQueries)
    for (int64_t numKeys = 1; numKeys <= longest && !pattern.numKeys; ++numKeys)
      add(numQueries, numKeys);
  if (int64_t keys = pattern.numKeys) {
    SmallVector<int64_t> queries = {1, 2, keys - 1, keys, keys + 1, keys + 2, keys + 5, 2 * keys + 1, 3 * keys};
    llvm::sort(queries);
    queries.erase(llvm::unique(queries), queries.end());
    for (int64_t numQueries : queries)
      if (numQueries > 0)
        add(numQueries, keys);
  }
  return calls;
}

//===----------------------------------------------------------------------===//
// One call
//===----------------------------------------------------------------------===//

static std::string at(const PatternCall &call, StringRef what) {
  return (what + " at Nq = " + Twine(call.numQueries) + ", Nk = " + Twine(call.numKeys) + ", head " + Twine(call.head))
      .str();
}

static std::string pairText(int64_t i, int64_t j) {
  return " of query " + std::to_string(i) + ", key " + std::to_string(j);
}

/// What the compiler draws and counts of a solution: `cover` and its sum.
static std::string checkViews(SolutionAttr solution, ArrayRef<int> cover, const PatternCall &call) {
  int64_t pairs = std::accumulate(cover.begin(), cover.end(), int64_t(0)), first = call.numKeys - call.numQueries;
  for (bool inverse : {false, true}) {
    bool isInside = true;
    pattern::visitPairs(solution, sizesOf(call), inverse, [&](int64_t row, int64_t key, unsigned) {
      isInside &= row >= 0 && row < call.numQueries && key >= 0 && key < call.numKeys;
    });
    if (!isInside)
      return "pair outside of the sizes";
    SmallVector<int> drawn = pattern::countCover(solution, sizesOf(call), inverse);
    for (size_t pair = 0; pair < cover.size(); ++pair)
      if (drawn[pair] != cover[pair])
        return (inverse ? "inverse picture" : "picture") + pairText(first + pair / call.numKeys, pair % call.numKeys);
  }
  if (pattern::countPairs(solution, sizesOf(call)) != pairs)
    return "count";
  if (pattern::countExecutedPairs(solution, sizesOf(call), 1, 1) != pairs)
    return "executed pairs of 1 x 1 tiles";
  std::optional<int64_t> executed = pattern::countExecutedPairs(solution, sizesOf(call), 4, 8);
  return executed && *executed >= pairs ? "" : "executed pairs of 4 x 8 tiles";
}

std::string PatternChecker::checkCall(xf::Pattern pattern, xf::Pattern ofHead, SolutionAttr solution,
                                      const PatternCall &call) {
  SmallVector<int> forward = coverOf(solution, call, false), inverse = coverOf(solution, call, true);
  bool hasFuture = false, hasEmptyRow = false;
  for (int64_t row = 0; row < call.numQueries; ++row) {
    int64_t i = row + call.numKeys - call.numQueries, seen = 0;
    for (int64_t j = 0; j < call.numKeys; ++j) {
      bool isMember = contains(pattern, i, j, call);
      seen += isMember, hasFuture |= isMember && j > i;
      if (int found = forward[row * call.numKeys + j]; found != int(isMember))
        return (found > 1 ? "two pieces" : isMember ? "no piece" : "a piece") + pairText(i, j);
      if (inverse[row * call.numKeys + j] != int(isMember))
        return "inverse" + pairText(i, j);
    }
    hasEmptyRow |= seen == 0;
    figures.pairs += seen;
  }
  ++figures.calls;
  if (hasFuture && pattern::isCausal(ofHead))
    return "claim to be causal";
  if (hasEmptyRow && call.numQueries <= call.numKeys && !pattern::mayHaveEmptyRows(solution))
    return "claim to have no empty rows";
  for (PieceAttr piece : solution.getPieces())
    if (std::string wrong = checkFlags(piece, call); !wrong.empty())
      return wrong;
  bool isDrawn = !solution.getTiles() || solution.getTiles().isStatic();
  return isDrawn ? checkViews(solution, forward, call) : "";
}

std::string PatternChecker::checkEmpty(xf::Pattern pattern, const PatternCall &call) {
  for (int64_t i = call.numKeys - call.numQueries; i < call.numKeys; ++i)
    for (int64_t j = 0; j < call.numKeys; ++j)
      if (contains(pattern, i, j, call))
        return "claim to be statically empty," + pairText(i, j);
  return "";
}

/// The formulas of pairs for one open size or two, where they hold at sizes up to 12.
static std::string checkFormulas(SolutionAttr solution) {
  auto isWrong = [&](const pattern::OpenSizes &open, int64_t size) {
    std::optional<pattern::PairFormula> formula = pattern::countFormula(solution, size, open);
    if (!formula)
      return false;
    int64_t t = (size - formula->offset) / formula->period;
    pattern::CallSizes sizes{open.numQueries.value_or(size), open.numKeys.value_or(size), open.symbols};
    return t >= formula->firstStep && formula->at(t) != pattern::countPairs(solution, sizes);
  };
  for (int64_t size = 1; size <= 12; ++size)
    for (const pattern::OpenSizes &open :
         {pattern::OpenSizes{std::nullopt, std::nullopt, {2}}, pattern::OpenSizes{3, std::nullopt, {2}},
          pattern::OpenSizes{std::nullopt, 5, {2}}})
      if (isWrong(open, size))
        return "formula at N = " + std::to_string(size);
  return "";
}

//===----------------------------------------------------------------------===//
// One pattern
//===----------------------------------------------------------------------===//

PatternChecker::PatternChecker(unsigned formulaStep)
    : context(MLIRContext::Threading::DISABLED), formulaStep(formulaStep) {
  context.loadDialect<XfDialect>();
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) { message = diagnostic.str(); });
}

std::optional<PatternChecker::Solutions> PatternChecker::solve(xf::Pattern pattern, const PatternCall *call) {
  message.clear();
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  constexpr int64_t numHeads = 4;
  auto sizes = call ? std::optional(pattern::StaticCall{call->numQueries, call->numKeys, numHeads}) : std::nullopt;
  FailureOr<Solutions> solutions = pattern::solveHeads(pattern, error, sizes);
  if (failed(solutions))
    return std::nullopt;
  message.clear();
  for (SolutionAttr solution : *solutions) {
    figures.pieces += solution.getPieces().size();
    figures.tiles += bool(solution.getTiles());
  }
  return *solutions;
}

std::string PatternChecker::checkHeads(xf::Pattern pattern, const Solutions &solutions, int64_t numHeads,
                                       PatternCall call) {
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  SmallVector<xf::Pattern> ofHeads = *pattern::patternsOfHeads(pattern, error);
  for (call.head = 0; call.head < numHeads; ++call.head) {
    unsigned number = call.head % solutions.size();
    if (std::string wrong = checkCall(pattern, ofHeads[number], solutions[number], call); !wrong.empty())
      return at(call, wrong);
  }
  return "";
}

std::string PatternChecker::check(const PatternCase &asked, int64_t longest) {
  xf::Pattern pattern = parsePattern(asked.text, context);
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  if (failed(pattern.verifyPattern(error)))
    return message;
  bool isDrawn = pattern::needsCall(pattern), isFormula = figures.patterns++ % formulaStep == 0;
  bool isSolved = false, isOne = pattern::patternsOfHeads(pattern, error)->size() == 1;
  std::optional<Solutions> solutions;
  for (const PatternCall &call : callsOf(asked, longest)) {
    if (failed(verifyTokens(pattern, call.numKeys, error)))
      return at(call, message);
    if (isDrawn || !isSolved)
      solutions = solve(pattern, isDrawn ? &call : nullptr);
    isSolved = true;
    if (!solutions && !StringRef(message).contains("statically empty"))
      return at(call, message);
    std::string wrong;
    if (solutions)
      wrong = checkHeads(pattern, *solutions, isDrawn ? 4 : solutions->size(), call);
    else if (isOne) // else one of the heads is empty
      wrong = checkEmpty(pattern, call);
    if (!wrong.empty())
      return wrong;
  }
  figures.empty += !solutions;
  for (SolutionAttr solution : solutions.value_or(Solutions()))
    if (std::string wrong = isFormula && !isDrawn ? checkFormulas(solution) : ""; !wrong.empty())
      return wrong;
  return "";
}
