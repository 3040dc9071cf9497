//===- PatternSizes.cpp - Rules for the number of keys --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the keys of `count` blocks of `block` keys, at most 2^48: no memory holds so many keys, so that a larger
/// block holds all keys in any case.
static int64_t blockOf(int64_t block, int64_t count) {
  constexpr int64_t most = int64_t(1) << 48;
  int64_t product;
  return llvm::MulOverflow(block, count, product) ? most : std::min(product, most);
}

namespace {
/// Collects the rules of a pattern whose tokens are blocks of `block` keys.
class RuleCollector {
public:
  void add(xf::Pattern pattern, int64_t block);

  SmallVector<TokenRule> rules;

private:
  template <typename GridAttr>
  void addExtents(GridAttr grid, int64_t block) {
    int64_t tokens = 1;
    std::string extents;
    llvm::raw_string_ostream os(extents);
    for (int64_t extent : grid.getExtents().asArrayRef()) {
      os << (extents.empty() ? "" : ", ") << extent;
      tokens *= extent;
    }
    rules.push_back({block, tokens, false, "in a grid of extents [" + extents + "]"});
  }
  void add(GridPatternAttr grid, int64_t block);
};
} // namespace

/// Adds the rules of layers: those of tokens, or of positions where the inner pattern relates positions. In index order
/// the last position may lack layers, unless the queries are the top layers.
void RuleCollector::add(GridPatternAttr grid, int64_t block) {
  int64_t layers = grid.getLayers();
  if (grid.getOrder() == GridOrder::k_layer || grid.getQueries() == GridQueries::k_top)
    rules.push_back({block, layers, true, llvm::formatv("in {0} layers", layers)});
  bool ofPositions = grid.getGranularity() == Granularity::k_position;
  add(grid.getOf(), ofPositions ? blockOf(block, layers) : block);
}

void RuleCollector::add(xf::Pattern pattern, int64_t block) {
  auto addAll = [&](auto algebra) {
    for (xf::Pattern member : algebra.getMembers())
      add(member, block);
  };
  llvm::TypeSwitch<Attribute>(pattern)
      .Case<WindowNdPatternAttr, LiftPatternAttr, SwinPatternAttr>([&](auto grid) { addExtents(grid, block); })
      .Case<UnionPatternAttr, IntersectionPatternAttr, DifferencePatternAttr, HeadsPatternAttr>(addAll)
      .Case([&](GridPatternAttr grid) { add(grid, block); })
      .Case([&](PermutePatternAttr permute) {
        int64_t size = permute.getTable().size();
        rules.push_back({block, size, false, llvm::formatv("in a permutation of {0} positions", size)});
        add(permute.getOf(), block);
      })
      .Case([&](BlockPatternAttr blocks) { add(blocks.getOf(), blockOf(block, blocks.getSize())); })
      .Case([&](RandomPatternAttr random) {
        if (random.getOutside())
          add(random.getOutside(), block);
      })
      .Case([&](KernelizedPatternAttr kernelized) {
        if (kernelized.getOf())
          add(kernelized.getOf(), block);
      });
}

int64_t TokenRule::tokensOf(int64_t keys) const { return llvm::divideCeil(keys, block); }

SmallVector<TokenRule> xf::tokenRules(xf::Pattern pattern) {
  RuleCollector collector;
  collector.add(pattern, 1);
  return std::move(collector.rules);
}

LogicalResult xf::verifyTokens(xf::Pattern pattern, int64_t keys, function_ref<InFlightDiagnostic()> emitError) {
  for (const TokenRule &rule : tokenRules(pattern)) {
    int64_t found = rule.tokensOf(keys);
    if (rule.isMultiple ? found % rule.tokens != 0 : found != rule.tokens)
      return emitError() << "expected " << (rule.isMultiple ? "a multiple of " : "") << rule.tokens << " tokens "
                         << rule.reason << ", got " << found;
  }
  return success();
}
