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

/// Returns whether this processor has all features that the model needs.
bool hasFeatures(const xfrt_model &model);

/// Returns XFRT_MISSING_FEATURES, with a message that lists those features of the model that this processor lacks.
xfrt_status failForFeatures(const xfrt_model &model, Message &message);

/// Replaces `model` by the last model of its list (xfrt_model::next) whose features this CPU has, and verifies the
/// tables of that model. Leaves `model` unchanged on an error.
xfrt_status selectModel(const xfrt_model *&model, Message &message);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_MODEL_H
