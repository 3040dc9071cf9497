//===- Affinity.cpp - The CPUs of threads ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinity.h"

using namespace xfrt;

/// Reads a number below CPU_SETSIZE at `text`, and moves `text` behind it. Returns -1 if there is no such number.
static int32_t readCpu(const char *&text) {
  if (*text < '0' || *text > '9')
    return -1;
  int32_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    number = number * 10 + (*text - '0');
    if (number >= CPU_SETSIZE)
      return -1;
  }
  return number;
}

/// Reads an interval, such as 8 or 0-3, and the comma behind it if there is one. Moves `text` behind them. Returns
/// false if there is no interval.
static bool readInterval(const char *&text, int32_t &first, int32_t &last) {
  first = last = readCpu(text);
  if (first >= 0 && *text == '-')
    last = readCpu(++text);
  if (first < 0 || last < first || (*text != ',' && *text != '\0'))
    return false;
  return *text == '\0' || *++text != '\0'; // a comma has an interval behind it
}

cpu_set_t cpu::usableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    CPU_ZERO(&set);
  return set;
}

int32_t cpu::countCpus(const char *list) {
  cpu_set_t usable = usableCpus();
  int32_t count = 0, first, last;
  do {
    if (!readInterval(list, first, last))
      return 0;
    for (int32_t cpu = first; cpu <= last; ++cpu, ++count)
      if (!CPU_ISSET(cpu, &usable))
        return 0;
  } while (*list != '\0' && count < CPU_SETSIZE);
  return count;
}

int32_t cpu::cpuOfList(const char *list, int32_t number) {
  int32_t first = 0, last = 0;
  while (readInterval(list, first, last) && number > last - first)
    number -= last - first + 1;
  return first + number;
}

void cpu::leaveCpus(const cpu_set_t &avoided) {
  cpu_set_t usable = usableCpus(), others, kept;
  CPU_AND(&kept, &usable, &avoided);
  CPU_XOR(&others, &usable, &kept);
  if (CPU_COUNT(&kept) == 0 || CPU_COUNT(&others) == 0)
    return;
  if (sched_setaffinity(0, sizeof(others), &others) == 0)
    sched_setaffinity(0, sizeof(usable), &usable);
}
