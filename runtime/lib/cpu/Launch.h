//===- Launch.h - Kernels on a CPU ------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_LAUNCH_H
#define XFRT_LIB_CPU_LAUNCH_H

#include "Handle.h"

namespace xfrt::cpu {

/// Runs the steps of the entry, in order, except those whose condition (xfrt_when) does not hold in this call.
xfrt_status runSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_LAUNCH_H
