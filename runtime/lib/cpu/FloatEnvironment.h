//===- FloatEnvironment.h - The kernels' rounding and masks ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels in the default floating-point environment, for which they are compiled. The caller's thread may have
// flush-to-zero, another rounding mode or unmasked exceptions, and results must not depend on that.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_FLOATENVIRONMENT_H
#define XFRT_LIB_CPU_FLOATENVIRONMENT_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace xfrt::cpu {

/// An RAII guard that sets the default floating-point environment (round to nearest, subnormals kept, exceptions
/// masked). The destructor restores the thread's own environment: MXCSR with its exception flags on x86-64, FPCR on
/// AArch64.
class FloatEnvironment {
public:
  FloatEnvironment() : saved(read()) {
    if ((saved & ~sticky) != standard)
      write(standard);
  }
  ~FloatEnvironment() { write(saved); }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  using Word = uint32_t;
  static constexpr Word standard = 0x1f80, sticky = 0x3f; // all exceptions masked, nearest, no FTZ, no DAZ
  static Word read() { return _mm_getcsr(); }
  static void write(Word word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = uint64_t;
  static constexpr Word standard = 0, sticky = 0; // FPCR; the sticky flags are in FPSR
  static Word read() {
    Word word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(Word word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
#error "expected x86-64 or AArch64"
#endif

  Word saved;
};

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_FLOATENVIRONMENT_H
