//===- Meter.cpp - How far a program is -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meter.h"

#include <cstdio>
#include <unistd.h>

using namespace xf::programs;

Meter::Meter(std::string things, int64_t total)
    : things(std::move(things)), total(total), isTerminal(isatty(fileno(stderr))), start(Clock::now()), shown(start) {}

Meter::~Meter() {
  if (done == 0)
    return;
  print(Clock::now());
  if (isTerminal)
    std::fputs("\n", stderr);
}

void Meter::update(int64_t count) {
  done = count;
  Clock::time_point now = Clock::now();
  std::chrono::duration<double> quiet = now - shown;
  if (quiet.count() >= (isTerminal ? 0.2 : 5.0))
    print(now);
}

void Meter::print(Clock::time_point now) {
  shown = now;
  std::chrono::duration<double> elapsed = now - start;
  double rate = elapsed.count() > 0 ? static_cast<double>(done) / elapsed.count() : 0;
  std::fprintf(stderr, isTerminal ? "\r\033[K%lld/%lld %s, %.1f a second" : "%lld/%lld %s, %.1f a second\n",
               static_cast<long long>(done), static_cast<long long>(total), things.c_str(), rate);
  std::fflush(stderr);
}
