//===- Collective.h - What ranks with GPUs send each other ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_COLLECTIVE_H
#define XFRT_LIB_CUDA_COLLECTIVE_H

#include "Handle.h"

namespace xfrt::cuda {

/// Makes the memory for the collectives of an entry as large as an evaluated frame requires: later a rank without
/// memory would leave the others waiting. Requires several ranks.
xfrt_status reserveCollectives(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

/// Makes a stream for the messages of a handle, on which they are sent while kernels run, where the driver can order
/// streams by events. Without it they take turns with the kernels.
xfrt_status openMessages(Handle &handle);

/// Waits for messages, and releases what openMessages made. The context is current.
void closeMessages(Handle &handle);

/// Releases the host's memory for collectives.
void releaseCollectives(Handle &handle);

/// Starts a collective of the entry, once what the stream does before is done: `send` and `receive` are its buffers on
/// the device. A device that fails does not stop the collective, which then sends what is worth nothing; the call's end
/// says so. Fails where messages cannot be sent.
xfrt_status startCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                            const int64_t *frame, Address send, Address receive);

/// Brings what a collective received to `receive` before the stream goes on. Otherwise as startCollective.
xfrt_status waitForCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                              const int64_t *frame, Address send, Address receive);

/// Waits for all messages of a call, up to their limit. Returns what this rank and those whose results it received say.
xfrt_status finishCollectives(xfrt_context &context);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_COLLECTIVE_H
