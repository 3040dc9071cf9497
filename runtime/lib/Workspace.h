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

/// Keeps a second call out of a handle while the first one runs. The message belongs to the first, so the second
/// leaves none.
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

/// The frame of `entry` for context.symbols: the constant one, or context.frame filled.
const int64_t *evaluateFrame(xfrt_context &context, const xfrt_entry &entry);

/// Grows the handle's own workspace to what the frame asks for, or refuses a caller's that is too small.
xfrt_status ensureWorkspace(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

} // namespace xfrt

#endif // XFRT_LIB_WORKSPACE_H
