//===- Affinity.h - The CPUs of threads -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variable XFRT_AFFINITY of the environment is a list of CPUs, as in 0-3,8. Worker n of a handle runs on number n
// of them alone, from the start again behind the last one. Worker 0 is the caller, whose CPUs are its own matter.
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
/// Returns CPU number `number` of a list with at least as many CPUs.
int32_t cpuOfList(const char *list, int32_t number);

/// Returns the CPUs that the calling thread may use, or an empty set if the system does not tell.
cpu_set_t usableCpus();

/// Moves the calling thread away from the CPUs in `avoided`, if it may use another one. Does not change the set of CPUs
/// that it may use.
void leaveCpus(const cpu_set_t &avoided);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_AFFINITY_H
