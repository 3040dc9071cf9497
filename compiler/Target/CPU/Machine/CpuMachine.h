//===- CpuMachine.h - CPUs as machines --------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_CPUMACHINE_H
#define XF_COMPILER_TARGET_CPU_MACHINE_CPUMACHINE_H

#include "compiler/Target/CPU/Machine/CpuCaches.h"
#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {

/// The facts about a CPU on which tile sizes and instruction choice depend.
struct CpuMachine : llvm::RTTIExtends<CpuMachine, kernel::KernelMachine>, CpuCaches {
  static inline char ID = 0;

  unsigned vectorBytes = 32; ///< of the widest vector register used
  unsigned registers = 16;   ///< vector registers
  unsigned sveBytes = 0;     ///< of SVE's registers, where code relies on their size; 0 elsewhere
  bool hasScalef = false;    ///< AVX-512: p * 2^n in one instruction
  bool hasHalf = true;       ///< conversions of f16 are instructions
  std::string emulated;      ///< features whose instructions are replaced by others, separated by commas

  int64_t lanes(Type type) const override { return vectorBytes * 8 / type.getIntOrFloatBitWidth(); }
  bool hasScale(VectorType type) const override;
  bool roundsToBF16() const override { return (has("avx512bf16") && !emulates("avx512bf16")) || has("bf16"); }
  bool convertsF16() const override { return hasHalf; }
  bool masksSmallElements() const override { return (has("avx512bw") && has("avx512vl")) || has("sve"); }

  /// Returns whether code may use the instructions of `feature`, which has LLVM's name.
  bool has(StringRef feature) const;
  /// Returns whether the instructions of `feature` are emulated, because the processor does not have them. If so, a
  /// function that would build one of these instructions must build others with the same results.
  bool emulates(StringRef feature) const;

  /// Returns the machine of `cpu`, an -mcpu name ("native", "x86-64-v3", "neoverse-v2", ..). Further features may
  /// follow the name: features that the CPU has besides ("x86-64-v4+avx512bf16"), or features to be emulated, for tests
  /// ("x86-64-v3+emulated-avx512bf16").
  ///
  /// A `vectorBits` of 128, 256 or 512 replaces the size of the CPU's vector registers, and thereby their number; 0
  /// keeps both. LLVM splits vectors that are longer than the CPU's registers, so that code runs slowly.
  ///
  /// `triple` is the architecture and system of the code; isTriple() must hold for it. If it is empty, the code is for
  /// this process's triple if that has the CPU, else for Linux on the CPU's architecture. Fails if the triple has no
  /// such CPU, or if code cannot use a feature.
  static FailureOr<CpuMachine> get(StringRef cpu, unsigned vectorBits = 0, StringRef triple = "");

  /// Returns whether code can be generated for the architecture and system of a triple: Linux on x86-64 or AArch64.
  static bool isTriple(StringRef triple);
};

/// Returns the CPU that code is built for.
inline const CpuMachine &machineOf(const kernel::KernelBuilder &kb) { return cast<CpuMachine>(kb.machine); }

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_CPUMACHINE_H
