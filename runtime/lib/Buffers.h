//===- Buffers.h - Does what the caller gave fit the entry? ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_BUFFERS_H
#define XFRT_LIB_BUFFERS_H

#include "Context.h"

namespace xfrt {

/// Checks every buffer against its tensor, binds the entry's symbols to the sizes found and fills context.symbols,
/// context.arguments and context.results.
xfrt_status bindBuffers(xfrt_context &context, const xfrt_entry &entry, const xfrt_buffer *arguments,
                        const xfrt_buffer *results);

/// No memory that the call writes may be read or written under another name. After bindBuffers and the workspace.
xfrt_status checkOverlap(xfrt_context &context, const xfrt_entry &entry);

/// The declared range of an argument, where it has one, for its elements at `data`. After bindBuffers.
xfrt_status checkInteger(xfrt_context &context, const xfrt_entry &entry, int32_t argument, const char *data);

/// The declared ranges of all arguments, which lie in the host's memory.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

} // namespace xfrt

#endif // XFRT_LIB_BUFFERS_H
