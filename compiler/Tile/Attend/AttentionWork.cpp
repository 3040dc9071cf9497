//===- AttentionWork.cpp - Counts of attention pairs ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/AttentionForm.h"
#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "runtime/pieces/Work.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

static bool hasOnlySizes(AffineMap map) { return !map || map.getNumSymbols() <= 2; }

//===----------------------------------------------------------------------===//
// Keys of a block of rows
//===----------------------------------------------------------------------===//

/// Returns the least and the greatest value of bound(i) - i over all positions i. `plan` points to the list of numbers
/// that describes the bound. Moves `plan` past this list. Returns nullopt if the bound does not grow by one with each
/// row on average, or if its period is long.
static std::optional<std::pair<int64_t, int64_t>> distances(const int64_t *&plan, const xfrt::Sizes &sizes) {
  constexpr int64_t mostPositions = 4096;
  const int64_t *form = plan;
  int64_t period = 1, growth = 0, wanted = 1;
  do {
    period *= wanted;
    plan = form;
    if (!xfrt::growthOf(plan, period, growth, wanted))
      return std::nullopt;
  } while (wanted > 1 && wanted <= mostPositions / period);
  auto distanceAt = [&](int64_t i) {
    const int64_t *at = form;
    return xfrt::evaluateForm(at, i, sizes) - i;
  };
  if (wanted > 1 || growth != period)
    return std::nullopt;
  int64_t least = distanceAt(0), greatest = least;
  for (int64_t i = 1; i < period; ++i)
    least = std::min(least, distanceAt(i)), greatest = std::max(greatest, distanceAt(i));
  return std::pair(least, greatest);
}

bool xf::endAtRunTime(ArrayRef<PieceAttr> pieces) {
  return !pieces.empty() &&
         llvm::all_of(pieces, [](PieceAttr piece) { return piece.getUpper() && !hasOnlySizes(piece.getUpper()); });
}

std::optional<KeysAround> xf::keysAround(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys) {
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  int64_t begin = none, last = -none;
  for (PieceAttr piece : pieces) {
    if (!hasOnlySizes(piece.getLower()) || !hasOnlySizes(piece.getUpper()))
      return std::nullopt;
    std::optional<SizedPiece> sized = SizedPiece::make(piece, numQueries, numKeys);
    if (!sized)
      return std::nullopt;
    int64_t lower = -none, upper = none; // of the tightest bounds
    const int64_t *plan = sized->piece().bounds;
    for (int64_t count = *plan++; count > 0; --count)
      if (auto found = distances(plan, sized->sizes()))
        lower = std::max(lower, found->first);
    for (int64_t count = *plan++; count > 0; --count)
      if (auto found = distances(plan, sized->sizes()))
        upper = std::min(upper, found->second);
    if (lower == -none || upper == none)
      return std::nullopt;
    begin = std::min(begin, lower), last = std::max(last, upper);
  }
  return KeysAround{begin, last};
}

std::optional<int64_t> xf::keysOfRows(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys, int64_t rows) {
  std::optional<KeysAround> keys = keysAround(pieces, numQueries, numKeys);
  return keys ? std::optional(std::max<int64_t>(0, keys->last - keys->first + rows)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

std::optional<AttentionWork> xf::countWork(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys,
                                           int64_t rows, int64_t wholeColumns) {
  constexpr int64_t mostGroups = int64_t(1) << 17;
  AttentionWork work;
  for (PieceAttr piece : pieces) {
    if (!hasOnlySizes(piece.getLower()) || !hasOnlySizes(piece.getUpper()) || !hasOnlySizes(piece.getRows()))
      return std::nullopt;
    std::optional<SizedPiece> sized = SizedPiece::make(piece, numQueries, numKeys);
    xfrt::Work part;
    if (!sized || !xfrt::addWork(sized->piece(), sized->sizes(), {numKeys - numQueries, numKeys}, {rows, wholeColumns},
                                 mostGroups, part))
      return std::nullopt;
    work.pairs += double(part.pairs);
    work.executedPairs += double(part.executed);
  }
  return work;
}

void xf::recordAttentionWork(HostBuilder &host, const HeadsOfSolution &group, ArrayRef<ChosenForm> chosen,
                             int64_t terms) {
  if (chosen.empty() || group.solution.getTiles())
    return;
  const Buffer &q = chosen[0].site.operands[0], &k = chosen[0].site.operands[1];
  SmallVector<int64_t, 4> sizes;
  for (Size size : {q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]}) {
    if (!HostBuilder::constant(size))
      return;
    sizes.push_back(*HostBuilder::constant(size));
  }
  AttentionWork all;
  for (const ChosenForm &form : chosen) {
    if (form.site.side && *form.site.side != xft::VjpSide::rows) // other sides have the same pairs
      continue;
    AttentionFigures figures = form.figures();
    auto work = countWork(form.site.pieces(), sizes[2], sizes[3], figures.rows, figures.wholeColumns);
    if (!work)
      return;
    all.pairs += work->pairs;
    all.executedPairs += figures.executedPairs.value_or(work->executedPairs);
  }
  double heads = double(sizes[0]) * llvm::divideCeil(sizes[1] - group.first, group.step);
  host.count(2.0 * terms * heads * all.pairs, heads * all.pairs, heads * all.executedPairs);
}
