//===- GpuMachine.h - GPUs as machines --------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_MACHINE_GPUMACHINE_H
#define XF_COMPILER_TARGET_GPU_MACHINE_GPUMACHINE_H

#include "compiler/Support/F32Products.h"
#include "compiler/Target/GPU/Machine/GpuInstructions.h"

namespace mlir::xf::gpu {

/// The properties of a GPU, of any vendor, that determine tile sizes and the choice of instructions.
struct GpuMachine : llvm::RTTIExtends<GpuMachine, KernelMachine> {
  static inline char ID = 0;

  int64_t sharedBytes = 0; ///< shared memory that a thread block may have on every device that runs the code
  /// The shared memory per multiprocessor, and the number of multiprocessors, of a common model of this architecture.
  /// Tiles are chosen for this model, but the code runs on all other models, too.
  int64_t processorSharedBytes = 0, processors = 0;
  /// The number of bytes that the streamed matrices of a section of heads take (TileOrder.h). Tiles that run at the
  /// same time share these matrices in the second-level cache.
  int64_t sectionBytes = 16 << 20;
  F32Products f32Products = F32Products::Exact; ///< as requested

  virtual const GpuInstructions &instructions() const = 0;

  int64_t lanes(Type) const override { return 1; }
  /// Returns false: kernels of GPUs call no functions. A call would pass registers through memory, and end asynchronous
  /// products.
  bool hasCalls() const override { return false; }
  unsigned bufferSpace() const override { return 1; }
};

/// Returns the GPU that code is built for.
inline const GpuMachine &machineOf(const KernelBuilder &kb) { return cast<GpuMachine>(kb.machine); }

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_MACHINE_GPUMACHINE_H
