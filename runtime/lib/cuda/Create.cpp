//===- Create.cpp - Making and ending GPU handles -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Carver.h"
#include "../Tables.h"
#include "Collective.h"
#include "Graph.h"
#include "Handle.h"
#include "Model.h"
#include "Transfer.h"

#include <algorithm>
#include <new>
#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// The block of a handle
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of the arrays of a handle. A member named `most..` is the maximum over the entries or launches of a model. The
/// others are sums over its entries.
struct Counts {
  int32_t kernels = 0, maps = 0, arguments = 0, collectives = 0;
  int32_t mostArguments = 0, mostResults = 0, mostParameters = 0;

  explicit Counts(const xfrt_model &model) {
    for (int32_t i = 0; i < model.entry_count; ++i)
      include(model.entries[i]);
    if (model.tables)
      collectives = int32_t(model.tables->collectives_end - model.tables->collectives);
  }
  void include(const xfrt_entry &entry) {
    kernels += entry.launch_count;
    maps += mapsOf(entry);
    arguments += entry.argument_count;
    mostArguments = std::max(mostArguments, entry.argument_count);
    mostResults = std::max(mostResults, entry.result_count);
    for (int32_t i = 0; i < entry.launch_count; ++i) {
      const xfrt_launch &launch = entry.launches[i];
      mostParameters = std::max(mostParameters, launch.scalar_count + launch.operand_count + launch.map_count + 1);
    }
  }
  static int32_t mapsOf(const xfrt_entry &entry) {
    int32_t count = 0;
    for (int32_t i = 0; i < entry.launch_count; ++i)
      if (entry.launches[i].map_count > 0)
        count = std::max(count, entry.launches[i].first_map + entry.launches[i].map_count);
    return count;
  }
};
} // namespace

/// Places the arrays of a handle behind the handle itself, in one block of memory. Called twice: with a carver without
/// a block to count the bytes, and then with the block to set the addresses.
static void carve(Carver &carver, const Counts &counts, const xfrt_model &model, Handle &handle) {
  handle.kernels = carver.take<LoadedKernel>(counts.kernels);
  handle.entries = carver.take<EntryState>(model.entry_count);
  handle.parameters.kept = carver.take<KeptParameter>(counts.arguments);
  handle.parameters.numbers = carver.take<int32_t>(counts.arguments);
  handle.collectives.states = carver.take<CollectiveState>(counts.collectives);
  handle.call.arguments = carver.take<Place>(counts.mostArguments);
  handle.call.results = carver.take<Place>(counts.mostResults);
  handle.call.launchParameters = carver.take<void *>(counts.mostParameters);
  for (int32_t i = 0; i < model.entry_count; ++i) {
    auto *key = carver.take<int64_t>(graphKeySize(model.entries[i]));
    if (handle.entries)
      handle.entries[i].graph.key = key;
  }
  handle.maps = carver.take<EncodedMap>(counts.maps);
}

/// Sets the indices at which the elements of each entry begin in the arrays that all entries share. Handle::kernels,
/// Handle::maps and KeptParameters::numbers hold the elements of the first entry, then those of the second, and so on.
static void numberEntries(Handle &handle, const xfrt_model &model) {
  int32_t kernels = 0, maps = 0, arguments = 0;
  for (int32_t i = 0; i < model.entry_count; ++i) {
    EntryState &state = handle.entries[i];
    state.firstKernel = kernels;
    state.firstMap = maps;
    state.firstArgument = arguments;
    kernels += model.entries[i].launch_count;
    maps += Counts::mapsOf(model.entries[i]);
    arguments += model.entries[i].argument_count;
  }
}

static Handle *allocateHandle(const xfrt_model &model, const Allocator &allocator, Message &message) {
  Counts counts(model);
  Handle measured;
  Carver counter{nullptr, alignUp(sizeof(Handle))};
  carve(counter, counts, model, measured);
  void *block = allocator.allocate(counter.used);
  if (!block) {
    message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a handle of %zu bytes", counter.used);
    return nullptr;
  }
  memset(block, 0, counter.used);
  auto *handle = new (block) Handle;
  Carver placer{static_cast<char *>(block), alignUp(sizeof(Handle))};
  carve(placer, counts, model, *handle);
  handle->allocator = allocator;
  handle->blockBytes = counter.used;
  handle->entryCount = model.entry_count;
  handle->collectives.count = counts.collectives;
  numberEntries(*handle, model);
  listParameters(*handle, model);
  return handle;
}

//===----------------------------------------------------------------------===//
// Making and ending handles
//===----------------------------------------------------------------------===//

static xfrt_status checkMaps(const Gpu &device, const xfrt_model &model) {
  bool hasMaps = Counts(model).maps > 0;
  if (!hasMaps || device.driver->encodeTiled)
    return XFRT_OK;
  return device.message->fail(XFRT_OLD_DRIVER, "expected a CUDA driver of version 12.0 or later, got one without %s",
                              device.driver->encodeTiled.name);
}

/// Verifies that the device has enough shared memory for the kernels of all entries. Called only with XFRT_CUDA_OR_CPU.
/// If one kernel does not fit, fails, and the handle falls back to the CPU: all entries of a handle run on one device.
static xfrt_status checkAllFit(const Handle &handle, const xfrt_model &model) {
  for (int32_t i = 0; i < model.entry_count; ++i)
    if (xfrt_status status = checkFits(handle.device, model.entries[i], handle.kernels + handle.entries[i].firstKernel))
      return status;
  return XFRT_OK;
}

