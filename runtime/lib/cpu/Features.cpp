//===- Features.cpp - Detection of CPU features ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the features of this processor. An object lists the features that its kernels use, by LLVM's names. If the
// processor lacks one, functions return a status instead of executing an illegal instruction. A feature with wide
// registers counts as present only if the operating system saves these registers (XCR0). For the tiles of AMX, 8 KB for
// each thread, Linux does so only after the process has asked for it. Then a feature with tiles counts as present.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <atomic>
#include <stdio.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cpu;

#if defined(__x86_64__)

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
enum Register { EAX, EBX, ECX, EDX };

/// Register states that instructions of a feature use, as the bits of XCR0 that the operating system must have set.
enum State : uint32_t { None = 0, Ymm = 0x06, Zmm = 0xe6, Tiles = 0x60000 };

struct Feature {
  const char *name;
  uint32_t leaf, subleaf;
  Register word;
  int bit;
  State state;
};
} // namespace

static const Feature knownFeatures[] = {
    {"cx8", 1, 0, EDX, 8, None},
    {"cmov", 1, 0, EDX, 15, None},
    {"mmx", 1, 0, EDX, 23, None},
    {"fxsr", 1, 0, EDX, 24, None},
    {"sse", 1, 0, EDX, 25, None},
    {"sse2", 1, 0, EDX, 26, None},
    {"x87", 1, 0, EDX, 0, None},
    {"sse3", 1, 0, ECX, 0, None},
    {"pclmul", 1, 0, ECX, 1, None},
    {"ssse3", 1, 0, ECX, 9, None},
    {"fma", 1, 0, ECX, 12, Ymm},
    {"cx16", 1, 0, ECX, 13, None},
    {"sse4.1", 1, 0, ECX, 19, None},
    {"sse4.2", 1, 0, ECX, 20, None},
    {"crc32", 1, 0, ECX, 20, None},
    {"movbe", 1, 0, ECX, 22, None},
    {"popcnt", 1, 0, ECX, 23, None},
    {"aes", 1, 0, ECX, 25, None},
    {"xsave", 1, 0, ECX, 26, None},
    {"avx", 1, 0, ECX, 28, Ymm},
    {"f16c", 1, 0, ECX, 29, Ymm},
    {"rdrnd", 1, 0, ECX, 30, None},
    {"fsgsbase", 7, 0, EBX, 0, None},
    {"bmi", 7, 0, EBX, 3, None},
    {"avx2", 7, 0, EBX, 5, Ymm},
    {"bmi2", 7, 0, EBX, 8, None},
    {"avx512f", 7, 0, EBX, 16, Zmm},
    {"avx512dq", 7, 0, EBX, 17, Zmm},
    {"rdseed", 7, 0, EBX, 18, None},
    {"adx", 7, 0, EBX, 19, None},
    {"avx512ifma", 7, 0, EBX, 21, Zmm},
    {"clflushopt", 7, 0, EBX, 23, None},
    {"clwb", 7, 0, EBX, 24, None},
    {"avx512cd", 7, 0, EBX, 28, Zmm},
    {"sha", 7, 0, EBX, 29, None},
    {"avx512bw", 7, 0, EBX, 30, Zmm},
    {"avx512vl", 7, 0, EBX, 31, Zmm},
    {"avx512vbmi", 7, 0, ECX, 1, Zmm},
    {"avx512vbmi2", 7, 0, ECX, 6, Zmm},
    {"gfni", 7, 0, ECX, 8, None},
    {"vaes", 7, 0, ECX, 9, Ymm},
    {"vpclmulqdq", 7, 0, ECX, 10, Ymm},
    {"avx512vnni", 7, 0, ECX, 11, Zmm},
    {"avx512bitalg", 7, 0, ECX, 12, Zmm},
    {"avx512vpopcntdq", 7, 0, ECX, 14, Zmm},
    {"rdpid", 7, 0, ECX, 22, None},
    {"avx512vp2intersect", 7, 0, EDX, 8, Zmm},
    {"amx-bf16", 7, 0, EDX, 22, Tiles},
    {"avx512fp16", 7, 0, EDX, 23, Zmm},
    {"amx-tile", 7, 0, EDX, 24, Tiles},
    {"amx-int8", 7, 0, EDX, 25, Tiles},
    {"avxvnni", 7, 1, EAX, 4, Ymm},
    {"avx512bf16", 7, 1, EAX, 5, Zmm},
    {"amx-fp16", 7, 1, EAX, 21, Tiles},
    {"avxifma", 7, 1, EAX, 23, Ymm},
    {"avxvnniint8", 7, 1, EDX, 4, Ymm},
    {"avxneconvert", 7, 1, EDX, 5, Ymm},
    {"avxvnniint16", 7, 1, EDX, 10, Ymm},
    {"sahf", 0x80000001, 0, ECX, 0, None},
    {"lzcnt", 0x80000001, 0, ECX, 5, None},
    {"sse4a", 0x80000001, 0, ECX, 6, None},
    {"prfchw", 0x80000001, 0, ECX, 8, None},
    {"64bit", 0x80000001, 0, EDX, 29, None},
};

/// Returns the register states that the operating system saves, as the bits of XCR0. Returns 0 where the processor has
/// no XSAVE.
static uint32_t savedStates() {
  uint32_t eax, ebx, ecx, edx;
  const uint32_t osxsave = 1u << 27;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & osxsave))
    return 0;
  asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

/// Asks Linux to save tile registers for all threads of this process. Returns whether Linux does so. May be called
/// repeatedly.
static bool permitTiles() {
  const long requestPermission = 0x1023, tileData = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA: Linux 5.16
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}

