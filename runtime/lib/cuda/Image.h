//===- Image.h - The kernels of a model on a GPU ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_IMAGE_H
#define XFRT_LIB_CUDA_IMAGE_H

#include "Device.h"

namespace xfrt::cuda {

/// Returns whether a device of compute capability `capability` (10 x major + minor) runs code for `architecture`. Code
/// for "sm_80" runs on 8.0 and all later capabilities, code for "sm_100f" on 10.0 and later ones of the same major
/// number, code for "sm_90a" on 9.0 alone.
bool runsArchitecture(int capability, const char *architecture);

/// Replaces a model by the best one that the device runs, of itself and those that follow it in any order, and verifies
/// its tables. The best model has the highest capability; of equal ones "sm_100a" comes before "sm_100f" before
/// "sm_100".
xfrt_status selectModel(const xfrt_model *&model, const Device &device);

/// Loads the first image that the driver accepts, trying machine code before PTX. The device's context must be current.
xfrt_status loadImage(Device &device, const xfrt_model &model, Module &module);

/// The function of a launch, loaded on the device.
struct LoadedKernel {
  Function function;
  int32_t sharedBytes; ///< dynamic shared memory of a block
  bool fits;           ///< the device has that much shared memory for a block
};

/// Finds the functions of all launches of all entries, in order, and sets their limits of dynamic shared memory.
xfrt_status findFunctions(Device &device, Module module, const xfrt_model &model, LoadedKernel *kernels);

/// Returns XFRT_WRONG_ARCHITECTURE where the device has too little shared memory for a kernel of the entry. `kernels`
/// begins with the entry's first kernel. Needed because a later architecture, which runs the same code, may have less.
xfrt_status checkFits(const Device &device, const xfrt_entry &entry, const LoadedKernel *kernels);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_IMAGE_H
