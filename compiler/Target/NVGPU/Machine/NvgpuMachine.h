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

/// The properties of an NVIDIA architecture that determine tile sizes and the choice of instructions.
struct NvgpuMachine : llvm::RTTIExtends<NvgpuMachine, GpuMachine> {
  static inline char ID = 0;

  unsigned computeCapability = 0; ///< 80 for 8.0
  bool hasWarpgroups = false;     ///< sm_90a: warpgroup products, TMA, mbarriers
  /// The shared memory of a thread block on the GPU that has most. If even the smallest tile of a kernel exceeds the
  /// limit of its machine, the kernel may take up to this size. Devices with less shared memory then refuse to run the
  /// entry that has this kernel.
  static constexpr int64_t mostSharedBytes = 227 << 10;

  bool hasMaximum() const override { return true; }
  bool roundsToBF16() const override { return true; }
  bool hasExp2() const override { return true; }
  Value buildExp2(KernelBuilder &kb, Value x) const override;
  const GpuInstructions &instructions() const override;

  /// Returns the machine for `architecture`, a --gpu-arch name. Fails if the name is not one of architectures().
  static FailureOr<NvgpuMachine> get(StringRef architecture);
  static ArrayRef<StringRef> architectures(); ///< names of architectures, by ascending capability
  /// Returns the architectures that are compiled for by default. Together, their code runs on every GPU from sm_80 on,
  /// and uses Hopper's instructions on Hopper.
  static ArrayRef<StringRef> defaultArchitectures();
  /// Returns the newest architecture whose code runs on a device of compute capability `capability` (90 for 9.0).
  /// Returns an empty string if there is none.
  static StringRef architectureFor(int capability);
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUMACHINE_H
