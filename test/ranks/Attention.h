//===- Attention.h - Attention on ranks, pair by pair -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax attention of f64, forward and backward, by plain loops over what a rank owns and what came to it; every other
// number is NaN. What it is judged by is the same on one rank, without a plan.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RANKS_ATTENTION_H
#define XF_TEST_RANKS_ATTENTION_H

#include "lib/plan/Plan.h"
#include "lib/ranks/Channel.h"
#include "plan/PairTable.h"

#include <functional>
#include <string>

namespace xfrt {

/// One attention over some ranks, with the pairs of its pieces.
struct Case {
  std::string name;
  plan::Problem problem;
  plan::PairTable table;
};

/// Pieces that a formula gives (test/plan/Inputs), packed documents, and blocks that are drawn.
std::vector<std::string> caseNames();
/// The price of bytes decides which modes a plan takes.
Case makeCase(const std::string &name, int64_t tokens, int32_t ranks, int64_t byteTime, int64_t stageBytes);

/// What one rank has at the end, of its own tokens in ascending order.
struct Outcome {
  xfrt_status status = XFRT_OK;
  std::string text;            // of a status that is not XFRT_OK
  std::vector<double> results; // o, d_q, d_k, d_v
  int64_t stageBytes = 0;      // that the buffers of keys take
  int32_t stages = 0;          // of keys
};

/// How a rank runs.
struct Setting {
  int64_t timeout = 60000;
  int32_t refusing = -1;                       // a rank that fails by itself
  std::function<void(int64_t pairs)> computed; // called after pairs were computed
};

/// Runs the part of one rank.
Outcome runRank(const Case &of, const xfrt_communicator &communicator, const Setting &setting);

/// What the rank should have, of all tokens computed in one place.
std::vector<double> expectedResults(const Case &of, int32_t rank);

/// The largest difference of two results, relative to the largest number of the second; infinite where one is NaN.
double differenceOf(const std::vector<double> &results, const std::vector<double> &expected);

} // namespace xfrt

#endif // XF_TEST_RANKS_ATTENTION_H
