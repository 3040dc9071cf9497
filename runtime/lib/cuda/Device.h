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

/// A GPU: runs kernels that are images of the object, through the CUDA driver (libcuda.so.1).
extern const Device implementation;

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_DEVICE_H
