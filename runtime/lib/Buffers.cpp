//===- Buffers.cpp - Verification and binding of buffers ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Model.h"

#include <algorithm>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

using namespace xfrt;

static constexpr int64_t unbound = INT64_MIN;

static uintptr_t addressOf(const void *data) { return reinterpret_cast<uintptr_t>(data); }

//===----------------------------------------------------------------------===//
// Types, shapes, strides, alignment
//===----------------------------------------------------------------------===//

namespace {
/// An argument or result that is being verified. Its method `fail` prefixes messages with its name.
struct Subject {
  xfrt_context &context;
  const xfrt_entry &entry;
  const xfrt_tensor &tensor;
  const char *kind;

  xfrt_status fail(const char *format, ...) const __attribute__((format(printf, 2, 3)));
};
} // namespace

xfrt_status Subject::fail(const char *format, ...) const {
  char what[512];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof(what), format, values);
  va_end(values);
  return context.message.fail(XFRT_BAD_BUFFER, "entry %s: %s %s: %s", Quoted(entry.name).get(), kind,
                              Quoted(tensor.name).get(), what);
}

/// Writes the declared shape of a tensor as text, with symbols by their names, such as "Bx4xNx64".
static void describeShape(const xfrt_entry &entry, const xfrt_tensor &tensor, char *text, size_t capacity) {
  size_t used = snprintf(text, capacity, "%s", tensor.rank ? "" : "scalar");
  for (int32_t i = 0; i < tensor.rank && used + 32 < capacity; ++i) {
    const xfrt_dim &dim = tensor.dims[i];
    const char *separator = i ? "x" : "";
    if (dim.symbol < 0)
      used += snprintf(text + used, capacity - used, "%s%" PRId64, separator, dim.size);
    else
      used += snprintf(text + used, capacity - used, "%s%.24s", separator, entry.symbols[dim.symbol].name);
  }
}

static xfrt_status failShape(const Subject &subject, const xfrt_buffer &buffer) {
  char expected[160];
  describeShape(subject.entry, subject.tensor, expected, sizeof(expected));
  return subject.fail("expected shape %s, got %s", expected, ShapeText(buffer.shape, buffer.rank).get());
}

static xfrt_status checkSizes(const Subject &subject, const xfrt_buffer &buffer) {
  const xfrt_tensor &tensor = subject.tensor;
  if (buffer.rank != tensor.rank)
    return subject.fail("expected rank %d, got %d", tensor.rank, buffer.rank);
  if (buffer.rank > 0 && !buffer.shape)
    return subject.fail("expected a shape, got a null pointer");
  for (int32_t i = 0; i < tensor.rank; ++i) {
    const xfrt_dim &dim = tensor.dims[i];
    int64_t size = buffer.shape[i];
    if (size < 0 || (dim.symbol < 0 && size != dim.size))
      return failShape(subject, buffer);
    if (dim.symbol < 0)
      continue;
    const xfrt_symbol &symbol = subject.entry.symbols[dim.symbol];
    int64_t &value = subject.context.symbols[dim.symbol];
    if (value != unbound && value != size)
      return subject.fail("expected %s = %" PRId64 " in dimension %d as in the tensors before, got %" PRId64,
                          Quoted(symbol.name).get(), value, i, size);
    if (size < symbol.min || size > symbol.max)
      return subject.fail("expected %s between %" PRId64 " and %" PRId64 " in dimension %d, got %" PRId64,
                          Quoted(symbol.name).get(), symbol.min, symbol.max, i, size);
    value = size;
  }
  return XFRT_OK;
}

/// Verifies that strides are row-major and contiguous. Ignores strides of dimensions of size 1 and of empty tensors,
/// because no element depends on them.
static xfrt_status checkStrides(const Subject &subject, const xfrt_buffer &buffer) {
  int64_t expected = 1;
  for (int32_t i = buffer.rank - 1; i >= 0; --i) {
    if (buffer.shape[i] == 0)
      return XFRT_OK;
    if (buffer.shape[i] > 1 && buffer.strides[i] != expected)
      return subject.fail("expected a contiguous buffer, stride %" PRId64 " in dimension %d, got %" PRId64, expected, i,
                          buffer.strides[i]);
    expected *= buffer.shape[i];
  }
  return XFRT_OK;
}

