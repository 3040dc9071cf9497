//===- Context.cpp - Making and ending handles ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Carver.h"
#include "Held.h"
#include "Model.h"
#include "Workspace.h"
#include "cuda/Handle.h"

#include <algorithm>
#include <new>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// The block of a context
//===----------------------------------------------------------------------===//

namespace {
/// The largest count of each table over the entries of a model.
struct Extents {
  int32_t symbols = 0, frame = 0, scalars = 0, operands = 0, arguments = 0, results = 0;

  explicit Extents(const xfrt_model &model) {
    for (int32_t i = 0; i < model.entry_count; ++i)
      include(model.entries[i]);
  }
  void include(const xfrt_entry &entry) {
    symbols = std::max(symbols, entry.symbol_count);
    frame = std::max(frame, entry.prepare ? entry.frame_size : 0);
    arguments = std::max(arguments, entry.argument_count);
    results = std::max(results, entry.result_count);
    for (int32_t i = 0; i < entry.launch_count; ++i) {
      scalars = std::max(scalars, entry.launches[i].scalar_count);
      operands = std::max(operands, entry.launches[i].operand_count);
    }
  }
};
} // namespace

/// Lays out the arrays behind the context. Called once to count the bytes and once to assign the addresses.
static void *carve(Carver &carver, const Extents &extents, int32_t threads, xfrt_context &context) {
  context.symbols = carver.take<int64_t>(extents.symbols);
  context.frame = carver.take<int64_t>(extents.frame);
  context.scalars = carver.take<int64_t>(extents.scalars);
  context.buffers = carver.take<void *>(extents.operands);
  context.arguments = carver.take<Span>(extents.arguments);
  context.results = carver.take<Span>(extents.results);
  context.spans = carver.take<OwnedSpan>(int64_t(extents.arguments) + extents.results + 1);
  return carver.take<char>(ThreadPool::storageBytes(threads));
}

static xfrt_status checkOptions(const xfrt_options &options, Message &message) {
  if (resolveThreads(options.threads) < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected between 0 and 4096 threads, got %d", options.threads);
  if (options.hold_parameters < XFRT_READ_PARAMETERS || options.hold_parameters > XFRT_RESIDENT_PARAMETERS)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected hold_parameters between 0 and 2, got %d",
                        options.hold_parameters);
  if (options.device < XFRT_CPU || options.device > XFRT_CUDA_OR_CPU || options.device_number < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a device between 0 and 2 and its number, got %d and %d",
                        options.device, options.device_number);
  if (!options.allocate != !options.release)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected both of the allocate and release hooks or neither");
  if (reinterpret_cast<uintptr_t>(options.workspace) % alignment != 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a workspace aligned to %zu bytes, got address %p", alignment,
                        options.workspace);
  return XFRT_OK;
}

/// Chooses the device and the model of the list that runs on it. Sets `gpu` to null on the CPU. After a fallback from a
/// GPU to the CPU `message` has the reason.
static xfrt_status chooseDevice(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                                cuda::Handle *&gpu, Message &message) {
  gpu = nullptr;
  if (options.device == XFRT_CPU)
    return selectModel(model, message);
  xfrt_status status = cuda::createHandle(model, options, allocator, gpu, message);
  bool isOfDevice = status >= XFRT_NO_DRIVER && status <= XFRT_DEVICE_ERROR;
  return options.device == XFRT_CUDA_OR_CPU && isOfDevice ? selectModel(model, message) : status;
}

/// Initialises a context from the options. A handle for a GPU ignores the caller's workspace, which is host memory.
static void configure(xfrt_context &context, const xfrt_options &options, cuda::Handle *gpu) {
  void *workspace = gpu ? nullptr : options.workspace;
  context.parallelFor = options.parallel_for;
  context.parallelUser = options.parallel_user;
  context.workspace = static_cast<char *>(workspace);
  context.workspaceBytes = workspace ? options.workspace_bytes : 0;
  context.ownsWorkspace = !workspace;
  context.holdsParameters = options.hold_parameters;
  context.gpu = gpu;
  if (gpu) {
    gpu->device.message = &context.message;
    context.heldSources = gpu->heldSources;
  }
}

