//===- Machine.h - Runs kernels of PTX on the CPU ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch runs CTA by CTA. Within a CTA warps take turns as the seed has it, and asynchronous operations (cp.async,
// bulk copies, wgmma) finish as the schedule has it; a correct kernel writes the same bytes whatever they are.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_MACHINE_H
#define XF_TEST_PTX_MACHINE_H

#include "test/ptx/Memory.h"
#include "test/ptx/Module.h"
#include "test/ptx/Report.h"

#include <map>
#include <vector>

namespace xf::ptx {

/// When asynchronous operations happen: as late as waits allow, at once, or at random in between.
enum class Schedule { Lazy, Eager, Random };

struct Launch {
  const Module *module = nullptr;
  std::string kernel;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t sharedBytes = 0; // dynamic
  std::vector<uint8_t> parameters;
};

struct Options {
  uint64_t seed = 1;
  Schedule schedule = Schedule::Lazy;
  size_t maxReports = 20;                       // the run ends at the last
  uint64_t maxInstructions = uint64_t(1) << 40; // of warps
  uint32_t maxSharedBytes = 227 * 1024;         // static and dynamic, of a CTA
  bool checkRaces = true;
  uint64_t cacheBytes = 0; // of a second-level cache whose misses are counted; 0: none
};

struct Statistics {
  uint64_t warpInstructions = 0;
  uint64_t readBytes = 0, writtenBytes = 0; // of global memory; what all lanes load from one address counts once
  uint64_t missedBytes = 0;                 // of lines that reads bring to a cache of Options::cacheBytes
  std::map<std::string, uint64_t> opcodes; // of the kernel, with modifiers: how often a warp executed each, 0 for never
};

/// Runs a launch to its end, or until it cannot go on. Empty when nothing is wrong with it; a report of a line appears
/// once. `statistics` may be null; it is added to.
std::vector<Report> run(const Launch &launch, Memory &memory, const Options &options = {},
                        Statistics *statistics = nullptr);

/// Where a variable of a module lies in `memory`, which it is loaded into at its first use; 0 when there is none.
uint64_t variableAddress(const Module &module, const std::string &name, Memory &memory);

/// Frees the variables of a module. To be called before a module is destroyed that ran on `memory`.
void unload(const Module &module, Memory &memory);

} // namespace xf::ptx

#endif // XF_TEST_PTX_MACHINE_H
