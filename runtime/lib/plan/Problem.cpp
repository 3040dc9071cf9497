//===- Problem.cpp - What a plan is a function of -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

using namespace xfrt::plan;

static constexpr int64_t mostTokens = (int64_t(1) << 31) - 1;

/// Returns whether `number` is in [least, most].
static bool checkRange(const char *what, int64_t number, int64_t least, int64_t most, std::string &error) {
  if (number >= least && number <= most)
    return true;
  error = "expected " + std::string(what) + " in [" + std::to_string(least) + ", " + std::to_string(most) + "], got " +
          std::to_string(number);
  return false;
}

static bool checkShape(const Shape &shape, std::string &error) {
  if (!checkRange("heads", shape.heads, 1, 1 << 24, error) ||
      !checkRange("heads of keys", shape.keyHeads, 1, shape.heads, error) ||
      !checkRange("the width of keys", shape.width, 0, 1 << 20, error) ||
      !checkRange("the width of values", shape.valueWidth, 0, 1 << 20, error) ||
      !checkRange("bytes of a number", shape.bytes, 1, 8, error) ||
      !checkRange("bytes of a sum", shape.sumBytes, 1, 8, error))
    return false;
  if (shape.heads % shape.keyHeads == 0)
    return true;
  error =
      "expected heads of keys that divide " + std::to_string(shape.heads) + ", got " + std::to_string(shape.keyHeads);
  return false;
}

bool xfrt::plan::checkProblem(const Problem &problem, std::string &error) {
  constexpr int64_t mostTime = int64_t(1) << 52;
  const Machine &machine = problem.machine;
  if (!checkRange("ranks", problem.ranks, 1, 1 << 16, error) ||
      !checkRange("tokens", problem.tokens, 0, mostTokens, error) ||
      !checkRange("the granule of chunks", problem.granule, 1, mostTokens, error) ||
      !checkRange("bytes of a stage", problem.stageBytes, 1, int64_t(1) << 52, error) ||
      !checkRange("ranks of a node", machine.ranksPerNode, 1, 1 << 16, error) ||
      !checkRange("the time of a pair", machine.pairTime, 0, mostTime, error) ||
      !checkRange("the time of a byte", machine.byteTime, 0, mostTime, error) ||
      !checkRange("the time of a byte within a node", machine.nodeByteTime, 0, mostTime, error) ||
      !checkRange("the time of a message", machine.messageTime, 0, mostTime, error))
    return false;
  for (size_t a = 0; a < problem.attentions.size(); ++a) {
    const Attention &attention = problem.attentions[a];
    if (!checkShape(attention.shape, error) || !checkRange("layers", attention.count, 1, 1 << 20, error) ||
        !checkRange("queries", attention.queries, 0, problem.tokens, error)) {
      error = "attention " + std::to_string(a) + ": " + error;
      return false;
    }
  }
  return true;
}
