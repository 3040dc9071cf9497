//===- CpuCaches.cpp - Table of the caches of CPUs ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of caches. LLVM has one name for several CPUs. If their caches differ, a row has the sizes that most of
// them have.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/CpuCaches.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
struct Row {
  StringLiteral cpu;
  CpuCaches caches;
};
} // namespace

static constexpr int64_t operator""_K(unsigned long long number) { return int64_t(number) << 10; }
static constexpr int64_t operator""_M(unsigned long long number) { return int64_t(number) << 20; }

// clang-format off
static constexpr Row rows[] = {
    // AMD: Software Optimization Guides of families 17h, 19h and 1Ah. The last cache is that of a core complex; dense
    // parts of Zen 4 and 5 have half as much.
    {"znver1",         {32_K, 512_K, 8_M}},
    {"znver2",         {32_K, 512_K, 16_M}},
    {"znver3",         {32_K, 512_K, 32_M}},
    {"znver4",         {32_K, 1_M,   32_M}},
    {"znver5",         {48_K, 1_M,   32_M}},
    // Intel: Optimization Reference Manual, the chapter on each microarchitecture. The last cache of servers is that of
    // parts with 16 cores, at most 32 MiB.
    {"haswell",        {32_K, 256_K,  8_M}},
    {"broadwell",      {32_K, 256_K,  8_M}},
    {"skylake",        {32_K, 256_K,  8_M}},
    {"skylake-avx512", {32_K, 1_M,    22_M}},
    {"cascadelake",    {32_K, 1_M,    22_M}},
    {"cooperlake",     {32_K, 1_M,    22_M}},
    {"icelake-client", {48_K, 512_K,  8_M}},
    {"tigerlake",      {48_K, 1280_K, 12_M}},
    {"rocketlake",     {48_K, 512_K,  16_M}},
    {"icelake-server", {48_K, 1280_K, 24_M}},
    {"alderlake",      {48_K, 1280_K, 24_M}},
    {"raptorlake",     {48_K, 2_M,    24_M}},
    {"sapphirerapids", {48_K, 2_M,    30_M}},
    {"emeraldrapids",  {48_K, 2_M,    32_M}},
    {"graniterapids",  {48_K, 2_M,    32_M}},
    // Levels of the x86-64 psABI: v3 keeps the defaults, Zen 3's; CPUs with AVX-512 have 1 MiB, but for two of Intel's
    // clients.
    {"x86-64-v3",      {32_K, 512_K,  32_M}},
    {"x86-64-v4",      {32_K, 1_M,    32_M}},
    // Arm: Technical Reference Manuals; where the second level is an option, that of Graviton 2 and 3, Grace, Cobalt.
    // The last cache is a system's (Graviton 2 and 3: 32 MiB).
    {"neoverse-n1",    {64_K, 1_M,    32_M}},
    {"neoverse-n2",    {64_K, 1_M,    32_M}},
    {"neoverse-v1",    {64_K, 1_M,    32_M}},
    {"neoverse-v2",    {64_K, 1_M,    32_M}},
    // Fujitsu: A64FX Microarchitecture Manual; 12 cores share 8 MiB, and nothing is behind them.
    {"a64fx",          {64_K, 683_K,  8_M}},
    // Apple: what sysctl reports of performance cores (hw.perflevel0): 12 or 16 MiB that 4 or more cores share, of which
    // a core counts on 2 MiB (countedCaches); nothing behind it is for the CPU alone.
    {"apple-m1",       {128_K, 2_M,   12_M}},
    {"apple-m2",       {128_K, 2_M,   16_M}},
    {"apple-m3",       {128_K, 2_M,   16_M}},
    {"apple-m4",       {128_K, 2_M,   16_M}},
};
// clang-format on

CpuCaches cpu::cachesOf(StringRef cpu) {
  const Row *row = llvm::find_if(rows, [&](const Row &row) { return row.cpu == cpu; });
  return row == std::end(rows) ? CpuCaches() : row->caches;
}

SmallVector<StringRef> cpu::namesOfCaches() {
  return llvm::map_to_vector(rows, [](const Row &row) -> StringRef { return row.cpu; });
}
