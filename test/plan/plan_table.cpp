//===- plan_table.cpp - Plans of pieces as a table, with times ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairTable.h"
#include "lib/plan/Plan.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>

using namespace xfrt::plan;

namespace {
struct Setting {
  const char *name;
  Machine machine;
  Shape shape;
};
} // namespace

/// Times in femtoseconds; 14 D operations for a pair of one head (two products forward, five backward).
static const Setting settings[] = {
    {"gpu", {3584, 23810, 2778, 8'000'000'000, 8, true}, {32, 8, 128, 128, 2, 4}}, // 500 TFLOP/s, 42 and 360 GB/s
    {"cpu", {131765, 90909, 0, 15'000'000'000, 1, true}, {16, 16, 64, 64, 4, 4}},  // 6.8 TFLOP/s, 11 GB/s
    {"slow", {224, 40, 0, 0, 1, false}, {4, 2, 16, 16, 8, 8}},                     // in multiplications
    {"fast", {224, 1, 0, 0, 1, true}, {4, 2, 16, 16, 8, 8}},
};

static Problem makeProblem(const std::string &name, int64_t tokens, int32_t ranks, const Setting &setting) {
  Problem problem;
  problem.tokens = tokens;
  problem.ranks = ranks;
  problem.machine = setting.machine;
  problem.attentions.resize(1);
  Attention &attention = problem.attentions.front();
  attention.queries = tokens;
  attention.shape = setting.shape;
  bool isDocuments = name == "documents";
  attention.pieces = loadPieces(isDocuments ? "causal" : name);
  if (isDocuments) {
    attention.pieces[0].hasBoxes = true;
    attention.pieces[0].boxes = makeBoxes(tokens, {80, 20, 260, 6, 154, 200, 104, 120, 80});
  }
  return problem;
}

static std::string textOf(const std::vector<Mode> &modes, int32_t ranks) {
  std::string text;
  for (Mode mode : modes)
    text += mode.kind == Mode::Kind::Grid ? std::to_string(mode.rows) + "x" + std::to_string(ranks / mode.rows) + " "
            : mode.kind == Mode::Kind::Residues ? "res "
                                                : "heads ";
  return text;
}

static double milliseconds(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

static void printRow(const std::string &name, int64_t tokens, int32_t ranks, const Setting &setting, bool everyRank) {
  Problem problem = makeProblem(name, tokens, ranks, setting);
  Planner planner;
  std::string error;
  auto start = std::chrono::steady_clock::now();
  if (!planner.make(problem, error)) {
    std::printf("%s: %s\n", name.c_str(), error.c_str());
    return;
  }
  double planTime = milliseconds(start);
  start = std::chrono::steady_clock::now();
  planner.findRank(0, ranks / 3);
  double rankTime = milliseconds(start);
  const Plan &plan = planner.plan();
  const Price &price = plan.prices[0];
  const Shape &shape = setting.shape;
  double pairs = double(planner.countPairs(0));
  double ideal = pairs * double(shape.heads * setting.machine.pairTime) / ranks;
  RankCounts busiest;
  int64_t most = 0;
  for (int32_t r = 0; r < ranks; r += everyRank ? 1 : std::max(1, ranks / 5)) {
    RankCounts counts = planner.count(0, planner.findRank(0, r));
    most = std::max(most, counts.pairs);
    if (counts.bytesSent > busiest.bytesSent)
      busiest = counts;
  }
  double gather = double(tokens - tokens / ranks) * double(shape.keyHeads * (shape.keyOut() + shape.keyBack()));
  std::string placed = plan.placement.isDealt ? "dealt x" + std::to_string(plan.placement.chunksPerRank) : "in order";
  std::printf("%-17s %5d %-9s %-26.26s %7.4f %10.1f %10.1f %6.3f %7.3f %9.3f %9.3f %8.3f %6.1f %8.2f %8.2f\n",
              name.c_str(), ranks, placed.c_str(), textOf(plan.modes[0], ranks).c_str(),
              double(most) * ranks / (pairs * double(shape.heads)), double(busiest.bytesSent) / 1024, gather / 1024,
              double(busiest.bytesSent) / gather,
              double(busiest.bytesSent) / lowerBound(pairs, double(tokens), ranks, shape),
              double(price.compute) * 1e-12, double(price.wire) * 1e-12, double(price.messages) * 1e-12,
              100 * ideal / double(price.total), planTime, rankTime);
  std::fflush(stdout);
}

int main(int count, char **arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: plan-table TOKENS RANKS[,RANKS..] gpu|cpu|slow|fast [--every-rank] [NAME..]\n");
    return 2;
  }
  const Setting *setting = nullptr;
  for (const Setting &known : settings)
    if (std::strcmp(known.name, arguments[3]) == 0)
      setting = &known;
  bool everyRank = count > 4 && std::strcmp(arguments[4], "--every-rank") == 0;
  std::vector<std::string> names(arguments + (everyRank ? 5 : 4), arguments + count);
  int64_t tokens = std::atoll(arguments[1]);
  if (!setting)
    return 2;
  if (names.empty())
    names = smallNames();
  std::printf("%lld tokens, %s\n%-17s %5s %-9s %-26s %7s %10s %10s %6s %7s %9s %9s %8s %6s %8s %8s\n",
              (long long)tokens, setting->name, "pieces", "ranks", "placement", "modes", "balance", "KB sent",
              "gather KB", "ratio", "/bound", "compute", "wire", "messages", "ideal%", "plan ms", "rank ms");
  for (const std::string &name : names)
    for (char *at = arguments[2]; at; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr)
      printRow(name, tokens, std::atoi(at), *setting, everyRank);
  return 0;
}
