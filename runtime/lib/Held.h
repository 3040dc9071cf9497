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

/// Returns whether the call in progress runs the step (xfrt_when).
bool isDue(const xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step);

/// Records, after a step that fills a held form, the parameter that the form was filled from. Does nothing for other
/// steps.
void noteFilled(xfrt_context &context, const xfrt_entry &entry, const xfrt_step &step);

/// Returns whether a result of the entry updates an argument in place.
bool updatesParameters(const xfrt_entry &entry);

/// Marks all held forms as not filled.
void forgetParameters(xfrt_context &context);

} // namespace xfrt

#endif // XFRT_LIB_HELD_H
