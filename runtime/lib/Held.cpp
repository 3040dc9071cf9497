//===- Held.cpp - Forms of parameters that a handle keeps -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Held.h"
#include "Model.h"

#include <string.h>

using namespace xfrt;

static const void *sourceOf(const xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step) {
  return context.arguments[heldSource(entry, step)->index].data;
}

bool xfrt::isDue(const xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step) {
  switch (step.when) {
  case XFRT_FILLS_HELD:
    return context.holdsParameters && context.heldSources[step.held] != sourceOf(context, entry, step);
  case XFRT_IF_HELD:
    return context.holdsParameters;
  case XFRT_IF_NOT_HELD:
    return !context.holdsParameters;
  default: // XFRT_ALWAYS; checkModel knows no other
    return true;
  }
}

void xfrt::noteFilled(xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step) {
  if (step.when == XFRT_FILLS_HELD)
    context.heldSources[step.held] = sourceOf(context, entry, step);
}

bool xfrt::updatesParameters(const xfrt_entry &entry) {
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (int32_t updated = entry.results[i].updates; updated >= 0 && entry.arguments[updated].role == XFRT_PARAMETER)
      return true;
  return false;
}

void xfrt::forgetParameters(xfrt_context &context) {
  memset(context.heldSources, 0, size_t(context.model->held_count) * sizeof(void *));
}

xfrt_status xfrt_fetch_parameters(xfrt_context *context) {
  if (!context)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  return context->device->fetch(*context, nullptr);
}

xfrt_status xfrt_fetch_parameter(xfrt_context *context, const void *data) {
  if (!context || !data)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle and a parameter, got a null pointer");
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  return context->device->fetch(*context, data);
}

void xfrt_forget_parameters(xfrt_context *context) {
  if (!context)
    return;
  forgetParameters(*context);
  context->device->forget(*context, nullptr);
}

void xfrt_forget_parameter(xfrt_context *context, const void *data) {
  if (!context || !data)
    return;
  for (int32_t i = 0; i < context->model->held_count; ++i)
    if (context->heldSources[i] == data)
      context->heldSources[i] = nullptr;
  context->device->forget(*context, data);
}
