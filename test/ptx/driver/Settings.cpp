//===- Settings.cpp - What the environment says ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/Settings.h"

#include <sstream>
#include <stdio.h>
#include <stdlib.h>

using namespace xf::sim;

bool xf::sim::isSticky(Result result) {
  return result == 214 || result == 700 || result == 702 || result == 709 || result == 710 ||
         (result >= 714 && result <= 719) || result == 999;
}

/// CUDA's programming guide, Technical Specifications per Compute Capability; A100, A40, Orin, L40, H100,
/// B200, RTX 5090.
static constexpr int kib = 1024;
static constexpr Limits knownLimits[] = {{75, 64 * kib, 64 * kib, 40},     {80, 163 * kib, 164 * kib, 108},
                                         {86, 99 * kib, 100 * kib, 84},    {87, 163 * kib, 164 * kib, 16},
                                         {89, 99 * kib, 100 * kib, 142},   {90, 227 * kib, 228 * kib, 132},
                                         {100, 227 * kib, 228 * kib, 148}, {120, 99 * kib, 100 * kib, 170}};

Limits Settings::limits() const {
  Limits found = knownLimits[0];
  for (const Limits &known : knownLimits)
    if (known.capability <= capability)
      found = known;
  if (processors > 0)
    found.processors = processors;
  return found;
}

static std::string text(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

static long long number(const char *name, long long otherwise) {
  const char *value = getenv(name);
  return value && *value ? strtoll(value, nullptr, 0) : otherwise;
}

/// A mistake in a test's settings must not pass for a driver that works.
[[noreturn]] static void refuse(const char *name, const std::string &value) {
  fprintf(stderr, "simulated driver: %s: cannot read '%s'\n", name, value.c_str());
  abort();
}

static std::vector<Failure> parseFailures(const std::string &list) {
  std::vector<Failure> failures;
  std::istringstream elements(list);
  for (std::string element; std::getline(elements, element, ',');) {
    size_t first = element.find(':'), second = element.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      refuse("XF_SIM_FAIL", element);
    std::string call = element.substr(first + 1, second - first - 1);
    failures.push_back(
        {element.substr(0, first), call == "*" ? 0 : atoi(call.c_str()), atoi(element.c_str() + second + 1)});
    if (failures.back().result == 0)
      refuse("XF_SIM_FAIL", element);
  }
  return failures;
}

static xf::ptx::Schedule parseSchedule(const std::string &name) {
  if (name == "lazy")
    return xf::ptx::Schedule::Lazy;
  if (name == "eager")
    return xf::ptx::Schedule::Eager;
  if (name == "random")
    return xf::ptx::Schedule::Random;
  refuse("XF_SIM_SCHEDULE", name);
}

Settings Settings::fromEnvironment() {
  Settings settings;
  settings.devices = int(number("XF_SIM_DEVICES", settings.devices));
  settings.capability = int(strtod(text("XF_SIM_CAPABILITY", "9.0").c_str(), nullptr) * 10 + 0.5);
  settings.driver = int(number("XF_SIM_DRIVER", settings.driver));
  settings.processors = int(number("XF_SIM_PROCESSORS", settings.processors));
  settings.memory = uint64_t(number("XF_SIM_MEMORY", (long long)settings.memory));
  settings.pools = number("XF_SIM_POOLS", 1);
  settings.leaks = number("XF_SIM_LEAKS", 0);
  settings.statistics = number("XF_SIM_STATISTICS", 0);
  settings.failures = parseFailures(text("XF_SIM_FAIL", ""));
  settings.ptx = text("XF_SIM_PTX", "");
  settings.machine.schedule = parseSchedule(text("XF_SIM_SCHEDULE", "lazy"));
  settings.machine.seed = uint64_t(number("XF_SIM_SEED", 1));
  settings.machine.cacheBytes = uint64_t(number("XF_SIM_CACHE", 0));
  settings.machine.maxSharedBytes = uint32_t(settings.limits().sharedBytes);
  return settings;
}
