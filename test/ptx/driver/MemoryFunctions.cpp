//===- MemoryFunctions.cpp - Device memory and copies ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/State.h"
#include "test/ptx/driver/Streams.h"

using namespace xf::sim;

Result xf::sim::allocate(Context &context, uint64_t *address, uint64_t bytes) {
  if (bytes == 0)
    return invalidValue;
  *address = context.memory.allocate(bytes);
  if (!*address)
    return outOfMemory;
  context.allocations.insert(*address);
  return success;
}

/// Both ends of a copy as they are when it is asked for; it happens later.
static Result copy(Call &call, Operation::Kind kind, uint64_t address, void *host, uint64_t bytes, void *handle) {
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  if (!host || !call.context->memory.find(address, bytes))
    return invalidValue;
  return enqueue(*stream, {kind, address, host, bytes});
}

extern "C" {

Result cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  Call call("cuMemAlloc_v2", Call::InContext);
  if (call.failure())
    return call.failure();
  for (auto &[stream, owned] : call.context->streams)
    if (stream->isCapturing) {
      stream->isInvalidated = true;
      return captureUnsupported;
    }
  return allocate(*call.context, address, bytes);
}

Result cuMemFree_v2(uint64_t address) {
  Call call("cuMemFree_v2", Call::Releases);
  if (call.failure())
    return call.failure();
  if (Result result = call.context->finishAll())
    return result;
  if (!call.context->allocations.erase(address) || !call.context->memory.free(address))
    return invalidValue;
  return call.answer();
}

Result cuMemcpyHtoDAsync_v2(uint64_t address, const void *host, size_t bytes, void *stream) {
  Call call("cuMemcpyHtoDAsync_v2", Call::InContext);
  return copy(call, Operation::CopyIn, address, const_cast<void *>(host), bytes, stream);
}

Result cuMemcpyDtoHAsync_v2(void *host, uint64_t address, size_t bytes, void *stream) {
  Call call("cuMemcpyDtoHAsync_v2", Call::InContext);
  return copy(call, Operation::CopyOut, address, host, bytes, stream);
}

Result cuMemcpyDtoDAsync_v2(uint64_t address, uint64_t from, size_t bytes, void *stream) {
  Call call("cuMemcpyDtoDAsync_v2", Call::InContext);
  if (!call.failure() && !call.context->memory.find(from, bytes))
    return invalidValue;
  return copy(call, Operation::CopyOn, address, reinterpret_cast<void *>(from), bytes, stream);
}

/// CUDA_MEMCPY2D, on the device.
struct RowCopy {
  size_t fromColumn, fromRow;
  int fromType;
  const void *fromHost;
  uint64_t from;
  void *fromArray;
  size_t fromPitch, toColumn, toRow;
  int toType;
  void *toHost;
  uint64_t to;
  void *toArray;
  size_t toPitch, bytes, rows;
};

Result cuMemcpy2DAsync_v2(const RowCopy *given, void *handle) {
  Call call("cuMemcpy2DAsync_v2", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  constexpr int device = 2;
  constexpr size_t mostPitch = 0x7fffffff;
  if (given->fromType != device || given->toType != device || given->fromColumn || given->fromRow || given->toColumn ||
      given->toRow || given->fromPitch < given->bytes || given->toPitch < given->bytes ||
      given->fromPitch > mostPitch || given->toPitch > mostPitch || !given->bytes || !given->rows)
    return invalidValue;
  if (!call.context->memory.find(given->from, (given->rows - 1) * given->fromPitch + given->bytes) ||
      !call.context->memory.find(given->to, (given->rows - 1) * given->toPitch + given->bytes))
    return invalidValue;
  Operation copy{Operation::CopyRows, given->to, reinterpret_cast<void *>(given->from), given->bytes};
  copy.rows = given->rows;
  copy.pitch = given->toPitch;
  copy.fromPitch = given->fromPitch;
  return enqueue(*stream, copy);
}

} // extern "C"
