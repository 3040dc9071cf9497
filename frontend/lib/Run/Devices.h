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

/// Throws the error of a runtime function that failed with `status` and `message`: DeviceError if `status` concerns a
/// GPU, otherwise Error.
[[noreturn]] void throwFailure(xfrt_status status, const std::string &message, Here here);

/// Sets options.device to the device that will run the program, and options.gpus, if empty, to its architecture.
/// Returns the reason why the CPU replaces the GPU, or an empty text if it does not. Throws DeviceError if the GPU is
/// missing and options.device does not allow the CPU.
std::string settleDevice(CompileOptions &options, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_RUN_DEVICES_H
