//===- Held.h - Forms of parameters that a handle keeps --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_HELD_H
#define XFRT_LIB_HELD_H

#include "Context.h"

namespace xfrt {

/// Memory for what the handle holds, where it holds parameters.
xfrt_status ensureHeld(xfrt_context &context);

/// True where the launch runs in this call, given the call's arguments.
bool isDue(const xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch);

/// Notes which parameter a held form is of, after a launch that filled it.
void noteFilled(xfrt_context &context, const xfrt_entry &entry, const xfrt_launch &launch);

/// Whether a call of the entry changes parameters.
bool updatesParameters(const xfrt_entry &entry);

void forgetParameters(xfrt_context &context);
void releaseHeld(xfrt_context &context);

} // namespace xfrt

#endif // XFRT_LIB_HELD_H
