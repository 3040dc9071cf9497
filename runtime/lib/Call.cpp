//===- Call.cpp - Running an entry ----------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements xfrt_call: verifies the buffers and computes the frame. The handle's device runs the steps.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

using namespace xfrt;

static xfrt_status checkCounts(xfrt_context &context, int32_t entryIndex, const xfrt_buffer *arguments,
                               int32_t argumentCount, const xfrt_buffer *results, int32_t resultCount) {
  if (entryIndex < 0 || entryIndex >= context.model->entry_count)
    return context.message.fail(XFRT_INVALID_ARGUMENT, "expected an entry below %d, got %d", context.model->entry_count,
                                entryIndex);
  const xfrt_entry &entry = context.model->entries[entryIndex];
  if (argumentCount != entry.argument_count || resultCount != entry.result_count)
    return context.message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected %d arguments and %d results, got %d and %d",
                                Quoted(entry.name).get(), entry.argument_count, entry.result_count, argumentCount,
                                resultCount);
  if ((argumentCount > 0 && !arguments) || (resultCount > 0 && !results))
    return context.message.fail(XFRT_INVALID_ARGUMENT, "entry %s: expected an array of buffers, got a null pointer",
                                Quoted(entry.name).get());
  return XFRT_OK;
}

xfrt_status xfrt_call(xfrt_context *handle, int32_t entryIndex, const xfrt_buffer *arguments, int32_t argumentCount,
                      const xfrt_buffer *results, int32_t resultCount) {
  if (!handle)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  xfrt_context &context = *handle;
  Exclusive exclusive(context);
  if (exclusive.status)
    return exclusive.status;
  if (xfrt_status status = checkCounts(context, entryIndex, arguments, argumentCount, results, resultCount))
    return status;
  const xfrt_entry &entry = context.model->entries[entryIndex];
  if (xfrt_status status = bindBuffers(context, entry, arguments, results))
    return context.ranks ? context.ranks->begin(entry, context.symbols, status, context.message) : status;
  return context.device->call(context, entry, evaluateFrame(context, entry));
}