xfrt_status xfrt_create(const xfrt_model *model, const xfrt_options *given, xfrt_context **result) {
  Message &message = threadMessage();
  if (!result)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a place for the handle, got a null pointer");
  *result = nullptr;
  const xfrt_options options = given ? *given : xfrt_options{};
  if (xfrt_status status = checkOptions(options, message))
    return status;
  Allocator allocator{options.allocate, options.release, options.memory_user};
  cuda::Handle *gpu = nullptr;
  message.clear();
  if (xfrt_status status = chooseDevice(options, allocator, model, gpu, message))
    return status;

  int32_t threads = gpu ? 1 : resolveThreads(options.threads);
  int32_t poolThreads = options.parallel_for ? 1 : threads;
  Extents extents(*model);
  xfrt_context measured{};
  Carver counter{nullptr, alignUp(sizeof(xfrt_context))};
  carve(counter, extents, poolThreads, measured);
  void *block = allocator.allocate(counter.used);
  if (!block) {
    cuda::destroyHandle(gpu);
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a handle of %zu bytes", counter.used);
  }

  auto *context = new (block) xfrt_context{};
  context->model = model;
  context->allocator = allocator;
  context->blockBytes = counter.used;
  context->threads = threads;
  context->message = message;
  configure(*context, options, gpu);
  Carver placer{static_cast<char *>(block), alignUp(sizeof(xfrt_context))};
  void *poolStorage = carve(placer, extents, poolThreads, *context);
  if (!context->pool.start(poolThreads, poolStorage)) {
    cuda::destroyHandle(gpu);
    allocator.release(block, counter.used);
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot start %d threads", poolThreads - 1);
  }
  *result = context;
  return XFRT_OK;
}

void xfrt_destroy(xfrt_context *context) {
  if (!context)
    return;
  context->pool.stop();
  cuda::destroyHandle(context->gpu);
  Allocator allocator = context->allocator;
  if (context->ownsWorkspace)
    allocator.release(context->workspace, context->workspaceBytes);
  releaseHeld(*context);
  size_t bytes = context->blockBytes;
  context->~xfrt_context();
  allocator.release(context, bytes);
}

const xfrt_model *xfrt_selected_model(const xfrt_context *context) { return context ? context->model : nullptr; }

int32_t xfrt_threads(const xfrt_context *context) { return context ? context->threads : 0; }

const char *xfrt_device_name(const xfrt_context *context) {
  return !context ? "" : context->gpu ? context->gpu->device.name : "CPU";
}

const char *xfrt_message(const xfrt_context *context) {
  return context ? context->message.get() : threadMessage().get();
}

xfrt_status xfrt_find_device(int32_t device, int32_t number, int32_t *architecture) {
  Message &message = threadMessage();
  cuda::Device found;
  found.message = &message;
  if (device < XFRT_CPU || device > XFRT_CUDA || number < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected device 0 or 1 and its number, got %d and %d", device, number);
  if (device == XFRT_CUDA) {
    if (xfrt_status status = cuda::openDriver(found.driver, message))
      return status;
    if (xfrt_status status = cuda::findDevice(found, number))
      return status;
  }
  if (architecture)
    *architecture = found.capability;
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Workspace
//===----------------------------------------------------------------------===//

const int64_t *xfrt::evaluateFrame(xfrt_context &context, const xfrt_entry &entry) {
  if (!entry.prepare)
    return entry.frame;
  std::fill(context.frame, context.frame + entry.frame_size, 0);
  entry.prepare(context.symbols, context.frame);
  return context.frame;
}

xfrt_status xfrt::ensureWorkspace(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  size_t bytes;
  if (xfrt_status status = workspaceBytes(entry, frame, context.threads, bytes, context.message))
    return status;
  if (bytes <= context.workspaceBytes)
    return XFRT_OK;
  if (!context.ownsWorkspace)
    return context.message.fail(XFRT_WORKSPACE_TOO_SMALL, "entry %s: expected a workspace of %zu bytes, got %zu",
                                Quoted(entry.name).get(), bytes, context.workspaceBytes);
  // The contents of the old workspace do not outlive a call; releasing it first keeps the peak of memory use low.
  context.allocator.release(context.workspace, context.workspaceBytes);
  context.workspace = static_cast<char *>(context.allocator.allocate(bytes));
  context.workspaceBytes = context.workspace ? bytes : 0;
  if (!context.workspace)
    return context.message.fail(XFRT_OUT_OF_MEMORY, "entry %s: cannot allocate a workspace of %zu bytes",
                                Quoted(entry.name).get(), bytes);
  return XFRT_OK;
}

xfrt_status xfrt_reserve(xfrt_context *context, int32_t entryIndex, const int64_t *symbols, int32_t symbolCount) {
  if (!context)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  Exclusive exclusive(*context);
  if (!exclusive)
    return XFRT_BUSY;
  if (entryIndex < 0 || entryIndex >= context->model->entry_count)
    return context->message.fail(XFRT_INVALID_ARGUMENT, "expected an entry below %d, got %d",
                                 context->model->entry_count, entryIndex);
  const xfrt_entry &entry = context->model->entries[entryIndex];
  if (xfrt_status status = checkSymbols(entry, symbols, symbolCount, context->message))
    return status;
  std::copy(symbols, symbols + symbolCount, context->symbols);
  if (context->gpu)
    return cuda::reserve(*context, entry, evaluateFrame(*context, entry));
  if (xfrt_status status = ensureHeld(*context))
    return status;
  return ensureWorkspace(*context, entry, evaluateFrame(*context, entry));
}
