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

/// Replaces a model by the best that the device runs of it and those that follow it, in whatever order they are: the
/// one of the highest capability, of those "sm_100a" before "sm_100f" before "sm_100". Its tables are checked.
xfrt_status selectModel(const xfrt_model *&model, const Device &device);

/// Loads the first image that the driver takes, machine code before PTX. The device's context is current.
xfrt_status loadImage(Device &device, const xfrt_model &model, Module &module);

struct LoadedKernel {
  Function function;
  int32_t sharedBytes; ///< dynamic
  bool fits;           ///< the device has so much for a block
};

/// The functions of all launches of all entries, in order, ready for their shared memory.
xfrt_status findFunctions(Device &device, Module module, const xfrt_model &model, LoadedKernel *kernels);

/// XFRT_WRONG_ARCHITECTURE where the device has too little shared memory for a kernel of the entry, whose first one is
/// kernels[0]. Code for an architecture runs on later ones that have less.
xfrt_status checkFits(const Device &device, const xfrt_entry &entry, const LoadedKernel *kernels);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_IMAGE_H
