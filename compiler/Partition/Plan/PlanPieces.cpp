//===- PlanPieces.cpp - Pieces as plans read them -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Plan/PlanPieces.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

std::vector<int64_t> plan::writeNumbers(ArrayRef<Piece> pieces, int64_t chunks) {
  std::vector<int64_t> plan = {chunks, 0}, boxes = {0};
  for (const Piece &piece : pieces) {
    plan[1] += piece.hasBoxes ? 0 : 1;
    llvm::append_range(plan, piece.numbers);
    boxes[0] += int64_t(piece.boxes.size());
    for (const Box &box : piece.boxes)
      boxes.insert(boxes.end(), {box.queries.begin, box.queries.end, box.keys.begin, box.keys.end});
  }
  llvm::append_range(plan, boxes);
  return plan;
}

std::vector<plan::Piece> plan::readNumbers(ArrayRef<int64_t> plan) {
  std::vector<Piece> pieces;
  const int64_t *at = plan.data() + 1;
  for (int64_t count = *at++; count > 0; --count) {
    const int64_t *end = xfrt::PieceNumbers(at).end();
    pieces.push_back({{at, end}});
    at = end;
  }
  Piece boxes = {{}, true};
  for (int64_t count = *at++; count > 0; --count, at += 4)
    boxes.boxes.push_back({{at[0], at[1]}, {at[2], at[3]}});
  if (!boxes.boxes.empty())
    pieces.push_back(std::move(boxes));
  return pieces;
}

FailureOr<plan::Piece> xf::toPlanPiece(PieceAttr piece, function_ref<InFlightDiagnostic()> emitError) {
  std::optional<std::vector<int64_t>> numbers = toNumbers(piece);
  if (!numbers)
    return emitError() << "expected a bound with coefficients of 63 bits, got " << piece;
  return plan::Piece{std::move(*numbers)};
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

namespace {
/// Finds the boxes of a predicate by cutting boxes in halves.
class BoxFinder {
public:
  BoxFinder(const pattern::PairPredicate &predicate, std::vector<plan::Box> &boxes)
      : predicate(predicate), boxes(boxes) {}

  /// Adds boxes with those pairs of the predicate whose query is in `positions` and whose key is in `keys`. Returns
  /// false if more than 2^20 boxes would have to be examined.
  bool add(pattern::KeyRange positions, pattern::KeyRange keys);

private:
  const pattern::PairPredicate &predicate;
  std::vector<plan::Box> &boxes;
  int64_t questions = int64_t(1) << 20;
};
} // namespace

bool BoxFinder::add(pattern::KeyRange positions, pattern::KeyRange keys) {
  using Share = pattern::PairPredicate::Share;
  if (--questions < 0)
    return false;
  int64_t rows = positions.upper - positions.lower, columns = keys.upper - keys.lower;
  bool isPair = rows == 0 && columns == 0;
  Share share = isPair ? (predicate.contains(positions.lower, keys.lower) ? Share::All : Share::None)
                       : predicate.decide(positions, keys);
  if (share == Share::None)
    return true;
  if (share == Share::All) {
    boxes.push_back({{positions.lower, positions.upper + 1}, {keys.lower, keys.upper + 1}});
    return true;
  }
  if (rows > columns) {
    int64_t middle = positions.lower + rows / 2;
    return add({positions.lower, middle}, keys) && add({middle + 1, positions.upper}, keys);
  }
  int64_t middle = keys.lower + columns / 2;
  return add(positions, {keys.lower, middle}) && add(positions, {middle + 1, keys.upper});
}

/// Merges boxes that touch. `same` and `along` are the two intervals of a box. Boxes are merged if their intervals
/// `same` are equal, and if their intervals `along` touch.
static void mergeBoxes(std::vector<plan::Box> &boxes, plan::Interval plan::Box::*same,
                       plan::Interval plan::Box::*along) {
  auto order = [=](const plan::Box &box) { return std::tuple((box.*same).begin, (box.*same).end, (box.*along).begin); };
  llvm::sort(boxes, [&](const plan::Box &a, const plan::Box &b) { return order(a) < order(b); });
  std::vector<plan::Box> merged;
  for (const plan::Box &box : boxes) {
    bool touches =
        !merged.empty() && merged.back().*same == box.*same && (merged.back().*along).end == (box.*along).begin;
    if (touches)
      (merged.back().*along).end = (box.*along).end;
    else
      merged.push_back(box);
  }
  boxes = std::move(merged);
}

std::optional<plan::Piece> xf::toPlanPiece(TilesAttr tiles, const pattern::CallSizes &sizes) {
  if (!tiles.isStatic() || sizes.numQueries > sizes.numKeys)
    return std::nullopt;
  plan::Piece result;
  result.hasBoxes = true;
  if (sizes.numQueries == 0)
    return result;
  pattern::PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head);
  if (!BoxFinder(predicate, result.boxes)
           .add({sizes.numKeys - sizes.numQueries, sizes.numKeys - 1}, {0, sizes.numKeys - 1}))
    return std::nullopt;
  mergeBoxes(result.boxes, &plan::Box::queries, &plan::Box::keys);
  mergeBoxes(result.boxes, &plan::Box::keys, &plan::Box::queries);
  llvm::sort(result.boxes, [](const plan::Box &a, const plan::Box &b) {
    return std::pair(a.queries.begin, a.keys.begin) < std::pair(b.queries.begin, b.keys.begin);
  });
  return result;
}
