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

/// Whether a device of this capability (10 x major + minor) runs code for `architecture`: "sm_80" runs on it and on all
/// later ones, "sm_100f" on later ones of its major number, "sm_90a" on it alone.
bool runsArchitecture(int capability, const char *architecture);

/// Replaces a model by what the device runs of it and those that follow it, with tables that are checked.
xfrt_status selectModel(const xfrt_model *&model, const Device &device);

/// Loads the first image that the driver takes, machine code before PTX. The device's context is current.
xfrt_status loadImage(Device &device, const xfrt_model &model, Module &module);

struct LoadedKernel {
  Function function;
  int32_t sharedBytes; ///< dynamic
};

/// The functions of all launches of all entries, in order, ready for their shared memory.
xfrt_status findFunctions(Device &device, Module module, const xfrt_model &model, LoadedKernel *kernels);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_IMAGE_H
