//===- StatePlan.h - How states travel between ranks ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernelised attention's sums over keys are a state: of each head of keys the features of a key times its value, and
// 1. A rank needs of keys that it does not own the sum of their states alone, whatever the length of the sequence,
// where its queries see all tokens of the ranks before it, and all or none of those after it. Tokens are placed in
// order.
//
// Sums are made along fixed trees, in which ranks add what came from others in one order: never in that of arrivals.
//
// - Before: rank r sends what it knows of r - d + 1 .. r to r + d, for d = 1, 2, 4 ..; After is its mirror image.
// - All: up a binomial tree to rank 0, and down again: the same bits on every rank.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_STATES_STATEPLAN_H
#define XFRT_LIB_PLAN_STATES_STATEPLAN_H

#include <cstdint>
#include <vector>

namespace xfrt::plan {

/// Whose states a rank needs the sum of: of ranks before it (causal, forward), after it (its gradient), or of all.
enum class StateScan : uint8_t { Before, After, All };

/// The scan of the gradient: a key is seen by the queries that it was summed for.
StateScan transposeScan(StateScan scan);

/// A message of a scan. Each step has at most one message to, and one from this rank.
struct StateStep {
  int32_t to = -1, from = -1; // ranks; -1: none
  bool isTotal = false;       // what travels is the sum of all ranks, instead of what is known so far
};

/// What `rank` does, step by step; steps without a message of this rank are left out.
std::vector<StateStep> findSteps(StateScan scan, int32_t rank, int32_t ranks);

/// Messages of `rank`, and steps one after the other from the first rank's message to the last one's.
int64_t countStatesSent(StateScan scan, int32_t rank, int32_t ranks);
int64_t countLevels(StateScan scan, int32_t ranks);

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_STATES_STATEPLAN_H
