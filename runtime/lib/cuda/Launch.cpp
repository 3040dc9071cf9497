//===- Launch.cpp - Kernels on a GPU --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enqueues the steps of an entry. A launch resolves its operands to addresses and its scalars to numbers, as on a CPU.
// It encodes a tensor map again if its address, a size or a stride has changed. The driver runs copies.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "../Held.h"
#include "../Tables.h"
#include "Collective.h"
#include "Ranges.h"

#include <algorithm>
#include <inttypes.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static int typeOf(int32_t dtype) {
  static const int types[] = {mapFloat32, mapFloat64, mapFloat16, mapBfloat16, mapInt32, mapInt64, mapUint8};
  return types[dtype]; // checkModel knows no other
}

static int swizzleOf(int32_t bytes) {
  return bytes == 0 ? swizzleNone : bytes == 32 ? swizzle32 : bytes == 64 ? swizzle64 : swizzle128;
}

/// Computes the sizes and strides (in elements) of a tensor map from a frame. A dimension of size 1, along which no
/// kernel steps, gets a stride of 16 bytes, because the driver rejects unaligned strides. An empty tensor gets one
/// element, which no kernel reads.
static void measure(const xfrt_tensor_map &map, const int64_t *frame, EncodedMap &result) {
  const int64_t unit = 16 / int64_t(xfrt_dtype_size(map.dtype));
  bool isEmpty = false;
  for (int32_t i = 0; i < map.rank; ++i) {
    result.sizes[i] = map.sizes[i] < 0 ? 1 : frame[map.sizes[i]];
    result.strides[i] = i == 0 || map.strides[i] < 0 ? 1 : frame[map.strides[i]];
    isEmpty |= result.sizes[i] == 0;
  }
  for (int32_t i = 0; i < map.rank; ++i) {
    if (isEmpty)
      result.sizes[i] = 1;
    if (i > 0 && result.sizes[i] == 1)
      result.strides[i] = unit;
  }
}

static xfrt_status encode(Gpu &device, const xfrt_tensor_map &map, EncodedMap &encoded) {
  const int64_t elementBytes = int64_t(xfrt_dtype_size(map.dtype));
  uint64_t sizes[5], strides[5];
  uint32_t box[5], steps[5];
  for (int32_t i = 0; i < map.rank; ++i) {
    sizes[i] = uint64_t(encoded.sizes[i]);
    strides[i] = uint64_t(encoded.strides[i]) * uint64_t(elementBytes);
    box[i] = uint32_t(map.box[i]);
    steps[i] = 1;
  }
  return device.run(device.driver->encodeTiled, &encoded.map, typeOf(map.dtype), uint32_t(map.rank),
                    reinterpret_cast<void *>(encoded.address), static_cast<const uint64_t *>(sizes),
                    static_cast<const uint64_t *>(strides + 1), static_cast<const uint32_t *>(box),
                    static_cast<const uint32_t *>(steps), 0, swizzleOf(map.swizzle_bytes), int(promoteToL2By256), 0);
}

/// Verifies that a matrix has few enough rows for kernels that compute with row indices, and with their differences, in
/// 32 bits. A strided map has its rows in two dimensions.
static xfrt_status checkRows(Gpu &device, const xfrt_tensor_map &map, const EncodedMap &measured) {
  constexpr int64_t mostRows = int64_t(1) << 30;
  constexpr int32_t stridedRank = 5;
  int64_t rows = map.rank > 1 ? measured.sizes[1] : 1, outer = map.rank == stridedRank ? measured.sizes[2] : 1;
  if (rows <= mostRows / outer)
    return XFRT_OK;
  return device.message->fail(
      XFRT_BAD_BUFFER,
      "entry %s: kernel %s: expected at most %" PRId64 " rows of a matrix, got %" PRId64 " times %" PRId64,
      Quoted(device.entry->name).get(), Quoted(device.launch->name).get(), mostRows, rows, outer);
}

