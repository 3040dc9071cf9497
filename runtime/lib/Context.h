//===- Context.h - The state of a handle -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context is a handle of the library. It is one block of memory from the allocate hook: the context, followed by
// arrays that are large enough for every entry of the model. Memory that may grow is owned by the state that the device
// keeps for the handle (DeviceState).
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CONTEXT_H
#define XFRT_LIB_CONTEXT_H

#include "Device.h"
#include "ranks/Ranks.h"

#include <atomic>

namespace xfrt {

/// A span with the tensor that it belongs to, for the detection of overlaps.
struct OwnedSpan {
  uintptr_t begin; ///< an address: pointers into different objects have no order
  int64_t bytes;
  int32_t owner; ///< argument index; ~index for results; `workspaceOwner`
  bool written;
};
constexpr int32_t workspaceOwner = INT32_MAX;

/// The maximum number of threads of a handle.
constexpr int32_t maxThreads = 4096;

} // namespace xfrt

struct xfrt_context {
  const xfrt_model *model;
  xfrt::Allocator allocator;
  size_t blockBytes; ///< size of the block that begins with this context

  const xfrt::Device *device;
  xfrt::DeviceState *state; ///< owned: released by device->destroy
  std::atomic<bool> busy{false};
  xfrt::Ranks *ranks; ///< owned; null: one rank

  bool holdsParameters;
  const void **heldSources; ///< for each prepacked form: the parameter that it was filled from, or null

  // Arrays for the call in progress, as long as the largest entry needs.
  int64_t *symbols;
  int64_t *frame;
  int64_t *scalars;
  void **buffers;
  xfrt::Span *arguments, *results;
  xfrt::OwnedSpan *spans;

  xfrt::Message message;
};

namespace xfrt {

/// Returns whether the handle cannot be used because it belongs to an ancestor of this process (by fork).
inline bool isOfParent(const xfrt_context &context) {
  return context.state->process.isAncestor() && (!context.device->survivesFork || context.ranks);
}

/// An RAII guard that marks a handle as busy during a call. If `status` is not XFRT_OK, the call must return `status`
/// at once. XFRT_BUSY means that another call has marked the handle. There is no message then, because the handle's
/// message belongs to that call. XFRT_FORKED means that an ancestor of this process made the handle, and that this
/// process cannot use it.
class Exclusive {
public:
  explicit Exclusive(xfrt_context &context);
  ~Exclusive() {
    if (entered)
      context.busy.store(false);
  }

private:
  xfrt_context &context;
  bool entered;

public:
  const xfrt_status status;
};

/// Returns the frame of `entry`, an array of numbers that may depend on sizes. An entry with static sizes has a
/// constant frame. For any other entry, computes the frame from context.symbols and stores it in context.frame.
const int64_t *evaluateFrame(xfrt_context &context, const xfrt_entry &entry);

} // namespace xfrt

#endif // XFRT_LIB_CONTEXT_H
