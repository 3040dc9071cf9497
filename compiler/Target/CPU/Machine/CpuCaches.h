//===- CpuCaches.h - Sizes of a CPU's caches --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of caches by which tiles are chosen: what one core may count on. If several cores share a second-level
// cache, a core counts on its part. Of the last-level cache, which other programs use too, it counts on at most 32 MiB.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_CPUCACHES_H
#define XF_COMPILER_TARGET_CPU_MACHINE_CPUCACHES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::xf::cpu {

/// The bytes of data that one core may count on in each cache. The defaults are for CPUs of which nothing is known.
struct CpuCaches {
  int64_t l1Bytes = 32 << 10, l2Bytes = 512 << 10, lastCacheBytes = 32 << 20;
};

/// A cache for data as a machine describes it: its level (1, 2, ..), its size, and the hardware threads that share it.
struct ReportedCache {
  int64_t level, bytes, threads;
};

/// Returns the caches of the CPU with LLVM's name `cpu`. Returns the defaults if the table has no row for this name.
CpuCaches cachesOf(StringRef cpu);

/// Returns the caches of the processor that this function runs on. LLVM's name of the processor is `cpu`. A size that
/// the processor does not report, or reports as less than any processor has, is taken from the table.
CpuCaches hostCaches(StringRef cpu);

/// Returns the bytes that one core may count on in the `reported` caches. A size that is missing or too small is taken
/// from `known`. A size that is too large is limited.
CpuCaches countedCaches(ArrayRef<ReportedCache> reported, const CpuCaches &known);

/// Returns the caches that `folder` describes, in Linux's format of /sys/devices/system/cpu/cpu0/cache. Returns an
/// empty list if there is no such folder.
SmallVector<ReportedCache> readCacheFolder(StringRef folder);

/// Returns the names in the table of cachesOf().
SmallVector<StringRef> namesOfCaches();

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_CPUCACHES_H
