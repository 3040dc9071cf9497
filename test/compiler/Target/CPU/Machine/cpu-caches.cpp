//===- cpu-caches.cpp - Test of the sizes of CPUs' caches -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::xf::cpu;

namespace {
constexpr int64_t kib = 1 << 10, mib = 1 << 20;

/// Expects sizes that some processor has, each level larger than the one before.
void expectLevels(const CpuCaches &caches) {
  EXPECT_GE(caches.l1Bytes, 16 * kib);
  EXPECT_LT(caches.l1Bytes, caches.l2Bytes);
  EXPECT_LT(caches.l2Bytes, caches.lastCacheBytes);
  EXPECT_LE(caches.lastCacheBytes, 32 * mib);
}

void expectEqual(const CpuCaches &caches, const CpuCaches &expected) {
  EXPECT_EQ(caches.l1Bytes, expected.l1Bytes);
  EXPECT_EQ(caches.l2Bytes, expected.l2Bytes);
  EXPECT_EQ(caches.lastCacheBytes, expected.lastCacheBytes);
}

void expectCache(const ReportedCache &cache, const ReportedCache &expected) {
  EXPECT_EQ(cache.level, expected.level);
  EXPECT_EQ(cache.bytes, expected.bytes);
  EXPECT_EQ(cache.threads, expected.threads);
}

/// A folder like those of /sys/devices/system/cpu/cpu0/cache.
class CacheFolder {
public:
  CacheFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("caches", path)); }
  ~CacheFolder() { llvm::sys::fs::remove_directories(path); }

  void add(StringRef level, StringRef type, StringRef size, StringRef cpus) {
    SmallString<128> folder(path);
    llvm::sys::path::append(folder, "index" + Twine(count++));
    EXPECT_FALSE(llvm::sys::fs::create_directory(folder));
    for (auto [name, text] : {std::pair("level", level), {"type", type}, {"size", size}, {"shared_cpu_list", cpus}}) {
      SmallString<128> file(folder);
      llvm::sys::path::append(file, name);
      std::error_code error;
      llvm::raw_fd_ostream(file, error) << text << "\n";
      EXPECT_FALSE(error);
    }
  }

  SmallString<128> path;

private:
  unsigned count = 0;
};
} // namespace

TEST(CpuCaches, rowsAreCpusOfLLVM) {
  llvm::StringSet<> seen;
  for (StringRef cpu : namesOfCaches()) {
    SCOPED_TRACE(cpu.str());
    EXPECT_TRUE(seen.insert(cpu).second);
    EXPECT_TRUE(llvm::X86::parseArchX86(cpu) != llvm::X86::CK_None || llvm::AArch64::parseCpu(cpu));
    expectLevels(cachesOf(cpu));
  }
}

TEST(CpuCaches, unknownNames) {
  expectEqual(cachesOf("x86-64"), CpuCaches());
  expectEqual(cachesOf(""), CpuCaches());
}

TEST(CpuCaches, machinesOfName) {
  StringRef name = llvm::Triple(llvm::sys::getProcessTriple()).isX86() ? "znver4" : "neoverse-v1";
  FailureOr<CpuMachine> machine = CpuMachine::get(name);
  ASSERT_TRUE(succeeded(machine));
  expectEqual(*machine, cachesOf(name));
}

TEST(CpuCaches, native) {
  FailureOr<CpuMachine> machine = CpuMachine::get("native");
  ASSERT_TRUE(succeeded(machine));
  expectEqual(*machine, hostCaches(machine->cpu));
  expectLevels(*machine);
}

TEST(CountedCaches, asReported) {
  expectEqual(countedCaches({{1, 48 * kib, 2}, {2, 2 * mib, 2}, {3, 30 * mib, 32}}, {}), {48 * kib, 2 * mib, 30 * mib});
}

TEST(CountedCaches, secondLevelOfSeveralCores) {
  expectEqual(countedCaches({{1, 32 * kib, 1}, {2, 4 * mib, 4}, {3, 16 * mib, 16}}, {}), {32 * kib, mib, 16 * mib});
  // It is the last one.
  expectEqual(countedCaches({{1, 128 * kib, 1}, {2, 12 * mib, 6}}, {}), {128 * kib, 2 * mib, 12 * mib});
}

TEST(CountedCaches, missing) {
  CpuCaches known{64 * kib, mib, 16 * mib};
  expectEqual(countedCaches({}, known), known);
  expectEqual(countedCaches({{1, 32 * kib, 1}}, known), {32 * kib, mib, 16 * mib});
  expectEqual(countedCaches({{1, 32 * kib, 1}, {2, 512 * kib, 1}}, known), {32 * kib, 512 * kib, 16 * mib});
}

TEST(CountedCaches, outOfBounds) {
  CpuCaches known{64 * kib, mib, 16 * mib};
  // A last cache of many cores; a second level that is reported for each of 64 threads, but shared by all of them.
  expectEqual(countedCaches({{1, 32 * kib, 1}, {2, 2 * mib, 1}, {3, 320 * mib, 128}}, known),
              {32 * kib, 2 * mib, 32 * mib});
  expectEqual(countedCaches({{1, 32 * kib, 1}, {2, mib, 64}, {3, 32 * mib, 64}}, known), {32 * kib, mib, 32 * mib});
  expectEqual(countedCaches({{1, 1, 0}, {2, 1, 0}, {3, 1, 0}}, known), known);
  expectEqual(countedCaches({{1, mib, 1}, {2, 256 * mib, 1}, {3, 256 * mib, 1}}, known),
              {128 * kib, 2 * mib, 32 * mib});
}

TEST(CacheFolder, levels) {
  CacheFolder folder;
  folder.add("1", "Data", "64K", "0-1,8");
  folder.add("1", "Instruction", "32K", "0-1,8");
  folder.add("2", "Unified", "1024K", "0,8");
  folder.add("3", "Unified", "32M", "0-15");
  SmallVector<ReportedCache> caches = readCacheFolder(folder.path);
  ASSERT_EQ(caches.size(), 3u);
  expectCache(caches[0], {1, 64 * kib, 3});
  expectCache(caches[1], {2, mib, 2});
  expectCache(caches[2], {3, 32 * mib, 16});
}

TEST(CacheFolder, otherTexts) {
  CacheFolder folder;
  folder.add("1", "Data", "much", "none");
  SmallVector<ReportedCache> caches = readCacheFolder(folder.path);
  ASSERT_EQ(caches.size(), 1u);
  expectCache(caches[0], {1, 0, 1});
  EXPECT_TRUE(readCacheFolder("/no/such/folder").empty());
}
