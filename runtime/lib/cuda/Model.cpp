//===- Model.cpp - The choice of a model for a GPU ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "../CheckModel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

namespace {
/// The parsed name of an architecture, such as "sm_100f": its compute capability and which later devices run its code.
struct Architecture {
  enum Reach { later, family, alone }; ///< the devices that run the code, given by the suffixes "", "f" and "a"
  long capability;
  Reach reach;
};
} // namespace

static bool parseArchitecture(const char *name, Architecture &result) {
  if (strncmp(name, "sm_", 3) != 0)
    return false;
  char *suffix = nullptr;
  result.capability = strtol(name + 3, &suffix, 10);
  if (suffix == name + 3)
    return false;
  result.reach = strcmp(suffix, "a") == 0   ? Architecture::alone
                 : strcmp(suffix, "f") == 0 ? Architecture::family
                                            : Architecture::later;
  return *suffix == 0 || result.reach != Architecture::later;
}

bool cuda::runsArchitecture(int capability, const char *architecture) {
  Architecture wanted;
  if (!parseArchitecture(architecture, wanted))
    return false;
  switch (wanted.reach) {
  case Architecture::alone:
    return capability == wanted.capability;
  case Architecture::family:
    return capability / 10 == wanted.capability / 10 && capability >= wanted.capability;
  default:
    return capability >= wanted.capability;
  }
}

/// Returns whether code for `architecture` may use more features of a device than code for `other`. Assumes that the
/// device runs both.
static bool usesMore(const char *architecture, const char *other) {
  Architecture one, two;
  if (!parseArchitecture(architecture, one) || !parseArchitecture(other, two))
    return false;
  return one.capability != two.capability ? one.capability > two.capability : one.reach > two.reach;
}

static xfrt_status failForArchitecture(const xfrt_model &model, const Gpu &device) {
  char known[256] = "";
  size_t used = 0;
  for (const xfrt_model *candidate = &model; candidate; candidate = candidate->next)
    if (candidate->device == XFRT_CUDA && used + strlen(candidate->features) + 5 < sizeof(known))
      used += snprintf(known + used, sizeof(known) - used, "%s%s", used ? " or " : "", candidate->features);
  if (!used)
    return device.message->fail(XFRT_WRONG_ARCHITECTURE, "model %s: the object has no code for GPUs",
                                Quoted(model.name).get());
  return device.message->fail(XFRT_WRONG_ARCHITECTURE, "model %s: expected a device of %s, got sm_%d",
                              Quoted(model.name).get(), known, device.capability);
}

xfrt_status cuda::selectModel(const xfrt_model *&model, const Gpu &device) {
  if (xfrt_status status = checkModel(model, *device.message))
    return status;
  const xfrt_model *selected = nullptr;
  for (const xfrt_model *candidate = model; candidate; candidate = candidate->next)
    if (candidate->device == XFRT_CUDA && candidate->features &&
        runsArchitecture(device.capability, candidate->features) &&
        (!selected || usesMore(candidate->features, selected->features)))
      selected = candidate;
  return selected ? takeVariant(*selected, model, *device.message) : failForArchitecture(*model, device);
}
