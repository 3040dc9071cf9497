//===- PairTable.h - Pairs of pieces, one by one ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PLAN_PAIRTABLE_H
#define XF_TEST_PLAN_PAIRTABLE_H

#include "PieceText.h"

#include <string>

namespace xfrt::plan {

/// Which piece has each pair of queries and keys, found from the definition of a piece alone: what plans are judged by.
class PairTable {
public:
  /// Adds the pairs of a piece. Returns false where a pair is there twice.
  bool add(const Piece &piece, Sizes sizes);

  bool has(int64_t query, int64_t key) const { return pieces[query * keys + key] >= 0; }
  /// The number of the piece of a pair, or -1.
  int pieceOf(int64_t query, int64_t key) const { return pieces[query * keys + key]; }
  /// The residue of a pair that is there.
  int64_t residueOf(int64_t query, int64_t key) const { return residues[query * keys + key]; }

private:
  int64_t keys = 0;
  int count = 0;
  std::vector<int8_t> pieces;
  std::vector<int32_t> residues;
};

/// The pieces of a file of Inputs; fails the test where it cannot be read.
std::vector<Piece> loadPieces(const std::string &name);

/// Runs of these lengths, and again from the first length, as boxes: queries see the keys of their own run.
std::vector<Box> makeBoxes(int64_t tokens, const std::vector<int64_t> &lengths);

/// The names of all files of Inputs for sequences of at most a few thousand tokens, and for longer ones.
std::vector<std::string> smallNames();
std::vector<std::string> largeNames();

/// A tiny generator, the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// A number in [0, count).
  int64_t below(int64_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int64_t((state >> 33) % uint64_t(count));
  }

private:
  uint64_t state;
};

} // namespace xfrt::plan

#endif // XF_TEST_PLAN_PAIRTABLE_H
