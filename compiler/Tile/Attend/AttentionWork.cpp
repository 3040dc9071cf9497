//===- AttentionWork.cpp - Counts of attention pairs ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/TileReasons.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static int64_t evaluate(AffineExpr expression, int64_t position, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (isa<AffineDimExpr>(expression))
    return position;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = evaluate(binary.getLHS(), position, symbols), right = evaluate(binary.getRHS(), position, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return left - right * llvm::divideFloorSigned(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

static bool hasOnlySizes(AffineMap map) { return !map || map.getNumSymbols() <= 2; }

/// Returns a period of `expression` as a function f of a position x: a p for which f(x + p) - f(x) does not depend on
/// x. Returns 0 if there is none up to 2^31.
static int64_t periodOf(AffineExpr expression) {
  constexpr int64_t most = int64_t(1) << 31;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return 1;
  int64_t left = periodOf(binary.getLHS()), right = periodOf(binary.getRHS());
  if (left == 0 || right == 0)
    return 0;
  bool divides = expression.getKind() != AffineExprKind::Add && expression.getKind() != AffineExprKind::Mul;
  int64_t factor = divides ? cast<AffineConstantExpr>(binary.getRHS()).getValue() : right / std::gcd(left, right);
  return factor <= most / left ? left * factor : 0;
}

//===----------------------------------------------------------------------===//
// Groups of rows
//===----------------------------------------------------------------------===//

namespace {
/// The number of rows and the number of keys that a kernel computes as a whole, masked pairs included.
struct WorkTile {
  int64_t rows, keys;
};

/// The linear function t -> value + slope t.
struct Line {
  int64_t value, slope;
  int64_t operator()(int64_t t) const { return value + slope * t; }
};

/// A series of groups of rows, one period apart: group t = 0, 1, .. has the rows of one tile. The bounds and conditions
/// of a row are linear functions of t. The row sees the keys of ranks max(begins) to min(ends) - 1 if all conditions
/// are >= 0.
struct GroupLines {
  struct Row {
    SmallVector<Line, 4> begins, ends, conditions;
  };
  SmallVector<Row, 8> rows;
  WorkTile tile;

  AttentionWork workAt(int64_t t) const;
  AttentionWork sum(int64_t count) const;

private:
  SmallVector<int64_t, 32> startsOfPieces(int64_t count) const;
};
} // namespace

AttentionWork GroupLines::workAt(int64_t t) const {
  AttentionWork work;
  int64_t seenBegin = std::numeric_limits<int64_t>::max(), seenEnd = 0;
  for (const Row &row : rows) {
    if (llvm::any_of(row.conditions, [&](const Line &line) { return line(t) < 0; }))
      continue;
    int64_t begin = 0, end = std::numeric_limits<int64_t>::max();
    for (const Line &line : row.begins)
      begin = std::max(begin, line(t));
    for (const Line &line : row.ends)
      end = std::min(end, line(t));
    if (begin >= end)
      continue;
    work.pairs += end - begin;
    seenBegin = std::min(seenBegin, begin), seenEnd = std::max(seenEnd, end);
  }
  if (seenBegin < seenEnd)
    work.executedPairs = tile.rows * (llvm::alignTo(seenEnd, tile.keys) - llvm::alignDown(seenBegin, tile.keys));
  return work;
}

/// Returns sorted values of t, the first 0 and the last `count`. They cut [0, count) into intervals in which no two
/// lines cross and no condition changes sign. Within such an interval, work is linear in t.
SmallVector<int64_t, 32> GroupLines::startsOfPieces(int64_t count) const {
  SmallVector<int64_t, 32> starts = {0, count};
  auto addCrossing = [&](int64_t value, int64_t slope) {
    if (slope == 0)
      return;
    int64_t before = llvm::divideFloorSigned(slope > 0 ? -value : value, std::abs(slope));
    for (int64_t start : {before, before + 1})
      if (start > 0 && start < count)
        starts.push_back(start);
  };
  SmallVector<std::pair<int64_t, int64_t>, 32> lines;
  for (const Row &row : rows) {
    for (const auto *bounds : {&row.begins, &row.ends})
      for (const Line &line : *bounds)
        lines.push_back({line.value, line.slope});
    for (const Line &condition : row.conditions)
      for (int64_t offset : {0, 1}) // a condition fails at -1
        addCrossing(condition.value + offset, condition.slope);
  }
  llvm::sort(lines);
  lines.erase(llvm::unique(lines), lines.end());
  for (size_t k = 0; k < lines.size(); ++k)
    for (size_t other = 0; other < k; ++other)
      addCrossing(lines[k].first - lines[other].first, lines[k].second - lines[other].second);
  llvm::sort(starts);
  starts.erase(llvm::unique(starts), starts.end());
  return starts;
}

AttentionWork GroupLines::sum(int64_t count) const {
  AttentionWork total;
  SmallVector<int64_t, 32> starts = count > 1 ? startsOfPieces(count) : SmallVector<int64_t, 32>{0, count};
  for (size_t k = 0; k + 1 < starts.size(); ++k) {
    int64_t length = starts[k + 1] - starts[k];
    total.add(workAt(starts[k]), length == 1 ? 1 : double(length) / 2);
    if (length > 1)
      total.add(workAt(starts[k + 1] - 1), double(length) / 2);
  }
  return total;
}

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

namespace {
/// Counts the work of a piece without visiting every row: sums groups of rows one period apart in closed form, and
/// multiplies the work of one residue by the number of neighbouring residues that have the same work.
class PieceWork {
public:
  PieceWork(PieceAttr piece, int64_t numQueries, int64_t numKeys, WorkTile tile);

  /// Returns the work of the piece; nullopt if more than maxGroups groups of rows would have to be evaluated.
  std::optional<AttentionWork> count();

private:
  int64_t first(int64_t r) const { return piece.getQueries().rank(r, numKeys - numQueries); }
  int64_t end(int64_t r) const { return piece.getQueries().rank(r, numKeys); }
  int64_t value(AffineExpr bound, int64_t position) const { return evaluate(bound, position, {numQueries, numKeys}); }

  GroupLines groupAt(int64_t r, int64_t row, int64_t numRows, int64_t step) const;
  bool addResidue(int64_t r, double times);
  bool bendsNowhere() const;
  SmallVector<int64_t, 8> signatureOf(int64_t r) const;
  bool addAlike(int64_t firstResidue, int64_t lastResidue);

  static constexpr int64_t maxGroups = int64_t(1) << 17;
  PieceAttr piece;
  int64_t numQueries, numKeys;
  WorkTile tile;
  SmallVector<AffineExpr, 4> lower, upper, conditions;
  int64_t period; ///< in groups of rows: bounds grow by a constant per period; 0 if there is none
  int64_t groups = 0;
  AttentionWork work;
};
} // namespace

PieceWork::PieceWork(PieceAttr piece, int64_t numQueries, int64_t numKeys, WorkTile tile)
    : piece(piece), numQueries(numQueries), numKeys(numKeys), tile(tile) {
  auto collect = [](AffineMap map, SmallVector<AffineExpr, 4> &bounds) {
    if (map)
      llvm::append_range(bounds, map.getResults());
  };
  collect(piece.getLower(), lower);
  collect(piece.getUpper(), upper);
  collect(piece.getRows(), conditions);
  constexpr int64_t most = int64_t(1) << 31;
  IndexMapAttr queries = piece.getQueries();
  int64_t positions = 1;
  for (ArrayRef<AffineExpr> bounds : {ArrayRef(lower), ArrayRef(upper), ArrayRef(conditions)})
    for (AffineExpr bound : bounds)
      positions = positions && positions <= most ? std::lcm(positions, periodOf(bound)) : 0;
  // Ranks of keys grow by whole tiles from period to period.
  int64_t unit = piece.getKeys().getPeriod() * tile.keys, factor = 1;
  for (ArrayRef<AffineExpr> bounds : {ArrayRef(lower), ArrayRef(upper)})
    for (AffineExpr bound : bounds)
      factor = std::lcm(factor, unit / std::gcd(value(bound, positions) - value(bound, 0), unit));
  positions = positions <= most / factor ? std::lcm(positions * factor, queries.getPeriod()) : 0;
  int64_t rows = positions / queries.getPeriod() * queries.getWidth();
  period = rows <= most ? std::lcm(rows, tile.rows) / tile.rows : 0;
}

/// Returns the series of groups (GroupLines) whose group 0 is the `numRows` rows of residue `r` from rank `row` on. Its
/// lines pass through the bounds of these rows (t = 0) and of those `step` ranks later (t = 1); they are constant if
/// `step` is 0.
GroupLines PieceWork::groupAt(int64_t r, int64_t row, int64_t numRows, int64_t step) const {
  IndexMapAttr keys = piece.getKeys();
  GroupLines group{{}, tile};
  for (int64_t n = 0; n < numRows; ++n) {
    GroupLines::Row &lines = group.rows.emplace_back();
    int64_t position = piece.getQueries().at(r, row + n), later = piece.getQueries().at(r, row + n + step);
    auto addRank = [&](SmallVectorImpl<Line> &to, int64_t x, int64_t y) {
      int64_t rank = keys.rank(r, x);
      to.push_back({rank, keys.rank(r, y) - rank});
    };
    addRank(lines.begins, 0, 0);
    addRank(lines.ends, numKeys, numKeys);
    for (AffineExpr bound : lower)
      addRank(lines.begins, value(bound, position), value(bound, later));
    for (AffineExpr bound : upper)
      addRank(lines.ends, value(bound, position) + 1, value(bound, later) + 1);
    for (AffineExpr condition : conditions) {
      int64_t x = value(condition, position);
      lines.conditions.push_back({x, value(condition, later) - x});
    }
  }
  return group;
}

bool PieceWork::addResidue(int64_t r, double times) {
  int64_t start = first(r), rows = end(r) - start, whole = rows / tile.rows;
  if (rows <= 0)
    return ++groups <= maxGroups;
  int64_t step = period && period < whole ? period : whole;
  groups += step + 1;
  if (groups > maxGroups)
    return false;
  for (int64_t group = 0; group < step; ++group) {
    int64_t count = llvm::divideCeil(whole - group, step);
    work.add(groupAt(r, start + group * tile.rows, tile.rows, count > 1 ? step * tile.rows : 0).sum(count), times);
  }
  if (int64_t rest = rows % tile.rows)
    work.add(groupAt(r, end(r) - rest, rest, 0).workAt(0), times);
  return true;
}

/// Returns true if signatureOf() determines the work of a residue: neighbouring residues are neighbouring positions,
/// every bound is i + c or c, and every condition is i + c, c - i or c. Here i is the position of a query, and c a
/// constant.
bool PieceWork::bendsNowhere() const {
  auto isStraight = [&](AffineExpr bound, int64_t least) {
    int64_t slope = value(bound, 1) - value(bound, 0);
    return periodOf(bound) == 1 && least <= slope && slope <= 1;
  };
  return piece.hasAdjacentResidues() && llvm::all_of(lower, [&](AffineExpr bound) { return isStraight(bound, 0); }) &&
         llvm::all_of(upper, [&](AffineExpr bound) { return isStraight(bound, 0); }) &&
         llvm::all_of(conditions, [&](AffineExpr bound) { return isStraight(bound, -1); });
}

/// Returns the signature of residue `r`: if bendsNowhere(), residues with equal signatures have equal work. The
/// signature has the first and the end rank of the residue's queries and of its keys, the key rank of each constant
/// bound, and the key rank at which each condition starts or stops to hold. It omits bounds i + c, whose distance from
/// the row in ranks is the same in all residues. No element of the signature grows with `r`.
SmallVector<int64_t, 8> PieceWork::signatureOf(int64_t r) const {
  IndexMapAttr keys = piece.getKeys();
  SmallVector<int64_t, 8> signature = {first(r), end(r), keys.rank(r, 0), keys.rank(r, numKeys)};
  for (auto [bounds, offset] : {std::pair(&lower, 0), {&upper, 1}})
    for (AffineExpr bound : *bounds)
      if (int64_t constant = value(bound, 0); constant == value(bound, 1))
        signature.push_back(keys.rank(r, constant + offset));
  for (AffineExpr condition : conditions) {
    int64_t constant = value(condition, 0), slope = value(condition, 1) - constant;
    signature.push_back(slope == 0 ? 0 : keys.rank(r, slope > 0 ? -constant : constant + 1));
  }
  return signature;
}

/// Adds the work of residues `firstResidue` to `lastResidue`. Halves the range until its first and last residue have
/// the same signature. Signatures are monotone, so all residues between these have that signature, too, and the same
/// work. Returns false if more than maxGroups groups of rows would have to be evaluated.
bool PieceWork::addAlike(int64_t firstResidue, int64_t lastResidue) {
  if (signatureOf(firstResidue) == signatureOf(lastResidue))
    return addResidue(firstResidue, double(lastResidue - firstResidue + 1));
  int64_t middle = firstResidue + (lastResidue - firstResidue) / 2;
  return addAlike(firstResidue, middle) && addAlike(middle + 1, lastResidue);
}

std::optional<AttentionWork> PieceWork::count() {
  int64_t residues = piece.getResidues();
  bool isKnown = true;
  if (bendsNowhere())
    isKnown = addAlike(0, residues - 1);
  else
    for (int64_t r = 0; r < residues && isKnown; ++r)
      isKnown = addResidue(r, 1);
  return isKnown ? std::optional(work) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Keys of a block of rows
//===----------------------------------------------------------------------===//

/// Returns the least and the greatest of bound(i) - i, over all positions i; nullopt if they are not known, because the
/// bound does not grow by one with each row on average, or has a long period.
static std::optional<std::pair<int64_t, int64_t>> distances(AffineExpr bound, ArrayRef<int64_t> sizes) {
  constexpr int64_t mostPositions = 4096;
  int64_t period = periodOf(bound), first = evaluate(bound, 0, sizes);
  if (period == 0 || period > mostPositions || evaluate(bound, period, sizes) - first != period)
    return std::nullopt;
  int64_t least = first, greatest = first;
  for (int64_t i = 1; i < period; ++i) {
    int64_t distance = evaluate(bound, i, sizes) - i;
    least = std::min(least, distance), greatest = std::max(greatest, distance);
  }
  return std::pair(least, greatest);
}

bool xf::endAtRunTime(ArrayRef<PieceAttr> pieces) {
  return !pieces.empty() &&
         llvm::all_of(pieces, [](PieceAttr piece) { return piece.getUpper() && !hasOnlySizes(piece.getUpper()); });
}

std::optional<KeysAround> xf::keysAround(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys) {
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  int64_t sizes[] = {numQueries, numKeys}, begin = none, last = -none;
  for (PieceAttr piece : pieces) {
    if (!piece.getLower() || !piece.getUpper() || !hasOnlySizes(piece.getLower()) || !hasOnlySizes(piece.getUpper()))
      return std::nullopt;
    int64_t lower = -none, upper = none; // of the tightest bounds
    for (AffineExpr bound : piece.getLower().getResults())
      if (auto found = distances(bound, sizes))
        lower = std::max(lower, found->first);
    for (AffineExpr bound : piece.getUpper().getResults())
      if (auto found = distances(bound, sizes))
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

std::optional<AttentionWork> xf::countWork(SolutionAttr solution, int64_t numQueries, int64_t numKeys,
                                           xft::AttendTileAttr tile, const TileModel &model, LaneTileOf lanesOf) {
  if (solution.getTiles())
    return std::nullopt;
  AttentionWork work;
  for (PieceAttr piece : solution.getPieces()) {
    if (!hasOnlySizes(piece.getLower()) || !hasOnlySizes(piece.getUpper()) || !hasOnlySizes(piece.getRows()))
      return std::nullopt;
    WorkTile chosen{tile.getRows(), model.wholeColumns(tile)}; // blocks begin with a group
    if (xft::LaneTileAttr lanes = lanesOf(solution, piece))
      chosen = {lanes.getRows(), lanes.getKeys()};
    std::optional<AttentionWork> part = PieceWork(piece, numQueries, numKeys, chosen).count();
    if (!part)
      return std::nullopt;
    work.add(*part, 1);
  }
  return work;
}

void xf::recordAttentionWork(HostBuilder &host, ArrayRef<HeadsOfSolution> groups, const Buffer &q, const Buffer &k,
                             xft::AttendTileAttr tile, LaneTileOf lanesOf, int64_t terms) {
  SmallVector<int64_t, 4> sizes;
  for (Size size : {q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]}) {
    if (!HostBuilder::constant(size))
      return;
    sizes.push_back(*HostBuilder::constant(size));
  }
  for (const HeadsOfSolution &group : groups) {
    std::optional<AttentionWork> work = countWork(group.solution, sizes[2], sizes[3], tile, host.model, lanesOf);
    if (!work)
      continue;
    double heads = double(sizes[0]) * llvm::divideCeil(sizes[1] - group.first, group.step);
    host.count(2.0 * terms * heads * work->pairs, heads * work->pairs, heads * work->executedPairs);
  }
}
