//===- BufferMemory.cpp - Buffers allocated for callers -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <algorithm>

using namespace xfrt;

/// Computes the size in bytes of a contiguous tensor. Returns false if the buffer has no valid type or shape, or if its
/// size overflows.
static bool measure(const xfrt_buffer &buffer, int64_t &bytes) {
  bytes = int64_t(xfrt_dtype_size(buffer.dtype));
  if (bytes == 0 || buffer.rank < 0 || (buffer.rank > 0 && !buffer.shape))
    return false;
  const int64_t *end = buffer.shape + buffer.rank;
  if (std::any_of(buffer.shape, end, [](int64_t size) { return size < 0; }))
    return false;
  if (std::find(buffer.shape, end, 0) != end) {
    bytes = 0;
    return true;
  }
  return std::all_of(buffer.shape, end, [&](int64_t size) { return multiply(bytes, size, bytes); });
}

static xfrt_status failMeasure(xfrt_context &context, const xfrt_buffer &buffer) {
  return context.message.fail(
      XFRT_BAD_BUFFER, "expected a buffer with a type and a shape below 2^63 bytes, got %s of %s",
      xfrt_dtype_name(buffer.dtype),
      buffer.shape && buffer.rank > 0 ? ShapeText(buffer.shape, buffer.rank).get() : "no shape");
}

static xfrt_status failNull(xfrt_context *context) {
  Message &message = context ? context->message : threadMessage();
  return message.fail(XFRT_INVALID_ARGUMENT, "expected a handle and a buffer, got a null pointer");
}

xfrt_status xfrt_buffer_allocate(xfrt_context *context, xfrt_buffer *buffer) {
  if (!context || !buffer)
    return failNull(context);
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  int64_t bytes;
  if (!measure(*buffer, bytes))
    return failMeasure(*context, *buffer);
  void *data = nullptr;
  if (bytes > 0)
    if (xfrt_status status = context->device->allocate(*context, size_t(bytes), data))
      return status;
  if (!data && bytes > 0)
    return context->message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes", size_t(bytes));
  buffer->data = data;
  buffer->device = context->device->memory;
  return XFRT_OK;
}

void xfrt_buffer_release(xfrt_context *context, xfrt_buffer *buffer) {
  int64_t bytes;
  if (!context || !buffer || !buffer->data || !measure(*buffer, bytes))
    return;
  if (!isOfParent(*context))
    context->device->release(*context, buffer->data, size_t(bytes));
  buffer->data = nullptr;
}

static bool isSameTensor(const xfrt_buffer &a, const xfrt_buffer &b) {
  return a.dtype == b.dtype && a.rank == b.rank && std::equal(a.shape, a.shape + a.rank, b.shape);
}

/// Verifies a copy between two buffers, and sets `bytes` to the size of each. They must have the same type and shape
/// and no strides, and must not overlap. Each must lie in host memory or in memory of the handle's GPU.
static xfrt_status checkCopy(xfrt_context &context, const xfrt_buffer &from, const xfrt_buffer &to, int64_t &bytes) {
  int64_t same;
  for (const xfrt_buffer *buffer : {&from, &to})
    if (!measure(*buffer, buffer == &from ? bytes : same))
      return failMeasure(context, *buffer);
  if (!isSameTensor(from, to))
    return context.message.fail(XFRT_BAD_BUFFER,
                                "expected buffers of the same type and shape, got %s of %s and %s of %s",
                                xfrt_dtype_name(from.dtype), ShapeText(from.shape, from.rank).get(),
                                xfrt_dtype_name(to.dtype), ShapeText(to.shape, to.rank).get());
  for (const xfrt_buffer *buffer : {&from, &to}) {
    if (buffer->strides)
      return context.message.fail(XFRT_BAD_BUFFER, "expected buffers without strides");
    if (buffer->device != hostMemory && buffer->device != context.device->memory)
      return context.message.fail(XFRT_BAD_BUFFER, "expected memory of the host or of the handle's GPU, got device %d",
                                  buffer->device);
    if (!buffer->data && bytes > 0)
      return context.message.fail(XFRT_BAD_BUFFER, "expected %lld bytes of data, got a null pointer", (long long)bytes);
  }
  auto *a = static_cast<const char *>(from.data), *b = static_cast<const char *>(to.data);
  if (from.device == to.device && a < b + bytes && b < a + bytes)
    return context.message.fail(XFRT_BAD_BUFFER, "expected separate memory, but the buffers overlap");
  return XFRT_OK;
}

xfrt_status xfrt_buffer_copy(xfrt_context *context, const xfrt_buffer *from, const xfrt_buffer *to) {
  if (!context || !from || !to)
    return failNull(context);
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  int64_t bytes = 0;
  if (xfrt_status status = checkCopy(*context, *from, *to, bytes))
    return status;
  if (bytes == 0)
    return XFRT_OK;
  return context->device->copy(*context, {static_cast<char *>(from->data), bytes, from->device},
                               {static_cast<char *>(to->data), bytes, to->device});
}
