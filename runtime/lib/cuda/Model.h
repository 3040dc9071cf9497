//===- Model.h - The choice of a model for a GPU ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_MODEL_H
#define XFRT_LIB_CUDA_MODEL_H

#include "Gpu.h"

namespace xfrt::cuda {

/// Returns whether a device of compute capability `capability` (10 x major + minor) runs code for `architecture`. Code
/// for "sm_80" runs on 8.0 and all later capabilities. Code for "sm_100f" runs on 10.0 and on later capabilities of the
/// same major number. Code for "sm_90a" runs on 9.0 alone.
bool runsArchitecture(int capability, const char *architecture);

/// Chooses the best model for the device, among `model` and those that follow it (xfrt_model::next). Sets `model` to
/// it, and verifies its tables. The best model is the one for the highest capability that the device runs. If models
/// have the same capability, "sm_100a" is better than "sm_100f", and "sm_100f" better than "sm_100". Fails with
/// XFRT_WRONG_ARCHITECTURE if the device runs none.
xfrt_status selectModel(const xfrt_model *&model, const Gpu &device);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_MODEL_H
