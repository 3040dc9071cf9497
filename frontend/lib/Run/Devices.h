//===- Devices.h - The device of an executable -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_RUN_DEVICES_H
#define XF_FRONTEND_RUN_DEVICES_H

#include "xf/executable.h"
#include "xfrt/xfrt.h"

namespace xf::detail {

/// Throws the failure of a runtime function with its message: DeviceError where `status` is about a GPU, else Error.
[[noreturn]] void throwFailure(xfrt_status status, const std::string &message, Here here);

/// Sets options.device and options.gpus to the device that is available. Returns the reason why the CPU replaces the
/// GPU, empty where it does not. Throws DeviceError where the GPU is missing and options.device allows no CPU.
std::string settleDevice(CompileOptions &options, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_RUN_DEVICES_H
