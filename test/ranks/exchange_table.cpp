//===- exchange_table.cpp - How long ranks look for their messages --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ranks-exchange-table [TOKENS [RANKS]]
//
// Prints, for each pattern of test/plan and for segments of several lengths, the milliseconds that the slowest of four
// ranks takes to find what it sends and receives at a new length, and once more with what it knows.
//
//===----------------------------------------------------------------------===//

#include "lib/ranks/ExchangeRuns.h"
#include "test/plan/PairTable.h"

#include <cstdio>
#include <cstdlib>
#include <time.h>

using namespace xfrt;

/// Of this thread, whatever else runs.
static double milliseconds(auto body) {
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
  };
  const double start = now();
  body();
  return now() - start;
}

static void print(const char *name, const std::vector<plan::Piece> &pieces, int64_t tokens, int32_t ranks,
                  const CallSegments &segments) {
  const std::vector<int64_t> numbers = plan::writeNumbers(pieces);
  double most = 0, again = 0;
  int64_t received = 0;
  for (const int32_t own : {0, ranks / 3, ranks / 2, ranks - 1}) {
    ExchangeRuns exchange;
    auto find = [&] {
      if (!exchange.find(numbers.data(), tokens / ranks, tokens / ranks, ranks, own, segments))
        std::abort();
    };
    most = std::max(most, milliseconds(find));
    again = std::max(again, milliseconds(find));
    int64_t keys = 0;
    for (int32_t other = 0; other < ranks; ++other)
      keys += exchange.receivedFrom(other).keys;
    received = std::max(received, keys);
  }
  std::printf("%-20s %8.2f ms, known %6.3f ms, %lld keys received\n", name, most, again,
              static_cast<long long>(received));
}

int main(int argc, char **argv) {
  const int64_t tokens = argc > 1 ? std::atoll(argv[1]) : int64_t(1) << 20;
  const int32_t ranks = argc > 2 ? std::atoi(argv[2]) : 1024;
  std::printf("%lld tokens on %d ranks\n", static_cast<long long>(tokens), ranks);
  for (const std::string &name : plan::largeNames())
    print(name.c_str(), plan::loadPieces(name), tokens, ranks, {});
  for (const int64_t length : {int64_t(1), int64_t(512), int64_t(1) << 13, tokens}) {
    std::vector<int32_t> segments;
    for (int64_t n = 0; n < tokens; ++n)
      segments.push_back(int32_t(n / length));
    const std::string name = "segments of " + std::to_string(length);
    print(name.c_str(), plan::loadPieces("causal"), tokens, ranks, {segments.data(), segments.data()});
  }
  std::vector<int32_t> unsorted;
  for (int64_t n = 0; n < tokens; ++n)
    unsorted.push_back(int32_t(n * 7919 % 1021));
  print("segments, unsorted", plan::loadPieces("causal"), tokens, ranks, {unsorted.data(), unsorted.data()});
}
