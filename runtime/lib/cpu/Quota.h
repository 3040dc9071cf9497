//===- Quota.h - How much of the CPUs a container may use -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A container may see all CPUs of its host and still get the time of a few: `docker --cpus=2` is a quota of a control
// group. Threads beyond it only wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_QUOTA_H
#define XFRT_LIB_CPU_QUOTA_H

#include <cstdint>

namespace xfrt::cpu {

/// Returns how many CPUs the quotas of this process's control groups, of version 1 or 2, and of the groups around them
/// allow, rounded up; INT32_MAX where none has a quota. `root` is put in front of all names of files.
int32_t cpusOfQuota(const char *root = "");

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_QUOTA_H
