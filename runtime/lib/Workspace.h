//===- Workspace.h - Frame and arena of a call -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_WORKSPACE_H
#define XFRT_LIB_WORKSPACE_H

#include "Context.h"

namespace xfrt {

/// An RAII guard that marks a handle as busy; converts to false where another call has done so. The second call then
/// returns XFRT_BUSY without a message, because the message belongs to the first call.
class Exclusive {
public:
  explicit Exclusive(xfrt_context &context) : context(context), entered(!context.busy.exchange(true)) {}
  ~Exclusive() {
    if (entered)
      context.busy.store(false);
  }
  explicit operator bool() const { return entered; }

private:
  xfrt_context &context;
  bool entered;
};

/// Returns the frame of `entry`: the constant frame of a static entry, or context.frame, computed from context.symbols.
const int64_t *evaluateFrame(xfrt_context &context, const xfrt_entry &entry);

/// Grows the handle's own workspace to the size that the frame requires, or fails where the caller's workspace is too
/// small.
xfrt_status ensureWorkspace(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt

#endif // XFRT_LIB_WORKSPACE_H
