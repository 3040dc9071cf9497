//===- Model.h - The choice of a model for a CPU ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_MODEL_H
#define XFRT_LIB_CPU_MODEL_H

#include "../Message.h"

namespace xfrt::cpu {

/// Returns whether this processor has all features that the model lists.
bool hasFeatures(const xfrt_model &model);

/// Returns XFRT_MISSING_FEATURES, with a message that lists the features of the model that this processor lacks.
xfrt_status failForFeatures(const xfrt_model &model, Message &message);

/// Replaces a model by the last one, of itself and those that follow it, whose features this CPU has, and verifies its
/// tables. Leaves `model` unchanged on an error.
xfrt_status selectModel(const xfrt_model *&model, Message &message);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_MODEL_H
