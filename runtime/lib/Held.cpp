//===- Held.cpp - Forms of parameters that a handle keeps -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Held.h"
#include "Workspace.h"
#include "cuda/Handle.h"
#include "cuda/Transfer.h"

#include <string.h>

using namespace xfrt;

/// Returns the size of the memory for held forms and, behind them, the array of their sources.
static size_t heldBytes(const xfrt_model &model) {
  return alignUp(size_t(model.held_bytes)) + size_t(model.held_count) * sizeof(void *);
}

xfrt_status xfrt::ensureHeld(xfrt_context &context) {
  const xfrt_model &model = *context.model;
  if (!context.holdsParameters || context.held || model.held_count == 0)
    return XFRT_OK;
  context.held = static_cast<char *>(context.allocator.allocate(heldBytes(model)));
  if (!context.held)
    return context.message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes to hold parameters", heldBytes(model));
  context.heldSources = reinterpret_cast<const void **>(context.held + alignUp(size_t(model.held_bytes)));
  forgetParameters(context);
  return XFRT_OK;
}

static const void *sourceOf(const xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch) {
  return context.arguments[entry.operands[launch.first_operand].index].data;
}

bool xfrt::isDue(const xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch) {
  switch (launch.when) {
  case XFRT_FILLS_HELD:
    return context.holdsParameters && context.heldSources[launch.held] != sourceOf(context, entry, launch);
  case XFRT_IF_HELD:
    return context.holdsParameters;
  case XFRT_IF_NOT_HELD:
    return !context.holdsParameters;
  default: // XFRT_ALWAYS; checkModel knows no other
    return true;
  }
}

void xfrt::noteFilled(xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch) {
  if (launch.when == XFRT_FILLS_HELD)
    context.heldSources[launch.held] = sourceOf(context, entry, launch);
}

bool xfrt::updatesParameters(const xfrt_entry &entry) {
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (entry.results[i].updates >= 0)
      return true;
  return false;
}

void xfrt::forgetParameters(xfrt_context &context) {
  if (context.heldSources)
    memset(context.heldSources, 0, size_t(context.model->held_count) * sizeof(void *));
}

void xfrt::releaseHeld(xfrt_context &context) {
  context.allocator.release(context.held, context.held ? heldBytes(*context.model) : 0);
}

xfrt_status xfrt_fetch_parameters(xfrt_context *context) {
  if (!context)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  Exclusive exclusive(*context);
  if (!exclusive)
    return XFRT_BUSY;
  return context->gpu ? cuda::fetch(*context->gpu) : XFRT_OK;
}

void xfrt_forget_parameters(xfrt_context *context) {
  if (!context)
    return;
  forgetParameters(*context);
  if (context->gpu)
    cuda::forgetCopies(*context->gpu);
}
