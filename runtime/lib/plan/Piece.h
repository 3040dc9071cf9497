//===- Piece.h - What plans are derived from --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A piece of a solution (#xf.piece of the compiler), as plain numbers. Nothing here or after it knows which pattern a
// piece came from.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_PIECE_H
#define XFRT_LIB_PLAN_PIECE_H

#include "Form.h"
#include "TokenSet.h"

namespace xfrt::plan {

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

  /// The first token that residue r reaches in the period from 0.
  int64_t start(int64_t residue) const;
  /// x(r, a).
  int64_t at(int64_t residue, int64_t number) const;
  /// The residue whose cell a token lies in, of a map with residues and a multiplier of 1 or -1; -1 for others.
  int64_t residueOf(int64_t x) const;
  /// The smallest a with x(r, a) >= x.
  int64_t number(int64_t residue, int64_t x) const;
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

#endif // XFRT_LIB_PLAN_PIECE_H