static xfrt_status updateMap(Gpu &device, const xfrt_tensor_map &map, Address address, const int64_t *frame,
                             EncodedMap &encoded) {
  EncodedMap wanted = {};
  wanted.address = address;
  measure(map, frame, wanted);
  if (encoded.isEncoded && encoded.address == address && !memcmp(encoded.sizes, wanted.sizes, sizeof(wanted.sizes)) &&
      !memcmp(encoded.strides, wanted.strides, sizeof(wanted.strides)))
    return XFRT_OK;
  if (xfrt_status status = checkRows(device, map, wanted))
    return status;
  encoded = wanted;
  if (xfrt_status status = encode(device, map, encoded))
    return status;
  encoded.isEncoded = true;
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static Address resolve(const Handle &handle, const xfrt_operand &operand, const int64_t *frame) {
  uint64_t offset = operand.offset < 0 ? 0 : uint64_t(frame[operand.offset]);
  switch (operand.space) {
  case XFRT_ARENA:
    return handle.arena.address + offset;
  case XFRT_CONSTANT:
    return handle.constants.address + offset;
  case XFRT_ARGUMENT:
    return handle.call.arguments[operand.index].address + offset;
  case XFRT_HELD:
    return handle.held.address + offset;
  default: // XFRT_RESULT; checkModel knows no other
    return handle.call.results[operand.index].address + offset;
  }
}

static unsigned blocksFor(const Gpu &device, const xfrt_launch &launch, int64_t tiles) {
  int64_t most = INT32_MAX;
  if (launch.blocks_per_processor > 0)
    most = std::min(most, int64_t(launch.blocks_per_processor) * device.processors);
  return unsigned(std::min(tiles, std::max<int64_t>(most, 1)));
}

static xfrt_status launchKernel(xfrt_context &context, const EntryState &state, const LoadedKernel &kernel,
                                int64_t tiles, const int64_t *frame) {
  Handle &handle = handleOf(context);
  Gpu &device = handle.device;
  const xfrt_entry &entry = *device.entry;
  const xfrt_launch &launch = *device.launch;
  void **parameter = handle.call.launchParameters;
  for (int32_t i = 0; i < launch.scalar_count; ++i) {
    context.scalars[i] = frame[entry.scalars[launch.first_scalar + i]];
    *parameter++ = &context.scalars[i];
  }
  for (int32_t i = 0; i < launch.operand_count; ++i) {
    Address address = resolve(handle, entry.operands[launch.first_operand + i], frame);
    context.buffers[i] = reinterpret_cast<void *>(address);
    *parameter++ = &context.buffers[i];
  }
  for (int32_t i = launch.first_map; i < launch.first_map + launch.map_count; ++i) {
    const xfrt_tensor_map &map = entry.maps[i];
    EncodedMap &encoded = handle.maps[state.firstMap + i];
    auto address = reinterpret_cast<Address>(context.buffers[map.operand]);
    if (xfrt_status status = updateMap(device, map, address, frame, encoded))
      return status;
    *parameter++ = &encoded.map;
  }
  *parameter++ = &tiles;
  return device.run(device.driver->launchKernel, kernel.function, blocksFor(device, launch, tiles), 1u, 1u,
                    unsigned(launch.threads), 1u, 1u, unsigned(launch.shared_bytes), device.stream,
                    handle.call.launchParameters, static_cast<void **>(nullptr));
}

/// Enqueues the launch at index `index` of the entry's launches.
static xfrt_status enqueueLaunch(xfrt_context &context, const xfrt_entry &entry, int32_t index, const int64_t *frame) {
  Handle &handle = handleOf(context);
  const EntryState &state = handle.entries[&entry - context.model->entries];
  const xfrt_launch &launch = entry.launches[index];
  Doing doing(handle.device, entry, &launch);
  Range range(launch.name);
  int64_t tiles = frame[launch.grid];
  if (tiles < 0)
    return context.message.fail(XFRT_BAD_MODEL, "entry %s: kernel %s: expected a grid of tiles, got %" PRId64,
                                Quoted(entry.name).get(), Quoted(launch.name).get(), tiles);
  if (tiles == 0)
    return XFRT_OK;
  return launchKernel(context, state, handle.kernels[state.firstKernel + index], tiles, frame);
}

static xfrt_status enqueueCopy(xfrt_context &context, const xfrt_entry &entry, const xfrt_copy &copy,
                               const int64_t *frame) {
  Handle &handle = handleOf(context);
  Doing doing(handle.device, entry, nullptr);
  int64_t bytes = frame[copy.bytes];
  if (bytes < 0)
    return context.message.fail(XFRT_BAD_MODEL, "entry %s: copy: expected a number of bytes, got %" PRId64,
                                Quoted(entry.name).get(), bytes);
  Address from = resolve(handle, entry.operands[copy.from], frame);
  Address to = resolve(handle, entry.operands[copy.to], frame);
  if (bytes == 0 || from == to)
    return XFRT_OK;
  return handle.device.run(handle.device.driver->copyOnDevice, to, from, size_t(bytes), handle.device.stream);
}

static xfrt_status enqueueStep(xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step,
                               const int64_t *frame) {
  // A recorded step does not run now, so that the prepacked form would not be filled for the next call.
  if (step.when == XFRT_FILLS_HELD && handleOf(context).device.isRecording)
    return handleOf(context).device.failRecording();
  switch (step.kind) {
  case XFRT_COPY:
    return enqueueCopy(context, entry, entry.copies[step.index], frame);
  case XFRT_LAUNCH:
    return enqueueLaunch(context, entry, step.index, frame);
  default: { // XFRT_COLLECTIVE and XFRT_WAIT; checkModel knows no other
    const xfrt_collective &row = context.model->tables->collectives[step.index];
    const Address send = resolve(handleOf(context), entry.operands[row.send], frame);
    const Address receive = resolve(handleOf(context), entry.operands[row.receive], frame);
    return step.kind == XFRT_COLLECTIVE ? startCollective(context, entry, row, frame, send, receive)
                                        : waitForCollective(context, entry, row, frame, send, receive);
  }
  }
}

xfrt_status cuda::enqueueSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  Gpu &device = handle.device;
  xfrt_status failed = XFRT_OK;
  const bool observes = handle.observers && !device.isRecording;
  if (observes)
    if (xfrt_status status = handle.events.begin(device))
      return status;
  for (int32_t i = 0; i < entry.step_count; ++i) {
    const xfrt_step &step = entry.steps[i];
    if (!isDue(context, entry, step) || (failed && !isCollective(step)))
      continue;
    xfrt_status status = enqueueStep(context, entry, step, frame);
    if (status && (!context.ranks || isCollective(step)))
      return failed ? failed : status;
    if (!status && observes)
      status = handle.events.mark(device, i);
    if (!status && context.ranks)
      if (xfrt_status lost = context.ranks->look(context.message))
        return lost;
    if (status && !context.ranks)
      return status;
    if (status) {
      context.ranks->refuse(status);
      failed = status;
      continue;
    }
    noteFilled(context, entry, step);
  }
  return context.ranks ? finishCollectives(context) : XFRT_OK;
}
