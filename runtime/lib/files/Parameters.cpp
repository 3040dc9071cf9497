//===- Parameters.cpp - A store of weights --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "../CheckModel.h"
#include "../Tables.h"
#include "../ranks/Communicator.h"
#include "xfrt/checksum.h"

#include <inttypes.h>
#include <memory>
#include <new>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Making a store
//===----------------------------------------------------------------------===//

namespace {
using Store = std::unique_ptr<xfrt_parameters, decltype(&xfrt_parameters_destroy)>;
} // namespace

static bool agree(const xfrt_tensor &a, const xfrt_tensor &b) {
  bool same = a.dtype == b.dtype && a.rank == b.rank && a.role == b.role;
  for (int32_t i = 0; same && i < a.rank; ++i)
    same = a.dims[i].symbol < 0 && b.dims[i].symbol < 0 && a.dims[i].size == b.dims[i].size;
  return same;
}

static xfrt_status addTensor(xfrt_parameters &store, const xfrt_tensor &tensor) {
  Message &message = threadMessage();
  auto [position, isNew] = store.indexOf.try_emplace(tensor.name, store.tensors.size());
  if (!isNew) {
    const StoredTensor &known = store.tensors[position->second];
    return agree(*known.tensor, tensor) && known.share.cuts == shareOf(*store.model, tensor).cuts
               ? XFRT_OK
               : message.fail(XFRT_BAD_MODEL, "parameter %s: two entries give it different types, shapes or roles",
                              Quoted(tensor.name).get());
  }
  StoredTensor stored{&tensor, {}, nullptr, int64_t(xfrt_dtype_size(tensor.dtype)), 0};
  bool isBounded = true;
  for (int32_t i = 0; i < tensor.rank; ++i)
    isBounded = isBounded && tensor.dims[i].symbol < 0 && multiply(stored.bytes, tensor.dims[i].size, stored.bytes);
  stored.wholeBytes = stored.bytes;
  if (isBounded) {
    stored.share = shareOf(*store.model, tensor);
    for (const TensorShare::Cut &cut : stored.share.cuts)
      isBounded = isBounded && multiply(stored.wholeBytes, cut.ranks, stored.wholeBytes);
  }
  if (!isBounded)
    return message.fail(XFRT_BAD_MODEL, "parameter %s: expected a constant size below 2^63 bytes",
                        Quoted(tensor.name).get());
  store.tensors.push_back(std::move(stored));
  return XFRT_OK;
}

/// Allocates all tensors of a store and fills them with zeros. Requires that the types and shapes of all entries agree.
static xfrt_status allocateTensors(xfrt_parameters &store) {
  for (StoredTensor &stored : store.tensors) {
    if (stored.bytes == 0)
      continue;
    stored.data = static_cast<char *>(store.allocator.allocate(size_t(stored.bytes)));
    if (!stored.data)
      return threadMessage().fail(XFRT_OUT_OF_MEMORY, "parameter %s: cannot allocate %" PRId64 " bytes",
                                  Quoted(stored.tensor->name).get(), stored.bytes);
    memset(stored.data, 0, size_t(stored.bytes));
  }
  return XFRT_OK;
}

static xfrt_status fillStore(xfrt_parameters &store) {
  const xfrt_model &model = *store.model;
  for (int32_t i = 0; i < model.entry_count; ++i)
    for (int32_t j = 0; j < model.entries[i].argument_count; ++j) {
      const xfrt_tensor &tensor = model.entries[i].arguments[j];
      if (tensor.role == XFRT_INPUT)
        continue;
      if (xfrt_status status = addTensor(store, tensor))
        return status;
    }
  return allocateTensors(store);
}

