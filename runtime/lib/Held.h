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

/// Returns whether the call in progress runs the step, by the step's condition (xfrt_when).
bool isDue(const xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step);

/// If a step fills prepacked memory (XFRT_FILLS_HELD), records the parameter that it has filled it from. Does nothing
/// for other steps. Must be called after the step.
void noteFilled(xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step);

/// Returns whether a result of the entry updates a parameter in place. Updates of states leave prepacked weights as
/// they are.
bool updatesParameters(const xfrt_entry &entry);

/// Marks all prepacked weights as not filled, so that the next call fills them again.
void forgetParameters(xfrt_context &context);

} // namespace xfrt

#endif // XFRT_LIB_HELD_H
