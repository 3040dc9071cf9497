//===- Quota.h - How much of the CPUs a container may use -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds how many CPUs a control group may use at once. A container may see all CPUs of its host but get the time of
// only a few: `docker --cpus=2` sets a quota of its control group. If a program runs more threads than the quota
// allows, they only wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_QUOTA_H
#define XFRT_LIB_CPU_QUOTA_H

#include <cstdint>

namespace xfrt::cpu {

/// Returns the number of CPUs that the quotas of this process's control groups allow, rounded up. Reads version 1 and
/// 2, and the groups that contain the process's groups. Returns INT32_MAX if no group has a quota. `root` is a prefix
/// of all file names.
int32_t cpusOfQuota(const char *root = "");

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_QUOTA_H
