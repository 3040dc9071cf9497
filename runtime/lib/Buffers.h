//===- Buffers.h - Verification and binding of buffers ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_BUFFERS_H
#define XFRT_LIB_BUFFERS_H

#include "Context.h"

namespace xfrt {

/// Verifies every buffer against the tensor that the entry declares for it. Binds the entry's symbols to the sizes of
/// the buffers. Fills context.symbols, context.arguments and context.results.
xfrt_status bindBuffers(xfrt_context &context, const xfrt_entry &entry, const xfrt_buffer *arguments,
                        const xfrt_buffer *results);

/// Verifies that no buffer that the call writes, and no part of the workspace, overlaps another buffer of the call.
/// Looks only at spans that lie in `memory` (an xfrt_device). Must be called after bindBuffers and after the workspace
/// has been allocated.
xfrt_status checkOverlap(xfrt_context &context, const xfrt_entry &entry, int32_t memory, const Span &workspace = {});

/// Verifies the elements of an integer argument against the constraints that the entry declares (xfrt_checks), if any.
/// Reads the elements from `data` in host memory. Must be called after bindBuffers.
xfrt_status checkInteger(xfrt_context &context, const xfrt_entry &entry, int32_t argument, const char *data);

/// Verifies the declared constraints of all integer arguments, which must lie in host memory. Must be called after
/// bindBuffers.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

} // namespace xfrt

#endif // XFRT_LIB_BUFFERS_H
