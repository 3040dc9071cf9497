//===- Tasks.h - Sequences to learn from -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ListOps: a nested list of operators and digits, and its value (N. Nangia, S. Bowman, "ListOps: A Diagnostic Dataset
// for Latent Tree Learning", 2018), by the rules of Long Range Arena's generator (Y. Tay et al. 2020,
// lra_benchmarks/data/listops.py), with other sizes. A tree is a digit with probability .75, else an operator of two to
// `arguments` trees: the largest, the smallest, the median (rounded down), or the sum modulo 10. The root is an
// operator, and trees below `depth` are digits; what has too few tokens or too many is drawn again.
//
// Recall: eight pairs of a key and a value, a token each, in any order, then keys, each to be answered by its value.
//
//===----------------------------------------------------------------------===//

#ifndef XF_BENCH_TASKS_H
#define XF_BENCH_TASKS_H

#include <cstdint>
#include <random>
#include <vector>

namespace bench {

/// A task: sequences of `size` tokens, and what to predict: one class for a sequence, or one for each token.
struct Task {
  int64_t size = 64;
  int64_t vocabulary = 16, classes = 10;
  bool isClassifier = true;
  /// Of ListOps.
  int64_t depth = 6, arguments = 5, shortest = 16;
  /// Tokens at the start that have nothing to predict.
  int64_t pairs = 0;

  static Task listops(int64_t size);
  static Task recall(int64_t size);
};

/// A batch. A token that has nothing to predict has the target -100. Behind the `lengths` tokens of a sequence are
/// zeros.
struct Batch {
  std::vector<int32_t> tokens, targets, lengths;
};

Batch drawBatch(const Task &task, int64_t rows, std::mt19937_64 &random);

} // namespace bench

#endif // XF_BENCH_TASKS_H
