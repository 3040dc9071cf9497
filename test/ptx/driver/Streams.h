//===- Streams.h - Putting work on a stream --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_DRIVER_STREAMS_H
#define XF_TEST_PTX_DRIVER_STREAMS_H

#include "test/ptx/driver/State.h"

namespace xf::sim {

/// Null when `handle` is no stream of the context.
Stream *findStream(Context &context, void *handle);

/// Adds work to the end of a stream, or to the graph that is being made of it.
Result enqueue(Stream &stream, Operation operation);

Result allocate(Context &context, uint64_t *address, uint64_t bytes);

} // namespace xf::sim

#endif // XF_TEST_PTX_DRIVER_STREAMS_H
