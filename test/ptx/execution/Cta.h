//===- Cta.h - One CTA and what its warps share -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_CTA_H
#define XF_TEST_PTX_EXECUTION_CTA_H

#include "test/ptx/Machine.h"
#include "test/ptx/TensorMap.h"
#include "test/ptx/execution/SecondLevelCache.h"
#include "test/ptx/execution/Warp.h"

#include <map>
#include <random>

namespace xf::ptx {

/// Where .shared begins: the first KiB is the system's, as on sm_90.
inline constexpr uint32_t sharedBase = 1024;

/// A launch while it runs.
struct Run {
  const Launch &launch;
  const Code &code;
  const Kernel &kernel;
  const Function &function;
  Memory &memory;
  const Options &options;
  std::vector<Report> reports;
  std::mt19937_64 random;
  std::vector<uint64_t> counts; // of instructions that warps executed
  uint64_t instructions = 0;
  uint64_t readBytes = 0, writtenBytes = 0; // of global memory
  SecondLevelCache cache;
  bool stopped = false;
  std::vector<uint64_t> variables;       // addresses of the module's
  std::vector<uint32_t> sharedVariables; // addresses of those that the kernel uses
  uint32_t dynamicShared = 0;            // address
  uint32_t sharedEnd = 0;                // address
  std::unique_ptr<Shadow> sharedShadow;

  Run(const Launch &launch, const Code &code, const Kernel &kernel, const Function &function, Memory &memory,
      const Options &options)
      : launch(launch), code(code), kernel(kernel), function(function), memory(memory), options(options),
        random(options.seed), counts(code.instructions.size()), cache(options.cacheBytes) {}

  /// Counts an access to global memory.
  void countGlobal(uint64_t address, uint64_t bytes, bool writes) {
    (writes ? writtenBytes : readBytes) += bytes;
    if (options.cacheBytes)
      writes ? cache.write(address, bytes) : cache.read(address, bytes);
  }
};

/// The end of the static shared variables that a kernel uses, and the addresses of all of the module's.
uint32_t layOutShared(const Code &code, uint32_t function, std::vector<uint32_t> *addresses = nullptr);

/// bar.sync and its relatives, 16 of a CTA.
struct Barrier {
  /// A generation that is complete, until all that wait have seen it.
  struct Finished {
    Knowledge known;
    uint32_t waiters = 0;
    uint32_t trueCount = 0, threadCount = 0; // of bar.red
  };
  uint32_t expected = 0; // threads; 0 while nobody has arrived
  uint32_t arrived = 0;
  uint64_t generation = 0;
  uint32_t waiters = 0; // warps
  uint32_t trueCount = 0, threadCount = 0;
  uint32_t lastLine = 0;
  Knowledge gathered;
  std::map<uint64_t, Finished> finished; // by generation
};

/// An mbarrier object, at its shared address.
struct Mbarrier {
  uint32_t expected = 0;
  uint32_t pending = 0;
  int64_t bytes = 0; // that are to come
  uint64_t phase = 0;
  uint32_t stream = 0; // its agent
  uint32_t streamClock = 0;
  bool isFenced = false;    // its initialisation is visible to the async proxy
  uint32_t initialiser = 0; // the warp
  uint64_t idlePolls = 0;
  uint32_t lastLine = 0;
  Knowledge gathered, finished;
};

/// A bulk copy that is under way.
struct BulkCopy {
  enum Kind { TileToShared, BytesToShared, TileToGlobal, BytesToGlobal };
  Kind kind = BytesToShared;
  const Instruction *instruction = nullptr;
  uint32_t warp = 0, lane = 0;
  uint64_t shared = 0; // offset in .shared
  uint64_t global = 0; // address, of copies without a map
  uint32_t bytes = 0;
  TensorMap map;
  int64_t coordinates[5] = {};
  uint32_t mbarrier = 0; // address, of copies to shared memory
  uint32_t group = 0;    // of copies from it
  bool performed = false;
  bool finished = false; // and may be forgotten
  bool released = false; // the source may be overwritten: waited for with .read
  uint32_t issued = 0, warpSync = 0;
  std::shared_ptr<const Knowledge> known;
};

struct Cta {
  Run &run;
  uint32_t number = 0; // in the grid
  uint32_t index[3] = {};
  uint32_t threads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<uint8_t> shared;        // from sharedBase on
  std::vector<uint8_t> sharedWritten; // a byte per byte
  Barrier barriers[16];
  std::map<uint32_t, Mbarrier> mbarriers;
  uint32_t streams = 0;
  std::vector<BulkCopy> copies;
  uint32_t freeRegisters = 0;                                          // that setmaxnreg may hand out
  std::vector<std::vector<std::pair<uint32_t, uint64_t>>> collectives; // of each warpgroup: instruction and operands

  explicit Cta(Run &run);
  void start(uint32_t number);
  /// Until all warps have exited, or none can go on.
  void execute();
  void report(ReportKind kind, uint32_t line, const std::string &text);

private:
  void startWarp(Warp &warp);
  bool takeTurns();
  bool performSomething();
  void checkWarpgroup(const Warp &warp);
  void reportDeadlock();
};

/// Executes instructions of `warp`, at most `budget`; the number of those that were done.
uint32_t runWarp(Warp &warp, uint32_t budget);

/// The mbarrier at a shared address; null and a report where there is none.
Mbarrier *findMbarrier(Cta &cta, uint32_t warp, const Instruction &instruction, uint64_t address);
/// A phase ends when all have arrived and all bytes are there.
void finishPhase(Mbarrier &barrier);

/// Asynchronous operations, in the files of their instructions. True when there was one to perform.
bool performSomeCopy(Cta &cta);
bool performSomeLaneCopy(Warp &warp);
bool performSomeProduct(Warp &warp);
/// At the end of a CTA.
void finishCopies(Cta &cta);
void finishLaneCopies(Warp &warp);

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_CTA_H
