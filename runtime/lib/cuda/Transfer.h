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

/// Fills handle.parameters with the distinct parameters and states of the model, by name, and handle.parameterOf. Both
/// arrays must have room for all arguments of all entries.
void listParameters(Handle &handle, const xfrt_model &model);

/// Assigns a device address to every argument and result. Allocates device memory for those that lie in the host's
/// memory.
xfrt_status placeBuffers(xfrt_context &context, const xfrt_entry &entry);

/// Returns whether the call must copy an argument or a result. Must be called after placeBuffers.
bool needsCopies(const xfrt_context &context, const xfrt_entry &entry);

/// Copies arguments from the host to the device, except arguments in the caller's device memory (Place::Given) and kept
/// parameters whose copy is valid. Sets `copied` to true where an argument was copied, and never to false.
xfrt_status copyArguments(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Copies results, and arguments that the entry updates, from the device to the host, except those in the caller's
/// device memory (Place::Given) and resident parameters, which are only marked as newer. Sets `copied` to true where a
/// result was copied, and never to false.
xfrt_status copyResults(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Invalidates the copies of parameters that the entry updates, after a failed call has left them undefined. Applies to
/// XFRT_HOLD_PARAMETERS only.
void dropUpdated(Handle &handle, const xfrt_entry &entry);

/// Verifies the declared constraints of all integer arguments, in the memory of the host or of the device.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

/// Copies kept parameters with updates that the host's memory lacks to the host, and waits for the copies.
xfrt_status fetchParameters(Handle &handle);

/// Invalidates all kept copies, so that the next call reads parameters anew.
void forgetCopies(Handle &handle);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_TRANSFER_H
