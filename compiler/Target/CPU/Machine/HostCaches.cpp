//===- HostCaches.cpp - Caches of the processor that runs this ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the caches of the processor that this process runs on. x86 processors describe their caches themselves;
// elsewhere, the operating system does. Virtual machines may report no caches, or a second level that all of their
// processors share. So a size that is missing or too small is replaced by the table's, and a size that is too large is
// limited.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/CpuCaches.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <optional>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

namespace {
/// The sizes of a cache that are plausible. A smaller reported size is replaced by the known one. A larger one counts
/// as `most`.
struct Limits {
  int64_t least, most;

  int64_t apply(int64_t reported, int64_t known) const { return reported < least ? known : std::min(reported, most); }
};
} // namespace

static constexpr Limits l1Limits{16 << 10, 128 << 10};
static constexpr Limits l2Limits{256 << 10, 2 << 20};
/// The plausible sizes of a last-level cache. Programs on other cores use this cache too, and nothing reports how much
/// of it.
static constexpr Limits lastLimits{4 << 20, 32 << 20};

CpuCaches cpu::countedCaches(ArrayRef<ReportedCache> reported, const CpuCaches &known) {
  ReportedCache l1{1, 0, 1}, l2{2, 0, 1}, last{0, 0, 1};
  for (const ReportedCache &cache : reported) {
    if (cache.level <= 2)
      (cache.level == 1 ? l1 : l2) = cache;
    if (cache.level >= 2 && cache.level > last.level)
      last = cache;
  }
  int64_t cores = std::max<int64_t>(1, l2.threads / std::max<int64_t>(1, l1.threads)); // that share the second level
  CpuCaches caches;
  caches.l1Bytes = l1Limits.apply(l1.bytes, known.l1Bytes);
  caches.l2Bytes = std::max(caches.l1Bytes, l2Limits.apply(l2.bytes / cores, known.l2Bytes));
  caches.lastCacheBytes = std::max(caches.l2Bytes, lastLimits.apply(last.bytes, known.lastCacheBytes));
  return caches;
}

//===----------------------------------------------------------------------===//
// Linux
//===----------------------------------------------------------------------===//

static std::optional<std::string> readLine(StringRef folder, StringRef name) {
  SmallString<64> path(folder);
  llvm::sys::path::append(path, name);
  auto file = llvm::MemoryBuffer::getFileAsStream(path); // files there have no size
  return file ? std::optional((*file)->getBuffer().trim().str()) : std::nullopt;
}

/// Parses a number of bytes such as "48K". Returns 0 for a text of another form.
static int64_t parseBytes(StringRef text) {
  int shift = text.consume_back("K") ? 10 : text.consume_back("M") ? 20 : 0;
  int64_t number;
  return text.getAsInteger(10, number) || number < 0 || number > (int64_t(1) << 40) ? 0 : number << shift;
}

/// Returns the number of CPUs in a list such as "0-3,8", or 1 if the list has another form.
static int64_t countCpus(StringRef list) {
  int64_t count = 0;
  for (StringRef part : llvm::split(list, ',')) {
    auto [first, last] = part.split('-');
    int64_t from, to;
    if (first.getAsInteger(10, from) || (last.empty() ? first : last).getAsInteger(10, to) || to < from)
      return 1;
    count += to - from + 1;
  }
  return count;
}

SmallVector<ReportedCache> cpu::readCacheFolder(StringRef folder) {
  SmallVector<ReportedCache> caches;
  for (int64_t index = 0;; ++index) {
    SmallString<64> path(folder);
    llvm::sys::path::append(path, "index" + llvm::Twine(index));
    std::optional<std::string> level = readLine(path, "level"), type = readLine(path, "type");
    int64_t number;
    if (!level || !type || StringRef(*level).getAsInteger(10, number))
      return caches;
    if (*type != "Instruction")
      caches.push_back({number, parseBytes(readLine(path, "size").value_or("")),
                        countCpus(readLine(path, "shared_cpu_list").value_or(""))});
  }
}

//===----------------------------------------------------------------------===//
// This processor
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
/// Reads the leaf of CPUID that describes caches. AMD's leaf has the form of Intel's.
static SmallVector<ReportedCache> readCaches() {
  constexpr unsigned ofIntel = 4, ofAmd = 0x8000001d, amdFeatures = 0x80000001, hasLeafOfAmd = 1 << 22;
  enum Type : unsigned { None, Data, Instruction, Unified };
  unsigned eax, ebx, ecx, edx;
  bool isAmd = __get_cpuid(amdFeatures, &eax, &ebx, &ecx, &edx) && (ecx & hasLeafOfAmd);
  SmallVector<ReportedCache> caches;
  for (unsigned index = 0; __get_cpuid_count(isAmd ? ofAmd : ofIntel, index, &eax, &ebx, &ecx, &edx); ++index) {
    auto bits = [](unsigned word, unsigned from, unsigned count) -> int64_t {
      return (word >> from) & ((1u << count) - 1);
    };
    unsigned type = bits(eax, 0, 5);
    if (type == None || index == 16)
      break;
    int64_t line = bits(ebx, 0, 12) + 1, parts = bits(ebx, 12, 10) + 1, ways = bits(ebx, 22, 10) + 1;
    int64_t sets = int64_t(ecx) + 1;
    if (type != Instruction)
      caches.push_back({bits(eax, 5, 3), line * parts * ways * sets, bits(eax, 14, 12) + 1});
  }
  return caches;
}
#elif defined(__APPLE__)
static int64_t readNumber(const char *name) {
  int64_t value = 0;
  size_t size = sizeof(value);
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 ? value : 0;
}

/// Reads the caches of the performance cores.
static SmallVector<ReportedCache> readCaches() {
  return {{1, readNumber("hw.perflevel0.l1dcachesize"), 1},
          {2, readNumber("hw.perflevel0.l2cachesize"), std::max<int64_t>(1, readNumber("hw.perflevel0.cpusperl2"))}};
}
#else
static SmallVector<ReportedCache> readCaches() { return {}; }
#endif

CpuCaches cpu::hostCaches(StringRef cpu) {
  SmallVector<ReportedCache> reported = readCaches();
  if (reported.empty())
    reported = readCacheFolder("/sys/devices/system/cpu/cpu0/cache");
  return countedCaches(reported, cachesOf(cpu));
}
