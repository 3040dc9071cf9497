//===- Piece.h - Pieces as tests write them ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces with their bounds as structures, from which tests make the numbers that runtime/pieces reads, and sets of
// tokens, with which answers are compared.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PLAN_PIECE_H
#define XF_TEST_PLAN_PIECE_H

#include <cstdint>
#include <vector>

namespace xfrt::plan {

/// The tokens begin .. end - 1.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end > begin ? end - begin : 0; }
  bool operator==(const Interval &) const = default;
};

/// Intervals in ascending order that are not empty and do not touch: each set of tokens has one such list.
using TokenSet = std::vector<Interval>;

/// The set of all tokens of some intervals, in any order, which may overlap or be empty.
TokenSet unite(std::vector<Interval> intervals);
/// The tokens of both.
TokenSet intersect(const TokenSet &a, const TokenSet &b);
int64_t countTokens(const TokenSet &set);

/// The numbers of queries and keys of one attention.
struct Sizes {
  int64_t queries = 0;
  int64_t keys = 0;
};

/// constant + factor x + symbols . (the values of symbols) + divisions . (the values of divisions). Entries that are
/// missing at the end of a list are 0.
struct Row {
  int64_t constant = 0;
  int64_t factor = 0;
  std::vector<int64_t> symbols;
  std::vector<int64_t> divisions;
};

/// floor(numerator / divisor); the numerator uses earlier divisions of its form alone.
struct Division {
  Row numerator;
  int64_t divisor = 1;
};

/// A bound of a piece as the compiler has it: `result`, over x (a query's position, or a key), symbols (the numbers of
/// queries and of keys, then those that a call brings) and floor divisions.
struct Form {
  std::vector<Division> divisions;
  Row result;
};

/// The order in which a piece walks an axis: x(r, a) = M (a div w) + a mod w + o + e ((alpha r + beta) mod R).
/// #xf.index_map says what each number is, and which of them go together.
struct IndexMap {
  int64_t residues = 1;   // R
  int64_t period = 1;     // M
  int64_t width = 1;      // w
  int64_t offset = 0;     // o
  int64_t cell = 1;       // e
  int64_t multiplier = 0; // alpha
  int64_t shift = 0;      // beta
};

/// Queries and keys, between which the pairs of a piece are: what data say that no formula does, as far as a call knows
/// it (runs of tokens that belong together, blocks of a table).
struct Box {
  Interval queries;
  Interval keys;
};

/// For r in [0, residues): i = queries(r, a), j = keys(r, b). Query i sees, of the keys of residue r, exactly those
/// with lower(i) <= j <= upper(i), of every result of either, unless some result of `rows` is negative at i. A query's
/// position is on the axis of keys: the first one is at keys - queries.
///
/// Boxes, where there are some, keep the pairs that lie in one of them. No pair lies in two.
struct Piece {
  IndexMap queries;
  IndexMap keys;
  int64_t residues = 1;
  std::vector<Form> lower;
  std::vector<Form> upper;
  std::vector<Form> rows;
  bool hasBoxes = false; // without one, and with this, a piece is empty
  std::vector<Box> boxes;
};

/// Returns pieces as xfrt_tables::plans describes (xfrt/model.h); of pieces with boxes, which have every pair
/// otherwise, the boxes.
std::vector<int64_t> writeNumbers(const std::vector<Piece> &pieces, int64_t chunks = 1);

} // namespace xfrt::plan

#endif // XF_TEST_PLAN_PIECE_H