static xfrt_status bindBuffer(const Subject &subject, const xfrt_buffer &buffer, Span &span) {
  const xfrt_tensor &tensor = subject.tensor;
  if (buffer.dtype != tensor.dtype)
    return subject.fail("expected %s, got %s", xfrt_dtype_name(tensor.dtype), xfrt_dtype_name(buffer.dtype));
  const Device &device = *subject.context.device;
  if (buffer.device != hostMemory && buffer.device != device.memory)
    return subject.fail("expected memory of %s, got memory of device %d", device.memories, buffer.device);
  if (xfrt_status status = checkSizes(subject, buffer))
    return status;
  const int64_t elementBytes = xfrt_dtype_size(tensor.dtype);
  const int64_t alignment = std::max(elementBytes, buffer.device == device.memory ? device.bufferAlignment : 1);
  int64_t bytes = elementBytes;
  bool empty = std::find(buffer.shape, buffer.shape + buffer.rank, 0) != buffer.shape + buffer.rank;
  for (int32_t i = 0; i < buffer.rank && !empty; ++i)
    if (!multiply(bytes, buffer.shape[i], bytes))
      return subject.fail("expected fewer than 2^63 bytes, got shape %s", ShapeText(buffer.shape, buffer.rank).get());
  if (buffer.strides && !empty)
    if (xfrt_status status = checkStrides(subject, buffer))
      return status;
  uintptr_t address = addressOf(buffer.data);
  if (!buffer.data && !empty)
    return subject.fail("expected %" PRId64 " bytes of data, got a null pointer", bytes);
  if (address % alignment != 0 && !empty)
    return subject.fail("expected data aligned to %d bytes, got address 0x%" PRIxPTR, int(alignment), address);
  span = {static_cast<char *>(buffer.data), empty ? 0 : bytes, buffer.device};
  return XFRT_OK;
}

/// Verifies the buffer of a result and sets `span` to its memory. A result that updates an argument lies in the
/// argument's memory: its `data` must be null or equal to the argument's `data`.
static xfrt_status bindResult(const Subject &subject, const xfrt_buffer &buffer, Span &span) {
  int32_t updated = subject.tensor.updates;
  if (updated < 0)
    return bindBuffer(subject, buffer, span);
  const Span &target = subject.context.arguments[updated];
  if (buffer.data) {
    if (xfrt_status status = bindBuffer(subject, buffer, span))
      return status;
    if (span.data != target.data || span.device != target.device)
      return subject.fail("expected the buffer of argument %s, which it updates, or null",
                          Quoted(subject.entry.arguments[updated].name).get());
  }
  span = target;
  return XFRT_OK;
}

/// Computes the derived symbols from the others. If a dimension of an argument has a derived symbol, verifies that its
/// size is the computed one.
static xfrt_status deriveSymbols(xfrt_context &context, const xfrt_entry &entry) {
  const int32_t first = entry.symbol_count - entry.derived_count;
  for (int32_t i = first; i < entry.symbol_count; ++i) {
    int64_t &value = context.symbols[i];
    int64_t given = value == unbound ? entry.derive(context.symbols, i - first) : value;
    if (xfrt_status status = checkDerived(entry, i - first, context.symbols, given, context.message))
      return status;
    value = given;
  }
  return XFRT_OK;
}

