//===- Device.h - GPUs as a device ------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_DEVICE_H
#define XFRT_LIB_CUDA_DEVICE_H

#include "../Device.h"

namespace xfrt::cuda {

/// Kernels that are images of the object, on a GPU that libcuda.so.1 drives.
extern const Device implementation;

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_DEVICE_H
