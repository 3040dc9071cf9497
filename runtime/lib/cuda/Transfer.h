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

/// Fills handle.parameters with the parameters and states of the model, each name once, and handle.parameterOf with the
/// index of each argument's parameter. Both arrays must have room for all arguments of all entries.
void listParameters(Handle &handle, const xfrt_model &model);

/// Assigns a device address to every argument and result of the call. Allocates device memory for those that lie in
/// host memory.
xfrt_status placeBuffers(xfrt_context &context, const xfrt_entry &entry);

/// Returns whether the call must copy an argument or a result between host and device. Must be called after
/// placeBuffers.
bool needsCopies(const xfrt_context &context, const xfrt_entry &entry);

/// Copies arguments from the host to the device, except those in the caller's device memory (Place::Given) and kept
/// parameters whose copy is valid. Sets `copied` to true where it copies an argument, and otherwise leaves it
/// unchanged.
xfrt_status copyArguments(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Copies results, and arguments that the entry updates, from the device to the host. Leaves out those in the caller's
/// device memory (Place::Given), and resident parameters, which it only marks as newer than host memory. Sets `copied`
/// to true where it copies a result, and otherwise leaves it unchanged.
xfrt_status copyResults(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Invalidates the device copies of parameters that the entry updates, which a failed call has left undefined. With
/// XFRT_RESIDENT_PARAMETERS leaves them valid.
void dropUpdated(Handle &handle, const xfrt_entry &entry);

/// Verifies that the elements of all integer arguments, in host or device memory, satisfy the constraints that the
/// entry declares (xfrt_checks). Copies those in device memory to the host and waits for the copies. Kept states that
/// an earlier call has updated on the device are among these.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

/// Copies to host memory all kept parameters whose copy on the device is newer, or only the one at `data` in host
/// memory unless it is null, and waits for the copies.
xfrt_status fetchParameters(Handle &handle, const void *data);

/// Invalidates all device copies of parameters, or only that of the parameter at `data` in host memory unless it is
/// null, so that the next call reads the parameters anew.
void forgetCopies(Handle &handle, const void *data);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_TRANSFER_H
