//===- NvgpuMachine.h - NVIDIA GPUs as machines -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"

namespace mlir::xf::nvgpu {
using namespace kernel;
using namespace gpu;

/// The facts about an architecture of NVIDIA on which tile sizes and instruction choice depend.
struct NvgpuMachine : llvm::RTTIExtends<NvgpuMachine, GpuMachine> {
  static inline char ID = 0;

  unsigned computeCapability = 0; ///< 80 for 8.0
  bool hasWarpgroups = false;     ///< sm_90a: warpgroup products, TMA, mbarriers
  /// The shared memory of a block on the GPU that has most. A kernel that fits no other tile is compiled for it;
  /// devices with less refuse the entry.
  static constexpr int64_t mostSharedBytes = 227 << 10;

  bool hasMaximum() const override { return true; }
  bool roundsToBF16() const override { return true; }
  bool hasExp2() const override { return true; }
  Value buildExp2(KernelBuilder &kb, Value x) const override;
  const GpuInstructions &instructions() const override;

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

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H
