//===- Create.cpp - Making and ending handles -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Carver.h"
#include "Context.h"
#include "Devices.h"
#include "Held.h"
#include "Model.h"
#include "Tables.h"
#include "ranks/Communicator.h"

#include <algorithm>
#include <new>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// The block of a context
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of the arrays of a context. `held` is the number of prepacked weights of the model. Every other member is the
/// largest size that any entry of the model needs.
struct Extents {
  int32_t symbols = 0, frame = 0, scalars = 0, operands = 0, arguments = 0, results = 0, held;

  explicit Extents(const xfrt_model &model) : held(model.held_count) {
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

/// Places the arrays of a context behind the context itself, in one block of memory. Called twice: with a carver
/// without a block to count the bytes, and then with the block to set the addresses.
static void carve(Carver &carver, const Extents &extents, xfrt_context &context) {
  context.symbols = carver.take<int64_t>(extents.symbols);
  context.frame = carver.take<int64_t>(extents.frame);
  context.scalars = carver.take<int64_t>(extents.scalars);
  context.buffers = carver.take<void *>(extents.operands);
  context.arguments = carver.take<Span>(extents.arguments);
  context.results = carver.take<Span>(extents.results);
  context.spans = carver.take<OwnedSpan>(int64_t(extents.arguments) + extents.results + 1);
  context.heldSources = carver.take<const void *>(extents.held);
}

static xfrt_status checkOptions(const xfrt_options &options, Message &message) {
  if (options.threads < 0 || options.threads > maxThreads)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected between 0 and %d threads, got %d", maxThreads,
                        options.threads);
  if (options.hold_parameters < XFRT_READ_PARAMETERS || options.hold_parameters > XFRT_RESIDENT_PARAMETERS)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected hold_parameters between 0 and 2, got %d",
                        options.hold_parameters);
  if (xfrt_status status = checkDevice(options, message))
    return status;
  if (!options.allocate != !options.release)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected both of the allocate and release hooks or neither");
  if (reinterpret_cast<uintptr_t>(options.workspace) % alignment != 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a workspace aligned to %zu bytes, got address %p", alignment,
                        options.workspace);
  return checkRanks(options, message);
}

/// Creates a context for a device and its state, in one block with its arrays. On failure returns null and sets
/// `message`.
static xfrt_context *createContext(const xfrt_model &model, const Allocator &allocator, const Device &device,
                                   DeviceState *state, Message &message) {
  Extents extents(model);
  xfrt_context measured{};
  Carver counter{nullptr, alignUp(sizeof(xfrt_context))};
  carve(counter, extents, measured);
  void *block = allocator.allocate(counter.used);
  if (!block) {
    message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a handle of %zu bytes", counter.used);
    return nullptr;
  }
  auto *context = new (block) xfrt_context{};
  context->model = &model;
  context->allocator = allocator;
  context->blockBytes = counter.used;
  context->device = &device;
  context->state = state;
  context->message = message;
  Carver placer{static_cast<char *>(block), alignUp(sizeof(xfrt_context))};
  carve(placer, extents, *context);
  forgetParameters(*context);
  device.attach(*context);
  return context;
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
  const Device *device = nullptr;
  DeviceState *state = nullptr;
  message.clear();
  if (xfrt_status status = createDevice(options, allocator, model, device, state, message))
    return status;
  if (xfrt_status status = checkShares(*model, options.communicator, message)) {
    device->destroy(state);
    return status;
  }
  xfrt_context *context = createContext(*model, allocator, *device, state, message);
  if (!context) {
    device->destroy(state);
    return XFRT_OUT_OF_MEMORY;
  }
  context->holdsParameters = options.hold_parameters;
  if (ranksOf(*model) > 1 && !(context->ranks = Ranks::create(*model, options))) {
    xfrt_destroy(context);
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate the state of a rank");
  }
  *result = context;
  return XFRT_OK;
}

void xfrt_destroy(xfrt_context *context) {
  if (!context)
    return;
  context->device->destroy(context->state);
  Ranks::destroy(context->ranks);
  Allocator allocator = context->allocator;
  size_t bytes = context->blockBytes;
  context->~xfrt_context();
  allocator.release(context, bytes);
}

const xfrt_model *xfrt_selected_model(const xfrt_context *context) { return context ? context->model : nullptr; }

int32_t xfrt_threads(const xfrt_context *context) { return context ? context->state->threads : 0; }

const char *xfrt_device_name(const xfrt_context *context) { return context ? context->state->name : ""; }

const char *xfrt_message(const xfrt_context *context) {
  return context ? context->message.get() : threadMessage().get();
}

xfrt_status xfrt_write_records(xfrt_context *context) {
  if (!context)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  return context->state->observers.finish(context->message);
}

xfrt_status xfrt_reserve(xfrt_context *context, int32_t entryIndex, const int64_t *symbols, int32_t symbolCount) {
  if (!context)
    return threadMessage().fail(XFRT_INVALID_ARGUMENT, "expected a handle, got a null pointer");
  Exclusive exclusive(*context);
  if (exclusive.status)
    return exclusive.status;
  if (entryIndex < 0 || entryIndex >= context->model->entry_count)
    return context->message.fail(XFRT_INVALID_ARGUMENT, "expected an entry below %d, got %d",
                                 context->model->entry_count, entryIndex);
  const xfrt_entry &entry = context->model->entries[entryIndex];
  if (xfrt_status status = checkSymbols(entry, symbols, symbolCount, context->message))
    return status;
  std::copy(symbols, symbols + symbolCount, context->symbols);
  return context->device->reserve(*context, entry, evaluateFrame(*context, entry));
}
