//===- pieces.cpp - What plans read of solutions, pair by pair ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/ExchangedKeys.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfDialect.h"
#include "test/compiler/Pattern/PatternFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

namespace {

class Pieces : public testing::Test {
protected:
  Pieces() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<XfDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  /// What is wrong with what plans read of a pattern, in one call, or nothing.
  std::string check(StringRef text, PatternCall call);
  std::string checkSolution(xf::Pattern pattern, SolutionAttr solution, const PatternCall &call);

  MLIRContext context;
  std::string message;
  std::function<InFlightDiagnostic()> emitter = [this] { return emitError(UnknownLoc::get(&context)); };
  int64_t numPieces = 0, numBoxes = 0, numPairs = 0;
};

/// The pieces of a solution as plans read them; nothing where the data of a call determine them.
std::optional<std::vector<plan::Piece>> convert(SolutionAttr solution, const PatternCall &call,
                                                function_ref<InFlightDiagnostic()> error) {
  std::vector<plan::Piece> pieces;
  for (PieceAttr piece : solution.getPieces()) {
    FailureOr<plan::Piece> converted = toPlanPiece(piece, error);
    EXPECT_TRUE(succeeded(converted));
    pieces.push_back(*converted);
  }
  if (!solution.getTiles())
    return pieces;
  std::optional<plan::Piece> boxes = toPlanPiece(solution.getTiles(), sizesOf(call));
  EXPECT_EQ(boxes.has_value(), solution.getTiles().isStatic());
  if (!boxes)
    return std::nullopt;
  pieces.push_back(*boxes);
  return pieces;
}

/// Adds to `cover`, a matrix of queries by keys, the pairs that a piece has, one query after the other.
void addCover(ExchangedKeys &exchange, const PatternCall &call, std::vector<int> &cover) {
  for (int64_t row = 0; row < call.numQueries; ++row)
    for (plan::Interval keys : exchange.neededBy(row))
      for (int64_t key = keys.begin; key < keys.end; ++key)
        ++cover[row * call.numKeys + key];
}

std::string Pieces::checkSolution(xf::Pattern pattern, SolutionAttr solution, const PatternCall &call) {
  std::optional<std::vector<plan::Piece>> pieces = convert(solution, call, emitter);
  if (!pieces)
    return "";
  std::vector<int> cover(call.numQueries * call.numKeys);
  int64_t counted = 0, pairs = 0;
  for (const plan::Piece &piece : *pieces) {
    // Each query is a rank's.
    std::optional<ExchangedKeys> exchange =
        ExchangedKeys::make({piece}, {call.numQueries, call.numKeys}, call.numQueries, 1);
    if (!exchange) // plans have no symbols of a call
      return pattern::asksOperands(pattern) ? "" : "numbers out of range";
    addCover(*exchange, call, cover);
    counted += exchange->countPairs({{call.numKeys - call.numQueries, call.numKeys}});
    ++(piece.hasBoxes ? numBoxes : numPieces);
  }
  PatternOracle oracle(pattern, call);
  for (int64_t row = 0; row < call.numQueries; ++row)
    for (int64_t key = 0; key < call.numKeys; ++key) {
      int64_t position = row + call.numKeys - call.numQueries;
      int isMember = oracle.contains(position, key);
      pairs += isMember;
      if (cover[row * call.numKeys + key] != isMember)
        return "query " + std::to_string(position) + ", key " + std::to_string(key);
    }
  numPairs += pairs;
  return counted == pairs ? "" : "count " + std::to_string(counted);
}

std::string Pieces::check(StringRef text, PatternCall call) {
  xf::Pattern pattern = parsePattern(text, context);
  if (failed(pattern.verifyPattern(emitter)))
    return message;
  constexpr int64_t numHeads = 2;
  auto sizes = pattern::needsCall(pattern) ? std::optional(pattern::StaticCall{call.numQueries, call.numKeys, numHeads})
                                           : std::nullopt;
  FailureOr<SmallVector<SolutionAttr>> solutions = pattern::solveHeads(pattern, emitter, sizes);
  if (failed(solutions))
    return StringRef(message).contains("statically empty") ? "" : message;
  for (call.head = 0; call.head < std::max<int64_t>(numHeads, int64_t(solutions->size())); ++call.head)
    if (std::string wrong = checkSolution(pattern, (*solutions)[call.head % solutions->size()], call); !wrong.empty())
      return text.str() + ", Nq = " + std::to_string(call.numQueries) + ", Nk = " + std::to_string(call.numKeys) +
             ", head " + std::to_string(call.head) + ": " + wrong;
  return "";
}

/// Each pattern of the specification, with every other choice of the parameters that matter at a few keys.
TEST_F(Pieces, OfAllFamiliesAgreeWithTheDefinition) {
  std::vector<PatternFamily> families = setFamilies(/*wide=*/false);
  llvm::append_range(families, gridFamilies(/*wide=*/false));
  llvm::append_range(families, composedFamilies(/*wide=*/false));
  const std::pair<int64_t, int64_t> asked[] = {{12, 12}, {5, 11}};
  int64_t number = 0;
  for (const PatternFamily &family : families)
    for (const PatternCase &one : family.cases)
      for (const PatternCall &call : number++ % 2 == 0 ? callsOf(one, 12) : std::vector<PatternCall>())
        if (call.numQueries <= call.numKeys &&
            (one.numKeys ? call.numQueries >= one.numKeys - 1
                         : llvm::is_contained(asked, std::pair(call.numQueries, call.numKeys))))
          ASSERT_EQ(check(one.text, call), "") << family.name;
  EXPECT_GT(numPieces, 5000);
  EXPECT_GT(numBoxes, 50);
  EXPECT_GT(numPairs, 50000);
}

/// Named patterns at sizes of several periods, where bounds have divisions and residues.
TEST_F(Pieces, OfNamedPatternsAgreeWithTheDefinition) {
  const char *patterns[] = {"#xf.dense",
                            "#xf.causal",
                            "#xf.window<left = 20>",
                            "#xf.window<left = 20, right = 20>",
                            "#xf.window<left = 30, right = -5>",
                            "#xf.dilated<left = 40, step = 4>",
                            "#xf.strided<stride = 8>",
                            "#xf.strided<stride = 8, part = local>",
                            "#xf.strided<stride = 8, part = column>",
                            "#xf.fixed<block = 16, summary = 3>",
                            "#xf.fixed<block = 16, summary = 3, part = local>",
                            "#xf.fixed<block = 16, summary = 3, slot = 2, part = column>",
                            "#xf.prefix<length = 33>",
                            "#xf.prefix",
                            "#xf.global<[0, 7, -1]>",
                            "#xf.bigbird<block = 8, random = 2, seed = 7>",
                            "#xf.bigbird<block = 8, random = 0>",
                            "#xf.random<count = 5, seed = 3>",
                            "#xf.block<size = 4, of = #xf.window<left = 2, right = 1>>",
                            "#xf.window_nd<extents = [12, 8], radius = [2, 1]>",
                            "#xf.window_nd<extents = [12, 8], radius = [2, 1], clamp = true>",
                            "#xf.swin<extents = [12, 8], window = [4, 4], shift = [2, 2]>",
                            "#xf.lift<extents = [12, 8], axis = 0, of = #xf.causal>",
                            "#xf.lift<extents = [12, 8], axis = 1, of = #xf.window<left = 2>>",
                            "#xf.keys<[0 : 9, 40 : 50]>",
                            "#xf.queries<[0 : 2], mod = 5>",
                            "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>",
                            "#xf.affine<(i, j)[Nq, Nk, p] : (i - j ge 0, (i + p) mod 7 == 0)>",
                            "#xf.union<[#xf.window<left = 9>, #xf.global<[0]>]>",
                            "#xf.intersection<[#xf.causal, #xf.keys<[0 : 30]>]>",
                            "#xf.difference<[#xf.causal, #xf.window<left = 9>]>",
                            "#xf.heads<[#xf.strided<stride = 8>, #xf.causal]>",
                            "#xf.grid<layers = 6, of = #xf.causal, granularity = position>"};
  for (const char *text : patterns)
    for (auto [numQueries, numKeys] : {std::pair<int64_t, int64_t>{96, 96}, {41, 96}})
      EXPECT_EQ(check(text, {numQueries, numKeys, {50}}), "");
}

/// A solution from a text may hold any number.
TEST_F(Pieces, RefuseCoefficientsThatDoNotFit) {
  AffineExpr i = getAffineDimExpr(0, &context);
  AffineExpr large = (i % (int64_t(1) << 62)) * 4; // 4 i - 2^64 floor(i / 2^62)
  auto map = AffineMap::get(1, 2, large);
  auto order = IndexMapAttr::get(&context, 1, 1, 1, 0, 1, 0, 0);
  auto piece = PieceAttr::get(&context, order, order, 1, AffineMap(), map, AffineMap(), AffineMap(), AffineMap(),
                              AffineMap(), true, true, true, true);
  EXPECT_TRUE(failed(toPlanPiece(piece, emitter)));
  EXPECT_EQ(message.substr(0, 50), "expected a bound with coefficients of 63 bits, got");
}

} // namespace