xfrt_status xfrt_parameters_create(const xfrt_model *model, const xfrt_options *options, xfrt_parameters **result) {
  Message &message = threadMessage();
  if (!result || (options && !options->allocate != !options->release))
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a place for the store, and both memory hooks or neither");
  *result = nullptr;
  if (xfrt_status status = checkModel(model, message))
    return status;
  const xfrt_communicator *ranks = options ? options->communicator : nullptr;
  if (ranks) {
    if (xfrt_status status = checkRanks(*options, message))
      return status;
    if (xfrt_status status = checkShares(*model, ranks, message))
      return status;
  }
  try {
    Store store(new xfrt_parameters{}, xfrt_parameters_destroy);
    store->model = model;
    if (options)
      store->allocator = {options->allocate, options->release, options->memory_user};
    if (ranks && ranks->size > 1) {
      store->channel = std::make_unique<Channel>(*ranks, options->timeout_ms, "parameters");
      if (!store->channel->isComplete())
        return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate the table of ranks");
    }
    if (xfrt_status status = fillStore(*store))
      return status;
    *result = store.release();
    return XFRT_OK;
  } catch (const std::bad_alloc &) {
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate the table of parameters");
  }
}

void xfrt_parameters_destroy(xfrt_parameters *store) {
  if (!store)
    return;
  for (StoredTensor &stored : store->tensors)
    store->allocator.release(stored.data, size_t(stored.bytes));
  delete store;
}

//===----------------------------------------------------------------------===//
// Looking into it
//===----------------------------------------------------------------------===//

/// Returns the tensor called `name`. If there is none, sets the store's message and returns null.
static StoredTensor *find(xfrt_parameters &store, const char *name) {
  auto found = store.indexOf.find(name);
  if (found != store.indexOf.end())
    return &store.tensors[found->second];
  store.fail(XFRT_INVALID_ARGUMENT, std::string("no parameter is called ") + Quoted(name).get());
  return nullptr;
}

int32_t xfrt_parameters_count(const xfrt_parameters *store) { return store ? int32_t(store->tensors.size()) : 0; }

xfrt_status xfrt_parameters_at(xfrt_parameters *store, int32_t index, const char **name, int32_t *role,
                               xfrt_buffer *buffer) {
  if (!store || index < 0 || index >= xfrt_parameters_count(store))
    return XFRT_INVALID_ARGUMENT;
  const StoredTensor &stored = store->tensors[size_t(index)];
  if (name)
    *name = stored.tensor->name;
  if (role)
    *role = stored.tensor->role;
  if (buffer)
    *buffer = stored.buffer();
  return XFRT_OK;
}

xfrt_status xfrt_parameters_get(xfrt_parameters *store, const char *name, xfrt_buffer *buffer) {
  if (!store || !name || !buffer)
    return XFRT_INVALID_ARGUMENT;
  const StoredTensor *stored = find(*store, name);
  if (!stored)
    return XFRT_INVALID_ARGUMENT;
  *buffer = stored->buffer();
  return XFRT_OK;
}

