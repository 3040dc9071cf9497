//===- Context.h - What a handle holds -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One block of memory from the allocate hook: the context, then arrays that are large enough for every entry of the
// model. The workspace is apart, because it may grow.
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

/// A span with what it belongs to, for the search for overlaps.
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
  size_t blockBytes; ///< of the block that this context begins

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
  const void **heldSources; ///< behind them: the parameter whose form each is, null for none

  xfrt::cuda::Handle *gpu; ///< null on the CPU

  // As long as the largest entry needs.
  int64_t *symbols;
  int64_t *frame;
  int64_t *scalars;
  void **buffers;
  xfrt::Span *arguments, *results;
  xfrt::OwnedSpan *spans;

  xfrt::Message message;
};

#endif // XFRT_LIB_CONTEXT_H
