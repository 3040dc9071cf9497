//===- StreamFunctions.cpp - Streams --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/Streams.h"

using namespace xf::sim;

Stream *xf::sim::findStream(Context &context, void *handle) {
  auto found = context.streams.find(static_cast<Stream *>(handle));
  return found == context.streams.end() ? nullptr : found->first;
}

Result xf::sim::enqueue(Stream &stream, Operation operation) {
  if (!stream.isCapturing) {
    stream.queue.push_back(std::move(operation));
    return success;
  }
  // Copies from and to the host's pageable memory, and memory of pools, are nothing that the runtime records.
  if (operation.kind != Operation::Launch && operation.kind != Operation::CopyOn &&
      operation.kind != Operation::CopyRows) {
    stream.isInvalidated = true;
    return captureUnsupported;
  }
  stream.captured.push_back(std::move(operation));
  return success;
}

extern "C" {

Result cuStreamCreate(void **stream, unsigned flags) {
  Call call("cuStreamCreate", Call::InContext);
  if (call.failure())
    return call.failure();
  if (flags > 1)
    return invalidValue;
  auto made = std::make_unique<Stream>();
  *stream = made.get();
  call.context->streams[made.get()] = std::move(made);
  return success;
}

Result cuStreamDestroy_v2(void *handle) {
  Call call("cuStreamDestroy_v2", Call::Releases);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  call.context->finish(*stream);
  call.context->streams.erase(stream);
  return call.answer();
}

Result cuStreamSynchronize(void *handle) {
  Call call("cuStreamSynchronize", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  if (stream->isCapturing) {
    stream->isInvalidated = true;
    return captureUnsupported;
  }
  return call.context->finish(*stream);
}

} // extern "C"
