//===- Context.cpp - The state of a handle --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <algorithm>

using namespace xfrt;

static xfrt_status checkProcess(xfrt_context &context) {
  if (!isOfParent(context))
    return XFRT_OK;
  return context.message.fail(XFRT_FORKED, "expected a handle of this process, got one of its parent, %s",
                              context.ranks ? "whose ranks do not know a child of fork"
                                            : "whose driver does not work in a child of fork");
}

Exclusive::Exclusive(xfrt_context &context)
    : context(context), entered(!context.busy.exchange(true)), status(entered ? checkProcess(context) : XFRT_BUSY) {}

const int64_t *xfrt::evaluateFrame(xfrt_context &context, const xfrt_entry &entry) {
  if (!entry.prepare)
    return entry.frame;
  std::fill(context.frame, context.frame + entry.frame_size, 0);
  entry.prepare(context.symbols, context.frame);
  return context.frame;
}
