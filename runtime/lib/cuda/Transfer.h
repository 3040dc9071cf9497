//===- Transfer.h - Arguments, results and parameters on a GPU -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_TRANSFER_H
#define XFRT_LIB_CUDA_TRANSFER_H

#include "Handle.h"

namespace xfrt::cuda {

/// Fills handle.parameters: `kept` with the parameters and states of the model, each name once, and `numbers` with the
/// index of each argument's parameter. Both arrays must have room for all arguments of all entries.
void listParameters(Handle &handle, const xfrt_model &model);

/// Assigns a device address to every argument and result of the call. Allocates device memory for those that lie in
/// host memory.
xfrt_status placeBuffers(xfrt_context &context, const xfrt_entry &entry);

/// Returns whether the call must copy an argument or a result between host and device. Must be called after
/// placeBuffers.
bool needsCopies(const xfrt_context &context, const xfrt_entry &entry);

/// Copies arguments from the host to the device, except those in the caller's device memory (Place::Given) and kept
/// parameters with a valid copy. Sets `copied` to true if it copies an argument, else leaves it unchanged.
xfrt_status copyArguments(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Copies results, and arguments that the entry updates, from the device to the host, except those in the caller's
/// device memory (Place::Given). Does not copy resident parameters either, but marks them as newer than host memory.
/// Sets `copied` to true if it copies a result, else leaves it unchanged.
xfrt_status copyResults(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Invalidates the device copies of parameters that the entry updates, after a failed call has left them undefined.
/// With XFRT_RESIDENT_PARAMETERS leaves them valid.
void dropUpdated(Handle &handle, const xfrt_entry &entry);

/// Verifies that the elements of all integer arguments, in host or device memory, satisfy the constraints that the
/// entry declares (xfrt_checks). Copies elements in device memory to the host, and waits for the copies. Among these
/// are kept states that an earlier call has updated on the device.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

/// Copies to host memory all kept parameters whose copy on the device is newer, and waits for the copies. If `data` is
/// not null, copies only the parameter at `data` in host memory.
xfrt_status fetchParameters(Handle &handle, const void *data);

/// Invalidates the device copies of all parameters, so that the next call reads them anew. If `data` is not null,
/// invalidates only the copy of the parameter at `data` in host memory.
void forgetCopies(Handle &handle, const void *data);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_TRANSFER_H
