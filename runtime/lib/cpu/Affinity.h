//===- Affinity.h - The CPUs of threads -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the environment variable XFRT_AFFINITY, a list of CPUs such as 0-3,8. Worker n > 0 of a handle runs only on CPU
// number n of the list, modulo the length of the list. Worker 0 is the calling thread, whose CPUs do not change.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_AFFINITY_H
#define XFRT_LIB_CPU_AFFINITY_H

#include <cstdint>
#include <sched.h>

namespace xfrt::cpu {

/// Returns the number of CPUs in `list`, a text such as 0-3,8. Returns 0 for any other text, and if this thread may not
/// use one of the CPUs.
int32_t countCpus(const char *list);
/// Returns CPU number `number` of `list`, counted from 0. The list must have more than `number` CPUs.
int32_t cpuOfList(const char *list, int32_t number);

/// Returns the CPUs that the calling thread may use, or an empty set if the system does not tell.
cpu_set_t usableCpus();

/// Moves the calling thread away from the CPUs in `avoided`, if it may use another one. Does not change the set of CPUs
/// that it may use.
void leaveCpus(const cpu_set_t &avoided);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_AFFINITY_H
