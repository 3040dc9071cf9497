//===- NvgpuMachine.h - NVIDIA GPUs as machines ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H

#include "compiler/Support/F32Products.h"
#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::nvgpu {

/// The facts about a GPU architecture on which tile sizes and instruction choice depend.
struct NvgpuMachine : llvm::RTTIExtends<NvgpuMachine, kernel::KernelMachine> {
  static inline char ID = 0;

  unsigned computeCapability = 0; ///< 80 for 8.0
  bool hasWarpgroups = false;     ///< sm_90a: warpgroup products, TMA, mbarriers
  int64_t sharedBytes = 0;        ///< shared memory that a block may have on every device that runs the code
  /// The shared memory per multiprocessor and the number of multiprocessors of a common model. Tiles are chosen for
  /// them; no code relies on either.
  int64_t processorSharedBytes = 0, processors = 0;
  F32Products f32Products = F32Products::Exact; ///< as requested
  /// The shared memory of a block on the GPU that has most. A kernel that fits no other tile is compiled for it;
  /// devices with less refuse the entry.
  static constexpr int64_t mostSharedBytes = 227 << 10;

  int64_t lanes(Type) const override { return 1; }
  bool hasMaximum() const override { return true; }
  bool roundsToBF16() const override { return true; }
  bool hasExp2() const override { return true; }
  Value buildExp2(kernel::KernelBuilder &kb, Value x) const override;
  /// A call passes registers through memory, and would end asynchronous products of tensor cores.
  bool hasCalls() const override { return false; }
  unsigned bufferSpace() const override { return 1; }

  /// Returns the machine for a --gpu-arch name, one of architectures; failure for any other name.
  static FailureOr<NvgpuMachine> get(StringRef architecture);
  static ArrayRef<StringRef> architectures(); ///< by ascending capability
  /// Returns architectures whose code, together, runs on every GPU from sm_80 on, and uses Hopper's instructions on
  /// Hopper.
  static ArrayRef<StringRef> defaultArchitectures();
  /// Returns the newest architecture whose code runs on a device of this compute capability (90 for 9.0); empty if
  /// there is none.
  static StringRef architectureFor(int capability);
};

/// Returns the GPU that code is built for.
inline const NvgpuMachine &machineOf(const kernel::KernelBuilder &kb) { return cast<NvgpuMachine>(kb.machine); }

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H
