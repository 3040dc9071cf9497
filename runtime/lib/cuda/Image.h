//===- Image.h - The kernels of a model on a GPU ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_IMAGE_H
#define XFRT_LIB_CUDA_IMAGE_H

#include "Gpu.h"

namespace xfrt::cuda {

/// Loads the first image of the model that the driver accepts, trying machine code before PTX. The device's context
/// must be current.
xfrt_status loadImage(Gpu &device, const xfrt_model &model, Module &module);

/// The function of a launch, as loaded on the device.
struct LoadedKernel {
  Function function;
  int32_t sharedBytes; ///< dynamic shared memory of a block
  bool fits;           ///< the device has that much shared memory for a block
};

/// Sets `kernels` to the functions of all launches of all entries, in order, and raises their limits of dynamic shared
/// memory.
xfrt_status findFunctions(Gpu &device, Module module, const xfrt_model &model, LoadedKernel *kernels);

/// Returns XFRT_WRONG_ARCHITECTURE if the device has too little shared memory for a kernel of the entry. `kernels`
/// points to the entry's first kernel. Needed because a later architecture that runs the same code may have less shared
/// memory.
xfrt_status checkFits(const Gpu &device, const xfrt_entry &entry, const LoadedKernel *kernels);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_IMAGE_H
