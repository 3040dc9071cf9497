//===- perf_map.cpp - Names of code in memory, for perf -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: env XF_PERF_MAP=1 frontend-perf-map | FileCheck %s
// RUN: env XF_PERF_MAP= frontend-perf-map | FileCheck %s --check-prefix=NONE

#include <xf/xf.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace xf;

/// Returns whether the process has executable memory at [begin, end).
static bool isCode(unsigned long begin, unsigned long end) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long first, last;
    char permissions[8];
    if (std::sscanf(line.c_str(), "%lx-%lx %7s", &first, &last, permissions) == 3 && begin >= first && end <= last)
      return permissions[2] == 'x';
  }
  return false;
}

int main() {
  Program program("two");
  TensorSpec x{"x", f32, {1, 1, 16, 8}};
  program.entry("causally", {x}, [](Tensor x) { return scaled_dot_product_attention(x, x, x, {.pattern = causal()}); });
  Executable first = program.compile();
  Program other("other");
  other.entry("normed", {x}, [](Tensor x) { return softmax(x); });
  Executable second = other.compile();

  // Kernels of both programs, each a line, and nothing that is no code.
  // CHECK-DAG: attend_causally_causal_prefix: code
  // CHECK-DAG: softmax_normed: code
  // CHECK-NOT: : data
  // NONE: no map
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::ifstream map(path);
  if (!map)
    std::puts("no map");
  unsigned long start, size;
  for (std::string name; map >> std::hex >> start >> size >> name;)
    std::printf("%s: %s\n", name.c_str(), isCode(start, start + size) ? "code" : "data");
  unlink(path.c_str());
}