xfrt_status xfrt::bindBuffers(xfrt_context &context, const xfrt_entry &entry, const xfrt_buffer *arguments,
                              const xfrt_buffer *results) {
  std::fill(context.symbols, context.symbols + entry.symbol_count, unbound);
  for (int32_t i = 0; i < entry.argument_count; ++i) {
    Subject subject{context, entry, entry.arguments[i], "argument"};
    if (xfrt_status status = bindBuffer(subject, arguments[i], context.arguments[i]))
      return status;
  }
  if (xfrt_status status = deriveSymbols(context, entry))
    return status;
  for (int32_t i = 0; i < entry.result_count; ++i) {
    Subject subject{context, entry, entry.results[i], "result"};
    if (xfrt_status status = bindResult(subject, results[i], context.results[i]))
      return status;
  }
  for (int32_t i = 0; i < entry.symbol_count; ++i)
    if (context.symbols[i] == unbound)
      return context.message.fail(XFRT_BAD_MODEL, "entry %s: no tensor has the size %s", Quoted(entry.name).get(),
                                  Quoted(entry.symbols[i].name).get());
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

static xfrt_status failOverlap(xfrt_context &context, const xfrt_entry &entry, int32_t a, int32_t b) {
  if (a >= 0) // results are named first: they are the likelier mistake of the caller
    std::swap(a, b);
  auto kind = [&](int32_t owner) {
    return owner == workspaceOwner ? "the workspace" : owner < 0 ? "result " : "argument ";
  };
  auto name = [&](int32_t owner) {
    return Quoted(owner < 0 ? entry.results[~owner].name : entry.arguments[owner].name);
  };
  auto show = [&](int32_t owner, char *text, size_t capacity) {
    snprintf(text, capacity, "%s%s", kind(owner), owner == workspaceOwner ? "" : name(owner).get());
  };
  char first[160], second[160];
  show(a, first, sizeof(first));
  show(b, second, sizeof(second));
  return context.message.fail(XFRT_BAD_BUFFER, "entry %s: expected separate memory, but %s overlaps %s",
                              Quoted(entry.name).get(), first, second);
}

/// Fills context.spans with the spans that lie in `memory` (an xfrt_device). These are the arguments, the results that
/// update no argument, and the workspace. Returns the end of the filled part.
static OwnedSpan *collectSpans(xfrt_context &context, const xfrt_entry &entry, int32_t memory, const Span &workspace) {
  OwnedSpan *end = context.spans;
  auto bytesOf = [&](const Span &span) { return span.device == memory ? span.bytes : 0; };
  for (int32_t i = 0; i < entry.argument_count; ++i)
    *end++ = {addressOf(context.arguments[i].data), bytesOf(context.arguments[i]), i, false};
  for (int32_t i = 0; i < entry.result_count; ++i) {
    if (entry.results[i].updates >= 0)
      context.spans[entry.results[i].updates].written = true;
    else
      *end++ = {addressOf(context.results[i].data), bytesOf(context.results[i]), ~i, true};
  }
  *end++ = {addressOf(workspace.data), bytesOf(workspace), workspaceOwner, true};
  return std::remove_if(context.spans, end, [](const OwnedSpan &span) { return span.bytes == 0; });
}

xfrt_status xfrt::checkOverlap(xfrt_context &context, const xfrt_entry &entry, int32_t memory, const Span &workspace) {
  // Spans may overlap only where neither is written: one sweep in the order of addresses.
  OwnedSpan *end = collectSpans(context, entry, memory, workspace);
  std::sort(context.spans, end, [](const OwnedSpan &a, const OwnedSpan &b) { return a.begin < b.begin; });
  const OwnedSpan *farthest = nullptr, *farthestWritten = nullptr;
  auto reaches = [](const OwnedSpan *span, const OwnedSpan &next) {
    return span && span->begin + uint64_t(span->bytes) > next.begin;
  };
  auto extends = [](const OwnedSpan *span, const OwnedSpan &next) {
    return !span || next.begin + uint64_t(next.bytes) > span->begin + uint64_t(span->bytes);
  };
  for (const OwnedSpan *span = context.spans; span != end; ++span) {
    if (reaches(farthestWritten, *span))
      return failOverlap(context, entry, farthestWritten->owner, span->owner);
    if (span->written && reaches(farthest, *span))
      return failOverlap(context, entry, span->owner, farthest->owner);
    if (extends(farthest, *span))
      farthest = span;
    if (span->written && extends(farthestWritten, *span))
      farthestWritten = span;
  }
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Integer ranges
//===----------------------------------------------------------------------===//

/// Returns a pointer to the first element outside [lowest, highest], or `end` if there is none.
template <typename Integer>
static const Integer *findOutside(const Integer *begin, const Integer *end, int64_t lowest, int64_t highest) {
  return std::find_if(begin, end, [=](Integer value) { return value < lowest || value > highest; });
}

/// Returns a pointer to the first element that is neither `mark` nor in [0, highest], or `end` if there is none.
template <typename Integer>
static const Integer *findUnmarked(const Integer *begin, const Integer *end, int64_t mark, int64_t highest) {
  return std::find_if(begin, end, [=](Integer value) { return value != mark && (value < 0 || value > highest); });
}

/// Verifies that the elements do not decrease, as required of the offsets of consecutive lists.
template <typename Integer>
static xfrt_status checkOrder(xfrt_context &context, const xfrt_entry &entry, int32_t argument, const Integer *begin,
                              const Integer *end) {
  const Integer *found = std::is_sorted_until(begin, end);
  if (found == end)
    return XFRT_OK;
  return context.message.fail(XFRT_OUT_OF_RANGE,
                              "entry %s: argument %s: expected elements that do not decrease, got %" PRId64
                              " after %" PRId64 " at index %" PRId64,
                              Quoted(entry.name).get(), Quoted(entry.arguments[argument].name).get(), int64_t(*found),
                              int64_t(found[-1]), int64_t(found - begin));
}

/// Fails because a state is full. The state is a position at which calls write, such as the count of a cache. It must
/// be at most `highest` for this call, but its value is `held`.
static xfrt_status failFull(xfrt_context &context, const xfrt_entry &entry, const xfrt_tensor &tensor, int64_t held,
                            int64_t highest) {
  Quoted entryName(entry.name), name(tensor.name);
  if (tensor.checked & XFRT_LEAVES_ROOM)
    return context.message.fail(
        XFRT_OUT_OF_RANGE,
        "entry %s: state %s is full: expected at most %" PRId64 " of %" PRId64 " before %" PRId64 " more, got %" PRId64,
        entryName.get(), name.get(), highest, tensor.limit_offset, context.symbols[tensor.limit_symbol], held);
  return context.message.fail(XFRT_OUT_OF_RANGE,
                              "entry %s: state %s is full: expected at most %" PRId64 " before this call, got %" PRId64,
                              entryName.get(), name.get(), highest, held);
}

template <typename Integer>
static xfrt_status checkRange(xfrt_context &context, const xfrt_entry &entry, int32_t argument, const char *data) {
  const xfrt_tensor &tensor = entry.arguments[argument];
  auto *begin = reinterpret_cast<const Integer *>(data);
  auto *end = begin + context.arguments[argument].bytes / int64_t(sizeof(Integer));
  int64_t highest = tensor.highest;
  if (tensor.checked & XFRT_LIMITED)
    highest = std::min(highest, context.symbols[tensor.limit_symbol] + tensor.limit_offset);
  if (tensor.checked & XFRT_LEAVES_ROOM)
    highest = std::min(highest, tensor.limit_offset - context.symbols[tensor.limit_symbol]);
  bool isMarked = tensor.checked & XFRT_MARKED;
  const Integer *found =
      isMarked ? findUnmarked(begin, end, tensor.lowest, highest) : findOutside(begin, end, tensor.lowest, highest);
  if (found == end)
    return tensor.checked & XFRT_ORDERED ? checkOrder(context, entry, argument, begin, end) : XFRT_OK;
  if (tensor.role == XFRT_STATE && tensor.checked & XFRT_PLACE && *found > highest)
    return failFull(context, entry, tensor, *found, highest);
  char mark[32] = "";
  if (isMarked)
    snprintf(mark, sizeof mark, "%" PRId64 " or ", tensor.lowest);
  return context.message.fail(
      XFRT_OUT_OF_RANGE,
      "entry %s: %s %s: expected %selements between %" PRId64 " and %" PRId64 ", got %" PRId64 " at index %" PRId64,
      Quoted(entry.name).get(), tensor.role == XFRT_STATE ? "state" : "argument", Quoted(tensor.name).get(), mark,
      isMarked ? 0 : tensor.lowest, highest, int64_t(*found), int64_t(found - begin));
}

xfrt_status xfrt::checkInteger(xfrt_context &context, const xfrt_entry &entry, int32_t argument, const char *data) {
  const xfrt_tensor &tensor = entry.arguments[argument];
  if (tensor.checked && tensor.dtype == XFRT_I32)
    return checkRange<int32_t>(context, entry, argument, data);
  if (tensor.checked && tensor.dtype == XFRT_I64)
    return checkRange<int64_t>(context, entry, argument, data);
  return XFRT_OK;
}

xfrt_status xfrt::checkIntegers(xfrt_context &context, const xfrt_entry &entry) {
  for (int32_t i = 0; i < entry.argument_count; ++i) {
    if (!entry.arguments[i].checked)
      continue;
    if (xfrt_status status = checkInteger(context, entry, i, context.arguments[i].data))
      return status;
  }
  return XFRT_OK;
}