/// Loads the model's kernels, and copies its constants to the device.
static xfrt_status loadModel(Handle &handle, const xfrt_model &model) {
  Gpu &device = handle.device;
  Current current(device);
  if (current.status)
    return current.status;
  if (xfrt_status status = loadImage(device, model, handle.module))
    return status;
  if (xfrt_status status = findFunctions(device, handle.module, model, handle.kernels))
    return status;
  if (model.constant_bytes == 0)
    return XFRT_OK;
  if (xfrt_status status = growBlock(device, handle.constants, size_t(model.constant_bytes)))
    return status;
  if (xfrt_status status = device.run(device.driver->copyToDevice, handle.constants.address, model.constants,
                                      size_t(model.constant_bytes), device.stream))
    return status;
  return synchronize(device);
}

/// Starts the trace and the profile that the environment asks for, and creates events for their times.
static xfrt_status startObservers(Handle &handle, const xfrt_model &model, const xfrt_communicator *ranks) {
  Gpu &device = handle.device;
  auto peak = [](int32_t) { return givenPeak(); }; // nothing here measures that of a GPU
  if (xfrt_status status = handle.observers.start(model, ranks, /*threads=*/0, peak, *device.message))
    return status;
  if (!handle.observers)
    return XFRT_OK;
  Current current(device);
  if (current.status)
    return current.status;
  int32_t steps = 0;
  for (int32_t i = 0; i < model.entry_count; ++i)
    steps = std::max(steps, model.entries[i].step_count);
  return handle.events.create(device, steps);
}

/// Creates the stream and the events for messages between ranks from and to GPU memory, if the driver has events.
static xfrt_status startMessages(Handle &handle) {
  Current current(handle.device);
  return current.status ? current.status : openMessages(handle);
}

/// Refuses CU_STREAM_PER_THREAD, which is a different stream in each thread. The kernels of a handle share its memory,
/// so they must not overlap.
static xfrt_status checkStream(const xfrt_options &options, Message &message) {
  if (reinterpret_cast<uintptr_t>(options.stream) != streamPerThread)
    return XFRT_OK;
  return message.fail(XFRT_INVALID_ARGUMENT,
                      "expected a stream that is the same one in all threads, got CU_STREAM_PER_THREAD");
}

/// Refuses a device other than the communicator's GPU, if the communicator has one.
static xfrt_status checkCommunicator(const xfrt_options &options, Message &message) {
  const int32_t gpu = options.communicator ? options.communicator->gpu : 0;
  if (gpu == 0 || gpu == options.device_number + 1)
    return XFRT_OK;
  return message.fail(XFRT_INVALID_ARGUMENT, "expected device %d, that of the communicator, got %d", gpu - 1,
                      options.device_number);
}

xfrt_status cuda::create(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                         DeviceState *&state, Message &message) {
  Gpu device;
  device.message = &message;
  if (xfrt_status status = checkStream(options, message))
    return status;
  if (xfrt_status status = checkCommunicator(options, message))
    return status;
  if (xfrt_status status = openDriver(device.driver, message))
    return status;
  if (xfrt_status status = findGpu(device, options.device_number))
    return status;
  const xfrt_model *selected = model;
  if (xfrt_status status = selectModel(selected, device))
    return status;
  if (xfrt_status status = checkMaps(device, *selected))
    return status;
  Handle *made = allocateHandle(*selected, allocator, message);
  if (!made)
    return XFRT_OUT_OF_MEMORY;
  made->device = device;
  made->name = made->device.name;
  made->parameters.hold = options.hold_parameters;
  xfrt_status status = openGpu(made->device, options.stream);
  if (!status)
    status = loadModel(*made, *selected);
  if (!status && options.device == XFRT_CUDA_OR_CPU)
    status = checkAllFit(*made, *selected);
  if (!status)
    status = startObservers(*made, *selected, options.communicator);
  if (!status && options.communicator && options.communicator->gpu > 0 && made->collectives.count > 0)
    status = startMessages(*made);
  if (status) {
    destroy(made);
    return status;
  }
  state = made;
  model = selected;
  return XFRT_OK;
}

/// Releases everything that the handle owns in the device's context.
static void releaseAll(Handle &handle) {
  Gpu &device = handle.device;
  Current current(device);
  if (current.status)
    return;
  if (device.stream)
    device.driver->streamSynchronize.pointer(device.stream);
  closeMessages(handle);
  handle.events.release(device);
  for (int32_t i = 0; i < handle.entryCount; ++i)
    destroyGraph(device, handle.entries[i].graph);
  for (Block *block : {&handle.constants, &handle.arena, &handle.held, &handle.staging})
    releaseBlock(device, *block);
  for (int32_t i = 0; i < handle.parameters.count; ++i)
    releaseBlock(device, handle.parameters.kept[i].block);
  for (int32_t i = 0; i < handle.collectives.count; ++i)
    for (Block *block : {&handle.collectives.states[i].parts, &handle.collectives.states[i].headers})
      releaseBlock(device, *block);
  if (handle.module)
    device.driver->moduleUnload.pointer(handle.module);
}

void cuda::destroy(DeviceState *state) {
  auto *handle = static_cast<Handle *>(state);
  Message ignored;
  handle->device.message = &ignored;
  if (!handle->process.isAncestor()) {
    if (handle->device.context)
      releaseAll(*handle);
    closeGpu(handle->device);
  }
  Allocator allocator = handle->allocator;
  allocator.release(handle->call.integers.data, handle->call.integers.bytes);
  releaseCollectives(*handle);
  size_t bytes = handle->blockBytes;
  handle->~Handle();
  allocator.release(handle, bytes);
}
