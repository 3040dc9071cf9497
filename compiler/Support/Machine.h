//===- Machine.h - What kernels are generated for ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_MACHINE_H
#define XF_COMPILER_SUPPORT_MACHINE_H

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::xf {

/// How a GPU multiplies matrices of f32: exactly, by fused multiply-adds of single numbers; by tensor cores, which
/// round factors to TF32 (11 bits); or by tensor cores as the sum of two bf16 each, without the product of the lower
/// parts (16 bits). Sums are f32 in all cases.
enum class F32Products { Exact, TF32, BF16x3 };

/// exact, tf32, bf16x3: as --f32-products names them.
ArrayRef<StringRef> f32ProductsNames();
std::optional<F32Products> f32ProductsOf(StringRef name);

/// The facts about a processor that tile sizes and instruction choice depend on. Of a GPU, a lane is a thread: vectors
/// have one element.
struct Machine {
  std::string cpu;      ///< LLVM's name, as -mcpu takes it; of a GPU "sm_80", "sm_90a"
  std::string features; ///< "+avx2,+fma,..", as LLVM's target machine takes it
  std::string triple;
  /// What generated code may use, "avx2,fma,..": the runtime checks it before a kernel runs.
  std::string requiredFeatures;
  unsigned vectorBytes = 32; ///< of the widest vector register used
  unsigned registers = 16;   ///< vector registers
  bool hasScalef = false;    ///< AVX-512: p * 2^n in one instruction
  unsigned l1Ways = 8;
  int64_t l1Bytes = 32 << 10, l2Bytes = 512 << 10, lastCacheBytes = 32 << 20;
  unsigned computeCapability = 0; ///< of a GPU: 80 for 8.0; 0 of a CPU
  bool hasWarpgroups = false;     ///< sm_90a: products of four warps, tensor copies, barriers in shared memory
  int64_t sharedBytes = 0;        ///< of a GPU: shared memory that a block may have wherever the code runs
  /// Of a GPU: shared memory and number of the processors of a common model; tiles are chosen for them, no code relies
  /// on either.
  int64_t processorSharedBytes = 0, processors = 0;

  F32Products f32Products = F32Products::Exact; ///< of a GPU: what was asked for

  bool isGpu() const { return computeCapability != 0; }
  /// Elements of `type` (f32, f64, i32, i64) per vector register.
  int64_t lanes(Type type) const;

  /// The machine of an -mcpu name ("native", "x86-64-v3", "znver4", ..); failure where LLVM knows no such CPU.
  /// `vectorBits` other than 0 makes it one with registers of 128, 256 or 512 bits, as many as such CPUs have, whose
  /// vectors LLVM splits where the CPU's own are shorter: code for wide registers then runs, if slowly, without them.
  static FailureOr<Machine> get(StringRef cpu, unsigned vectorBits = 0);
  /// The machine of a --gpu-arch name: one of gpuArchitectures; failure for any other.
  static FailureOr<Machine> getGpu(StringRef architecture);
  static ArrayRef<StringRef> gpuArchitectures(); ///< of ascending capability
  /// Those whose code, together, runs on every GPU from sm_80 on, and is that of Hopper where it can be.
  static ArrayRef<StringRef> defaultGpus();
  /// Shared memory that a block has on the GPU that has most: for a kernel that fits no other tile the code is made,
  /// and devices with less refuse its entry.
  static constexpr int64_t mostSharedBytes = 227 << 10;
};

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_MACHINE_H