xfrt_status xfrt_parameters_bind(xfrt_parameters *store, int32_t entryIndex, xfrt_buffer *arguments, int32_t count) {
  if (!store)
    return XFRT_INVALID_ARGUMENT;
  const xfrt_model &model = *store->model;
  bool exists = entryIndex >= 0 && entryIndex < model.entry_count;
  if (!exists || count != model.entries[entryIndex].argument_count || (count > 0 && !arguments))
    return store->fail(XFRT_INVALID_ARGUMENT, "expected an entry of the model and as many buffers as it has arguments");
  for (int32_t i = 0; i < count; ++i) {
    const xfrt_tensor &tensor = model.entries[entryIndex].arguments[i];
    if (tensor.role != XFRT_INPUT)
      arguments[i] = store->tensors[store->indexOf.at(tensor.name)].buffer();
  }
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

xfrt_status xfrt::agree(xfrt_parameters &store, uint64_t what, xfrt_status own) {
  if (!store.channel)
    return own;
  Message said;
  const uint64_t plan = xfrt_checksum_bytes(xfrt_checksum_number(XFRT_CHECKSUM_START, what), store.model->content_hash,
                                            strlen(store.model->content_hash));
  const xfrt_status status = store.channel->agree({plan, 0}, own, said);
  return status == own ? status : store.fail(status, said.get());
}

xfrt_status xfrt::requireRanks(xfrt_parameters &store) {
  for (const StoredTensor &stored : store.tensors)
    if (stored.share.isCut() && !store.channel)
      return store.fail(XFRT_INVALID_ARGUMENT, std::string("parameter ") + Quoted(stored.tensor->name).get() +
                                                   ": expected a communicator of the ranks that share it, got none");
  return XFRT_OK;
}

/// Returns whether `buffer` lies in host memory and has the type and the shape of the whole tensor, not of a share.
static bool isWhole(const StoredTensor &stored, const xfrt_buffer &buffer) {
  bool fits = buffer.dtype == stored.tensor->dtype && buffer.rank == stored.tensor->rank && !buffer.strides &&
              buffer.device == hostMemory && (buffer.data || stored.wholeBytes == 0) &&
              (buffer.shape || buffer.rank == 0);
  for (int32_t d = 0; fits && d < buffer.rank; ++d)
    fits = buffer.shape[d] == stored.share.whole[size_t(d)];
  return fits;
}

static xfrt_status failWhole(xfrt_parameters &store, const StoredTensor &stored) {
  return store.fail(XFRT_BAD_BUFFER, std::string("parameter ") + Quoted(stored.tensor->name).get() +
                                         ": expected memory of the host for " +
                                         ShapeText(stored.share.whole.data(), stored.tensor->rank).get() + " of " +
                                         xfrt_dtype_name(stored.tensor->dtype) + ", all that the ranks have");
}

xfrt_status xfrt_parameters_whole(xfrt_parameters *store, const char *name, xfrt_buffer *buffer) {
  if (!store || !name || !buffer)
    return XFRT_INVALID_ARGUMENT;
  const StoredTensor *stored = find(*store, name);
  if (!stored)
    return XFRT_INVALID_ARGUMENT;
  *buffer = stored->wholeBuffer();
  return XFRT_OK;
}

xfrt_status xfrt_parameters_take(xfrt_parameters *store, const char *name, const xfrt_buffer *whole) {
  if (!store || !name || !whole)
    return XFRT_INVALID_ARGUMENT;
  const StoredTensor *stored = find(*store, name);
  if (!stored)
    return XFRT_INVALID_ARGUMENT;
  if (xfrt_status status = requireRanks(*store))
    return status;
  if (!isWhole(*stored, *whole))
    return failWhole(*store, *stored);
  stored->share.take(store->rank(), static_cast<const char *>(whole->data), stored->data, stored->elementBytes());
  return XFRT_OK;
}

static xfrt_status gather(xfrt_parameters &store, const char *name, const xfrt_buffer *whole) {
  const StoredTensor *stored = name ? find(store, name) : nullptr;
  xfrt_status status = stored ? XFRT_OK : XFRT_INVALID_ARGUMENT;
  GatherShares shares(store.channel.get());
  if (stored && store.rank() == 0 && (!whole || !isWhole(*stored, *whole)))
    status = failWhole(store, *stored);
  else if (stored && !shares.reserve(stored->share, stored->bytes))
    status = store.fail(XFRT_OUT_OF_MEMORY, "out of memory");
  const uint64_t what = name ? xfrt_checksum_bytes(XFRT_CHECKSUM_START, name, strlen(name)) : 0;
  if ((status = xfrt::agree(store, what, status)))
    return status;
  const char *all = nullptr;
  Message message;
  if ((status = shares.gather(stored->share, stored->data, stored->bytes, stored->elementBytes(), &all, message)))
    return store.fail(status, message.get());
  if (store.rank() == 0 && stored->wholeBytes > 0)
    memcpy(whole->data, all, size_t(stored->wholeBytes));
  return XFRT_OK;
}

xfrt_status xfrt_parameters_gather(xfrt_parameters *store, const char *name, const xfrt_buffer *whole) {
  if (!store)
    return XFRT_INVALID_ARGUMENT;
  if (xfrt_status status = requireRanks(*store))
    return status;
  try {
    return gather(*store, name, whole);
  } catch (const std::bad_alloc &) {
    return store->fail(XFRT_OUT_OF_MEMORY, "out of memory");
  }
}

const char *xfrt_parameters_metadata(const xfrt_parameters *store, const char *key) {
  if (!store || !key)
    return nullptr;
  for (const auto &[name, value] : store->metadata)
    if (name == key)
      return value.c_str();
  return nullptr;
}

const char *xfrt_parameters_message(const xfrt_parameters *store) {
  return store ? store->message.c_str() : "expected a store, got a null pointer";
}
