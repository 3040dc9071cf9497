//===- Machine.h - The processor that kernels are generated for -*- C++ -*-===//
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

/// The arithmetic of f32 matrix products on a GPU: exact, by fused multiply-adds of f32 numbers; on tensor cores with
/// factors rounded to TF32 (11 bits); or on tensor cores with each factor as the sum of two bf16, without the product
/// of the lower parts (16 bits). Sums are f32 in all cases.
enum class F32Products { Exact, TF32, BF16x3 };

/// Returns the names of F32Products for --f32-products, in the order of the enumeration: exact, tf32, bf16x3.
ArrayRef<StringRef> f32ProductsNames();
/// Returns the F32Products with this name; nullopt for any other name.
std::optional<F32Products> f32ProductsOf(StringRef name);

/// The facts about a processor on which tile sizes and instruction choice depend. On a GPU, a lane is a thread: vectors
/// have one element.
struct Machine {
  std::string cpu;      ///< LLVM's name, as -mcpu takes it; of a GPU "sm_80", "sm_90a"
  std::string features; ///< "+avx2,+fma,..", as LLVM's target machine takes it
  std::string triple;
  /// The features that generated code may use, "avx2,fma,..": the runtime verifies them before a kernel runs.
  std::string requiredFeatures;
  unsigned vectorBytes = 32; ///< of the widest vector register used
  unsigned registers = 16;   ///< vector registers
  bool hasScalef = false;    ///< AVX-512: p * 2^n in one instruction
  unsigned l1Ways = 8;
  int64_t l1Bytes = 32 << 10, l2Bytes = 512 << 10, lastCacheBytes = 32 << 20;
  unsigned computeCapability = 0; ///< of a GPU: 80 for 8.0; 0 of a CPU
  bool hasWarpgroups = false;     ///< sm_90a: warpgroup products, TMA, mbarriers
  int64_t sharedBytes = 0;        ///< of a GPU: shared memory that a block may have on every device that runs the code
  /// Of a GPU: the shared memory per multiprocessor and the number of multiprocessors of a common model. Tiles are
  /// chosen for them; no code relies on either.
  int64_t processorSharedBytes = 0, processors = 0;

  F32Products f32Products = F32Products::Exact; ///< of a GPU: as requested

  bool isGpu() const { return computeCapability != 0; }
  /// Returns the number of elements of `type` (f32, f64, i32, i64) in a vector register.
  int64_t lanes(Type type) const;

  /// Returns the machine for an -mcpu name ("native", "x86-64-v3", "znver4", ..); failure where LLVM has no such CPU. A
  /// `vectorBits` of 128, 256 or 512 sets the size of its vector registers, and their number to that of CPUs with such
  /// registers. LLVM splits the vectors where the CPU's own are shorter, so that code for wide registers runs, slowly,
  /// without them.
  static FailureOr<Machine> get(StringRef cpu, unsigned vectorBits = 0);
  /// Returns the machine for a --gpu-arch name, one of gpuArchitectures; failure for any other name.
  static FailureOr<Machine> getGpu(StringRef architecture);
  static ArrayRef<StringRef> gpuArchitectures(); ///< by ascending capability
  /// Returns architectures whose code, together, runs on every GPU from sm_80 on, and uses Hopper's instructions on
  /// Hopper.
  static ArrayRef<StringRef> defaultGpus();
  /// The shared memory of a block on the GPU that has most. A kernel that fits no other tile is compiled for it;
  /// devices with less refuse the entry.
  static constexpr int64_t mostSharedBytes = 227 << 10;
};

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_MACHINE_H
