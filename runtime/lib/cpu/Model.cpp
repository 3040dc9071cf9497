//===- Model.cpp - The choice of a model for a CPU ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "../CheckModel.h"

using namespace xfrt;
using namespace xfrt::cpu;

xfrt_status cpu::selectModel(const xfrt_model *&model, Message &message) {
  if (xfrt_status status = checkModel(model, message))
    return status;
  const xfrt_model *selected = nullptr;
  const xfrt_model *least = nullptr;
  for (const xfrt_model *candidate = model; candidate; candidate = candidate->next) {
    if (candidate->device != XFRT_CPU)
      continue;
    least = least ? least : candidate;
    if (hasFeatures(*candidate))
      selected = candidate;
  }
  if (!least)
    return message.fail(XFRT_MISSING_FEATURES,
                        "model %s: expected a handle for a GPU, the object has no code for the CPU",
                        Quoted(model->name).get());
  if (!selected)
    return failForFeatures(*least, message);
  return takeVariant(*selected, model, message);
}
