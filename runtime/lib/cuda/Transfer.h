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

/// Finds the parameters of the model by name: fills parameters and parameterOf, which have room for all arguments.
void listParameters(Handle &handle, const xfrt_model &model);

/// Gives every argument and result an address, with memory for those that lie in the host's.
xfrt_status placeBuffers(xfrt_context &context, const xfrt_entry &entry);

/// Whether the call has anything to copy. After placeBuffers.
bool needsCopies(const xfrt_context &context, const xfrt_entry &entry);

/// Copies arguments from the host: all but parameters that are on the device already. `copied`: there was one.
xfrt_status copyArguments(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// Copies results, and arguments that the entry updates, to the host. `copied`: there was one.
xfrt_status copyResults(xfrt_context &context, const xfrt_entry &entry, bool &copied);

/// After kernels failed to run: copies of parameters that the entry updates have no values any more that are known.
void dropUpdated(Handle &handle, const xfrt_entry &entry);

/// The declared ranges of integer arguments, wherever they lie.
xfrt_status checkIntegers(xfrt_context &context, const xfrt_entry &entry);

/// Copies kept parameters that are newer than the host's memory into it.
xfrt_status fetchParameters(Handle &handle);

/// All kept parameters are read anew.
void forgetCopies(Handle &handle);

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_TRANSFER_H
