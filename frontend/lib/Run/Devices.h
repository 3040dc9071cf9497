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

/// Throws what a function of the runtime said: DeviceError where it is about a GPU, else Error.
[[noreturn]] void throwFailure(xfrt_status status, const std::string &message, Here here);

/// Settles options.device and options.gpus by the device that is there. Returns why the CPU takes the place of the GPU,
/// empty where it does not; throws where nothing may.
std::string settleDevice(CompileOptions &options, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_RUN_DEVICES_H
