//===- Problem.h - What a plan is a function of -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_PROBLEM_H
#define XFRT_LIB_PLAN_PROBLEM_H

#include "Relation.h"

namespace xfrt::plan {

/// Sizes of the tensors of an attention. A batch counts as heads.
struct Shape {
  int64_t heads = 1;
  int64_t keyHeads = 1;   // divides heads
  int64_t width = 1;      // of a query and a key
  int64_t valueWidth = 1; // of a value and a result
  int64_t bytes = 4;      // of a number of q, k, v, o, d_o
  int64_t sumBytes = 4;   // of a number of a partial o, m, l, d_q, d_k, d_v

  /// Bytes of one token, of one head of keys or of queries, forward and backward together. Keys and values go to who
  /// computes with them, once, and d_k, d_v come back; a query goes, later d_o, lse and delta; a partial o, m and l
  /// come back, later d_q.
  int64_t keyOut() const { return (width + valueWidth) * bytes; }
  int64_t keyBack() const { return (width + valueWidth) * sumBytes; }
  int64_t queryOut() const { return (width + valueWidth) * bytes + 8; }
  int64_t queryBack() const { return (width + valueWidth) * sumBytes + 8; }
};

/// One attention of a program. Its queries are the last tokens, all of its keys are tokens.
struct Attention {
  std::vector<Piece> pieces;
  std::vector<int64_t> symbols; // after the numbers of queries and keys
  int64_t queries = 0;
  Shape shape;
  int64_t count = 1; // of layers that are alike
};

/// A machine as numbers, in any one unit of time; of a pair, the time of one head forward and backward.
struct Machine {
  int64_t pairTime = 0;
  int64_t byteTime = 0;     // between nodes, in one direction
  int64_t nodeByteTime = 0; // within a node
  int64_t messageTime = 0;
  int32_t ranksPerNode = 1;
  bool overlaps = true; // computes while bytes move
};

/// Everything that a plan depends on.
struct Problem {
  int64_t tokens = 0;
  int32_t ranks = 1;                     // of the mesh's axis that shards the tokens
  int64_t granule = 1;                   // chunks begin at multiples of it
  int64_t stageBytes = int64_t(4) << 20; // of keys and values that a rank receives before it computes with them
  Machine machine;
  std::vector<Attention> attentions;
};

/// Returns false, and describes the failure in `error`, where a number is out of its range.
bool checkProblem(const Problem &problem, std::string &error);

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_PROBLEM_H
