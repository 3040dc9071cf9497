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

/// Makes the memory for the collectives of an entry as large as an evaluated frame requires. This is done before a
/// call, so that no rank runs out of memory while others wait for its messages. Requires several ranks.
xfrt_status reserveCollectives(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame);

/// Creates the stream on which the messages of a handle are sent while kernels run. If the driver cannot order streams
/// by events, creates none; messages then take turns with the kernels on the stream of the handle.
xfrt_status openMessages(Handle &handle);

/// Waits for messages, and releases what openMessages created. The device's context must be current.
void closeMessages(Handle &handle);

/// Releases the host memory for collectives.
void releaseCollectives(Handle &handle);

/// Starts a collective of the entry behind the work on the handle's stream. `send` and `receive` are its buffers on the
/// device. A failure of the device does not stop the collective: its messages carry the failure, which the end of the
/// call reports. Fails if messages cannot be sent.
xfrt_status startCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                            const int64_t *frame, Address send, Address receive);

/// Makes the stream wait for a collective, and copies what it received to `receive`. Failures are treated as in
/// startCollective.
xfrt_status waitForCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                              const int64_t *frame, Address send, Address receive);

/// Waits for all messages of a call, up to their time limit. Returns the failure of this rank, or of a rank whose
/// results it received, if there is one.
xfrt_status finishCollectives(xfrt_context &context);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_COLLECTIVE_H