static bool askProcessor(const Feature &feature) {
  uint32_t words[4] = {0, 0, 0, 0};
  if (!__get_cpuid_count(feature.leaf, feature.subleaf, &words[EAX], &words[EBX], &words[ECX], &words[EDX]))
    return false;
  bool saved = feature.state == None || (savedStates() & feature.state) == feature.state;
  bool present = saved && (words[feature.word] >> feature.bit & 1);
  return present && (feature.state != Tiles || permitTiles());
}

static bool hasFeature(const char *name, size_t length) {
  // Cached, because CPUID takes microseconds on a virtual machine. Threads that race store equal values.
  enum : uint8_t { Unknown, Absent, Present };
  constexpr size_t count = sizeof(knownFeatures) / sizeof(*knownFeatures);
  static std::atomic<uint8_t> answers[count];
  for (size_t i = 0; i < count; ++i) {
    const Feature &feature = knownFeatures[i];
    if (strlen(feature.name) != length || memcmp(feature.name, name, length) != 0)
      continue;
    uint8_t answer = answers[i].load(std::memory_order_relaxed);
    if (answer == Unknown)
      answers[i].store(answer = askProcessor(feature) ? Present : Absent, std::memory_order_relaxed);
    return answer == Present;
  }
  return false;
}

#elif defined(__aarch64__)

#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

// Newer than some kernels' headers.
#ifndef HWCAP2_CSSC
#define HWCAP2_CSSC (1UL << 34)
#endif
#ifndef HWCAP2_SVE2P1
#define HWCAP2_SVE2P1 (1UL << 36)
#endif
#ifndef HWCAP2_MOPS
#define HWCAP2_MOPS (1UL << 43)
#endif

/// Returns the size of SVE registers in bits, as this thread sees them. Returns 0 without SVE.
static int sveBits() {
  if (!(getauxval(AT_HWCAP) & HWCAP_SVE))
    return 0;
  int vectorLength = prctl(PR_SVE_GET_VL, 0, 0, 0, 0);
  return vectorLength < 0 ? 0 : (vectorLength & PR_SVE_VL_LEN_MASK) * 8;
}

static bool hasFeature(const char *name, size_t length) {
  static const struct {
    const char *name;
    unsigned long type, bit;
  } known[] = {{"neon", AT_HWCAP, HWCAP_ASIMD},       {"fp-armv8", AT_HWCAP, HWCAP_FP},
               {"fullfp16", AT_HWCAP, HWCAP_ASIMDHP}, {"fp16fml", AT_HWCAP, HWCAP_ASIMDFHM},
               {"dotprod", AT_HWCAP, HWCAP_ASIMDDP},  {"rdm", AT_HWCAP, HWCAP_ASIMDRDM},
               {"complxnum", AT_HWCAP, HWCAP_FCMA},   {"jsconv", AT_HWCAP, HWCAP_JSCVT},
               {"rcpc", AT_HWCAP, HWCAP_LRCPC},       {"lse", AT_HWCAP, HWCAP_ATOMICS},
               {"sve", AT_HWCAP, HWCAP_SVE},          {"sve2", AT_HWCAP2, HWCAP2_SVE2},
               {"sve2p1", AT_HWCAP2, HWCAP2_SVE2P1},  {"i8mm", AT_HWCAP2, HWCAP2_I8MM},
               {"bf16", AT_HWCAP2, HWCAP2_BF16},      {"cssc", AT_HWCAP2, HWCAP2_CSSC},
               {"mops", AT_HWCAP2, HWCAP2_MOPS}};
  static const struct {
    const char *name;
    int bits;
  } sized[] = {{"sve256", 256}, {"sve512", 512}};
  for (const auto &size : sized)
    if (strlen(size.name) == length && memcmp(size.name, name, length) == 0)
      return sveBits() == size.bits;
  for (const auto &feature : known)
    if (strlen(feature.name) == length && memcmp(feature.name, name, length) == 0)
      return getauxval(feature.type) & feature.bit;
  return false;
}

#endif

bool cpu::hasFeatures(const xfrt_model &model) {
  for (const char *name = model.features; name && *name;) {
    size_t length = strcspn(name, ",");
    if (length > 0 && !hasFeature(name, length))
      return false;
    name += length + (name[length] == ',');
  }
  return true;
}

/// Returns the name of the widest known vector extension that this processor has, for messages. Returns "" if it has
/// none.
static const char *widestFeature() {
  static const char *const known[] = {"sse2", "avx", "avx2", "avx512f", "neon", "sve"};
  const char *widest = "";
  for (const char *name : known)
    if (hasFeature(name, strlen(name)))
      widest = name;
  return widest;
}

xfrt_status cpu::failForFeatures(const xfrt_model &model, Message &message) {
  char missing[512] = "";
  size_t used = 0;
  for (const char *name = model.features; name && *name;) {
    size_t length = strcspn(name, ",");
    bool fits = used + length + 3 < sizeof(missing);
    if (length > 0 && fits && !hasFeature(name, length))
      used += snprintf(missing + used, sizeof(missing) - used, "%s%.*s", used ? ", " : "", int(length), name);
    name += length + (name[length] == ',');
  }
  return message.fail(XFRT_MISSING_FEATURES,
                      "model %s: expected a processor with %s, got one with %s; "
                      "compile for older ones too, as by --mcpu=x86-64-v3 or --multi-isa=x86-64-v3,x86-64-v4",
                      Quoted(model.name).get(), missing, widestFeature());
}
