//===- Launch.h - Kernels on a GPU -----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_LAUNCH_H
#define XFRT_LIB_CUDA_LAUNCH_H

#include "Handle.h"

namespace xfrt::cuda {

/// Enqueues the steps of the entry on the handle's stream, in order, except those whose condition (xfrt_when) does not
/// hold in this call. After a failure, a rank enqueues only the collectives that are left, because other ranks wait for
/// its messages.
xfrt_status enqueueSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_LAUNCH_H
