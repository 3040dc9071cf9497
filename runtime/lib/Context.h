//===- Context.h - The state of a handle -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle is one block of memory from the allocate hook: the context, then arrays that are large enough for every
// entry of the model. The workspace is a separate allocation, because it may grow.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CONTEXT_H
#define XFRT_LIB_CONTEXT_H

#include "Memory.h"
#include "Message.h"
#include "ThreadPool.h"

namespace xfrt {

/// The memory of one argument or result of the call in progress.
struct Span {
  char *data;
  int64_t bytes;
  int32_t device; ///< XFRT_CPU, or XFRT_CUDA for memory of the handle's GPU
};

/// A span and the tensor that it belongs to, for the detection of overlaps.
struct OwnedSpan {
  uintptr_t begin; ///< an address: pointers into different objects have no order
  int64_t bytes;
  int32_t owner; ///< argument index; ~index for results; `workspaceOwner`
  bool written;
};
constexpr int32_t workspaceOwner = INT32_MAX;

namespace cuda {
struct Handle;
} // namespace cuda

} // namespace xfrt

struct xfrt_context {
  const xfrt_model *model;
  xfrt::Allocator allocator;
  size_t blockBytes; ///< size of the block that begins with this context

  int32_t threads;
  xfrt_parallel_for parallelFor; ///< the caller's, or null
  void *parallelUser;
  xfrt::ThreadPool pool;
  std::atomic<bool> busy{false};

  char *workspace;
  size_t workspaceBytes;
  bool ownsWorkspace;

  bool holdsParameters;
  char *held;               ///< xfrt_model::held_bytes; null until the first call that needs them
  const void **heldSources; ///< for each form in `held`: the memory of the parameter that it was filled from, or null

  xfrt::cuda::Handle *gpu; ///< null on the CPU

  // Arrays for the call in progress, as long as the largest entry needs.
  int64_t *symbols;
  int64_t *frame;
  int64_t *scalars;
  void **buffers;
  xfrt::Span *arguments, *results;
  xfrt::OwnedSpan *spans;

  xfrt::Message message;
};

#endif // XFRT_LIB_CONTEXT_H
