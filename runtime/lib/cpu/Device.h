//===- Device.h - The CPU as a device ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_DEVICE_H
#define XFRT_LIB_CPU_DEVICE_H

#include "../Device.h"

namespace xfrt::cpu {

/// The CPU: runs kernels that are functions of the object, on threads of the host and in host memory.
extern const Device implementation;

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_DEVICE_H
