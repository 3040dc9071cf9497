//===- Transfer.cpp - Arguments, results and parameters on a GPU ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"
#include "../Buffers.h"

#include <algorithm>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

static size_t stagedBytes(const Span &span) {
  return (size_t(span.bytes) + stagedAlignment - 1) & ~(stagedAlignment - 1);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void cuda::listParameters(Handle &handle, const xfrt_model &model) {
  int32_t *next = handle.parameters.numbers;
  KeptParameter *end = handle.parameters.kept;
  for (int32_t i = 0; i < model.entry_count; ++i)
    for (int32_t j = 0; j < model.entries[i].argument_count; ++j) {
      const xfrt_tensor &tensor = model.entries[i].arguments[j];
      KeptParameter *known = std::find_if(handle.parameters.kept, end, [&](const KeptParameter &parameter) {
        return strcmp(parameter.name, tensor.name) == 0;
      });
      if (tensor.role != XFRT_INPUT && known == end)
        *end++ = {tensor.name, {}, nullptr, 0, false};
      *next++ = tensor.role == XFRT_INPUT ? -1 : int32_t(known - handle.parameters.kept);
    }
  handle.parameters.count = int32_t(end - handle.parameters.kept);
}

/// Chooses the place of a span on the device. For a staged copy, the address is an offset in the staging block, and
/// `stagingBytes` grows by the copy's size. An empty tensor gets offset 0, because tensor maps need an address although
/// no kernel reads it.
static Place placeOf(const Span &span, int32_t parameter, size_t &stagingBytes) {
  if (span.bytes > 0 && span.device == XFRT_CUDA)
    return {Place::Given, -1, reinterpret_cast<Address>(span.data)};
  if (span.bytes > 0 && parameter >= 0)
    return {Place::Kept, parameter, 0};
  Place place = {Place::Staged, -1, span.bytes > 0 ? stagingBytes : 0};
  stagingBytes += stagedBytes(span);
  return place;
}

/// Completes the address of a place. For a staged copy adds the address of the staging block to the offset. For a kept
/// parameter grows the block of the parameter to the size of the span, and sets the address to that of the block.
static xfrt_status resolvePlace(Handle &handle, const Span &span, Place &place) {
  if (place.kind == Place::Staged)
    place.address += handle.staging.address;
  if (place.kind != Place::Kept)
    return XFRT_OK;
  KeptParameter &parameter = handle.parameters.kept[place.parameter];
  if (size_t(span.bytes) > parameter.block.bytes)
    parameter.source = nullptr;
  xfrt_status status = growBlock(handle.device, parameter.block, size_t(span.bytes));
  place.address = parameter.block.address;
  return status;
}

xfrt_status cuda::placeBuffers(xfrt_context &context, const xfrt_entry &entry) {
  Handle &handle = handleOf(context);
  const int32_t *parameterOf =
      handle.parameters.numbers + handle.entries[&entry - context.model->entries].firstArgument;
  bool keeps = handle.parameters.hold != XFRT_READ_PARAMETERS;
  size_t bytes = 0;
  for (int32_t i = 0; i < entry.argument_count; ++i)
    handle.call.arguments[i] = placeOf(context.arguments[i], keeps ? parameterOf[i] : -1, bytes);
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (entry.results[i].updates < 0)
      handle.call.results[i] = placeOf(context.results[i], -1, bytes);
  if (xfrt_status status = growBlock(handle.device, handle.staging, std::max(bytes, stagedAlignment)))
    return status;
  for (int32_t i = 0; i < entry.argument_count; ++i)
    if (xfrt_status status = resolvePlace(handle, context.arguments[i], handle.call.arguments[i]))
      return status;
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (int32_t updated = entry.results[i].updates; updated >= 0)
      handle.call.results[i] = handle.call.arguments[updated];
    else if (xfrt_status status = resolvePlace(handle, context.results[i], handle.call.results[i]))
      return status;
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static xfrt_status copyToDevice(Gpu &device, Address to, const void *from, int64_t bytes) {
  if (device.isRecording)
    return device.failRecording();
  return device.run(device.driver->copyToDevice, to, from, size_t(bytes), device.stream);
}

static xfrt_status copyToHost(Gpu &device, void *to, Address from, int64_t bytes) {
  if (device.isRecording)
    return device.failRecording();
  return device.run(device.driver->copyToHost, to, from, size_t(bytes), device.stream);
}

static bool isCurrent(const KeptParameter &parameter, const Span &span) {
  return parameter.source == span.data && parameter.bytes == span.bytes;
}

/// Copies a kept parameter from the host to the device and sets `copied` to true. Does nothing if the copy on the
/// device is valid.
static xfrt_status refresh(Gpu &device, KeptParameter &parameter, const Span &span, bool &copied) {
  if (isCurrent(parameter, span))
    return XFRT_OK;
  parameter.source = nullptr;
  if (xfrt_status status = copyToDevice(device, parameter.block.address, span.data, span.bytes))
    return status;
  parameter.source = span.data;
  parameter.bytes = span.bytes;
  parameter.isNewer = false;
  copied = true;
  return XFRT_OK;
}

bool cuda::needsCopies(const xfrt_context &context, const xfrt_entry &entry) {
  const Handle &handle = handleOf(context);
  for (int32_t i = 0; i < entry.argument_count; ++i) {
    const Place &place = handle.call.arguments[i];
    const Span &span = context.arguments[i];
    bool isThere = place.kind == Place::Given ||
                   (place.kind == Place::Kept && isCurrent(handle.parameters.kept[place.parameter], span));
    if (span.bytes > 0 && !isThere)
      return true;
  }
  for (int32_t i = 0; i < entry.result_count; ++i) {
    const Place &place = handle.call.results[i];
    bool stays =
        place.kind == Place::Given || (place.kind == Place::Kept && handle.parameters.hold == XFRT_RESIDENT_PARAMETERS);
    if (context.results[i].bytes > 0 && !stays)
      return true;
  }
  return false;
}

xfrt_status cuda::copyArguments(xfrt_context &context, const xfrt_entry &entry, bool &copied) {
  Handle &handle = handleOf(context);
  for (int32_t i = 0; i < entry.argument_count; ++i) {
    const Place &place = handle.call.arguments[i];
    const Span &span = context.arguments[i];
    if (span.bytes == 0 || place.kind == Place::Given)
      continue;
    if (place.kind == Place::Kept) {
      if (xfrt_status status = refresh(handle.device, handle.parameters.kept[place.parameter], span, copied))
        return status;
      continue;
    }
    if (xfrt_status status = copyToDevice(handle.device, place.address, span.data, span.bytes))
      return status;
    copied = true;
  }
  return XFRT_OK;
}

xfrt_status cuda::copyResults(xfrt_context &context, const xfrt_entry &entry, bool &copied) {
  Handle &handle = handleOf(context);
  for (int32_t i = 0; i < entry.result_count; ++i) {
    const Place &place = handle.call.results[i];
    const Span &span = context.results[i];
    if (span.bytes == 0 || place.kind == Place::Given)
      continue;
    if (place.kind == Place::Kept && handle.parameters.hold == XFRT_RESIDENT_PARAMETERS) {
      handle.parameters.kept[place.parameter].isNewer = true;
      continue;
    }
    if (xfrt_status status = copyToHost(handle.device, span.data, place.address, span.bytes))
      return status;
    copied = true;
  }
  return XFRT_OK;
}

void cuda::dropUpdated(Handle &handle, const xfrt_entry &entry) {
  for (int32_t i = 0; i < entry.result_count; ++i)
    if (handle.call.results[i].kind == Place::Kept && handle.parameters.hold == XFRT_HOLD_PARAMETERS)
      handle.parameters.kept[handle.call.results[i].parameter].source = nullptr;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Copies the elements of an argument from device memory to the host memory handle.call.integers, and waits for the
/// copy.
static xfrt_status download(Handle &handle, Address from, int64_t bytes) {
  Gpu &device = handle.device;
  HostBlock &integers = handle.call.integers;
  if (size_t(bytes) > integers.bytes) {
    handle.allocator.release(integers.data, integers.bytes);
    integers.data = static_cast<char *>(handle.allocator.allocate(size_t(bytes)));
    integers.bytes = integers.data ? size_t(bytes) : 0;
    if (!integers.data)
      return device.message->fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes to check integers", size_t(bytes));
  }
  if (xfrt_status status = copyToHost(device, integers.data, from, bytes))
    return status;
  return synchronize(device);
}

/// Returns the device memory with the current elements of an argument, or 0 if they are in host memory. The elements of
/// a state are on the device if an earlier call has updated them there.
static Address deviceAddress(const Handle &handle, const Span &span, int32_t parameter) {
  if (span.bytes == 0)
    return 0;
  if (span.device == XFRT_CUDA)
    return reinterpret_cast<Address>(span.data);
  bool isNewer = parameter >= 0 && handle.parameters.hold != XFRT_READ_PARAMETERS &&
                 handle.parameters.kept[parameter].isNewer && isCurrent(handle.parameters.kept[parameter], span);
  return isNewer ? handle.parameters.kept[parameter].block.address : 0;
}

xfrt_status cuda::checkIntegers(xfrt_context &context, const xfrt_entry &entry) {
  Handle &handle = handleOf(context);
  const int32_t *parameterOf =
      handle.parameters.numbers + handle.entries[&entry - context.model->entries].firstArgument;
  for (int32_t i = 0; i < entry.argument_count; ++i) {
    if (!entry.arguments[i].checked)
      continue;
    const Span &span = context.arguments[i];
    Address there = deviceAddress(handle, span, parameterOf[i]);
    if (there)
      if (xfrt_status status = download(handle, there, span.bytes))
        return status;
    if (xfrt_status status = checkInteger(context, entry, i, there ? handle.call.integers.data : span.data))
      return status;
  }
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Returns whether the parameter has a valid copy. If `data` is not null, the copy must also be one of the host memory
/// at `data`.
static bool isOf(const KeptParameter &parameter, const void *data) {
  return parameter.source && (!data || parameter.source == data);
}

/// Enqueues copies to host memory of those kept parameters whose copy on the device is newer. If `data` is not null,
/// considers only the parameter at `data` in host memory (isOf). Sets `copied` to true if it enqueues a copy, and
/// leaves it unchanged otherwise.
static xfrt_status copyNewer(Handle &handle, const void *data, bool &copied) {
  for (int32_t i = 0; i < handle.parameters.count; ++i) {
    KeptParameter &parameter = handle.parameters.kept[i];
    if (!isOf(parameter, data) || !parameter.isNewer)
      continue;
    if (xfrt_status status = copyToHost(handle.device, parameter.source, parameter.block.address, parameter.bytes))
      return status;
    copied = true;
  }
  return XFRT_OK;
}

xfrt_status cuda::fetchParameters(Handle &handle, const void *data) {
  bool copied = false;
  xfrt_status status = copyNewer(handle, data, copied);
  if (!status && copied)
    status = synchronize(handle.device);
  if (status) {
    drain(handle.device);
    return status;
  }
  for (int32_t i = 0; i < handle.parameters.count; ++i)
    if (isOf(handle.parameters.kept[i], data))
      handle.parameters.kept[i].isNewer = false;
  return XFRT_OK;
}

void cuda::forgetCopies(Handle &handle, const void *data) {
  for (int32_t i = 0; i < handle.parameters.count; ++i)
    if (isOf(handle.parameters.kept[i], data))
      handle.parameters.kept[i].source = nullptr;
}
