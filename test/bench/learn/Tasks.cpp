//===- Tasks.cpp - Sequences to learn from -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tasks.h"

#include <algorithm>
#include <numeric>

using namespace bench;

static int64_t below(int64_t count, std::mt19937_64 &random) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(count));
}

//===----------------------------------------------------------------------===//
// ListOps
//===----------------------------------------------------------------------===//

namespace {
enum Operator { smallest, largest, median, sum };
/// Tokens: 0 is padding, digits follow, then the operators, which open a list, and its end.
constexpr int32_t digits = 1, operators = 11, end = 15;
} // namespace

Task Task::listops(int64_t size) {
  Task task{.size = size};
  task.shortest = std::min<int64_t>(size / 2, task.shortest);
  return task;
}

static int32_t evaluate(Operator kind, std::vector<int32_t> values) {
  std::sort(values.begin(), values.end());
  switch (kind) {
  case smallest:
    return values.front();
  case largest:
    return values.back();
  case median: {
    size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
  case sum:
    break;
  }
  return std::accumulate(values.begin(), values.end(), 0) % 10;
}

/// Appends a tree to the tokens, and returns its value.
static int32_t appendTree(const Task &task, int64_t depth, std::vector<int32_t> &tokens, std::mt19937_64 &random) {
  if (depth > 1 && (depth >= task.depth || below(4, random) != 0)) {
    auto value = static_cast<int32_t>(below(10, random));
    tokens.push_back(digits + value);
    return value;
  }
  auto kind = static_cast<Operator>(below(4, random));
  int64_t count = 2 + below(task.arguments - 1, random);
  tokens.push_back(operators + kind);
  std::vector<int32_t> values;
  for (int64_t n = 0; n < count; ++n)
    values.push_back(appendTree(task, depth + 1, tokens, random));
  tokens.push_back(end);
  return evaluate(kind, values);
}

static void appendList(const Task &task, Batch &batch, std::mt19937_64 &random) {
  std::vector<int32_t> tokens;
  int32_t value = 0;
  auto fits = [&] {
    auto length = static_cast<int64_t>(tokens.size());
    return length >= task.shortest && length <= task.size;
  };
  do {
    tokens.clear();
    value = appendTree(task, 1, tokens, random);
  } while (!fits());
  batch.lengths.push_back(static_cast<int32_t>(tokens.size()));
  batch.targets.push_back(value);
  tokens.resize(static_cast<size_t>(task.size));
  batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end());
}

//===----------------------------------------------------------------------===//
// Recall
//===----------------------------------------------------------------------===//

/// Tokens of pairs are key x values + value, those of keys follow.
static constexpr int64_t keys = 8, values = 8;

Task Task::recall(int64_t size) {
  return {.size = size, .vocabulary = keys * values + keys, .classes = values, .isClassifier = false, .pairs = keys};
}

static void appendRecall(const Task &task, Batch &batch, std::mt19937_64 &random) {
  std::vector<int32_t> names(keys), answers(keys);
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  for (int32_t name : names) {
    answers[name] = static_cast<int32_t>(below(values, random));
    batch.tokens.push_back(name * static_cast<int32_t>(values) + answers[name]);
    batch.targets.push_back(-100);
  }
  for (int64_t n = keys; n < task.size; ++n) {
    int64_t asked = below(keys, random);
    batch.tokens.push_back(static_cast<int32_t>(keys * values + asked));
    batch.targets.push_back(answers[asked]);
  }
  batch.lengths.push_back(static_cast<int32_t>(task.size));
}

Batch bench::drawBatch(const Task &task, int64_t rows, std::mt19937_64 &random) {
  Batch batch;
  for (int64_t row = 0; row < rows; ++row)
    if (task.isClassifier)
      appendList(task, batch, random);
    else
      appendRecall(task, batch, random);
  return batch;
}
