//===- Handle.h - The state of a CPU handle ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the CPU keeps for a handle. Like the xfrt_context, a Handle is one block of memory from the allocate
// hook. The workspace and prepacked weights are allocated later, by themselves.
//
//   Device.cpp   the table of functions (Device), and those for memory of callers
//   Create.cpp   creates and destroys a handle
//   Call.cpp     verifies and runs a call
//   Launch.cpp   runs the entry's steps: kernels, and copies as kernels do (Copy.cpp)
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_HANDLE_H
#define XFRT_LIB_CPU_HANDLE_H

#include "../Context.h"
#include "ThreadPool.h"

namespace xfrt::cpu {

/// The CPU's state of a handle: threads and memory.
struct Handle : DeviceState {
  Allocator allocator;
  size_t blockBytes = 0;

  xfrt_parallel_for parallelFor = nullptr; ///< the caller's, or null
  void *parallelUser = nullptr;
  ThreadPool pool;

  char *workspace = nullptr;
  size_t workspaceBytes = 0;
  bool ownsWorkspace = false;

  char *held = nullptr; ///< prepacked forms (xfrt_model::held_bytes); null until the first call that needs them
  size_t heldBytes = 0;
};

inline Handle &handleOf(const xfrt_context &context) { return static_cast<Handle &>(*context.state); }

/// Implement the functions of Device that have the same names.
xfrt_status create(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                   DeviceState *&state, Message &message);
void destroy(DeviceState *state);
xfrt_status reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);
xfrt_status call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_HANDLE_H
