//===- Communicator.h - Verifying a table of messages -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_COMMUNICATOR_H
#define XFRT_LIB_RANKS_COMMUNICATOR_H

#include "../Message.h"

namespace xfrt {

/// Verifies the version, the ranks and the functions of a communicator that a caller or a plug-in has filled.
/// Errors: XFRT_ABI_MISMATCH, XFRT_INVALID_ARGUMENT.
xfrt_status checkCommunicator(const xfrt_communicator &communicator, Message &message);

/// Verifies the communicator (null: one rank) and timeout_ms of `options`.
xfrt_status checkRanks(const xfrt_options &options, Message &message);

/// Verifies that a model can run on all ranks of a communicator. Null means one rank.
xfrt_status checkShares(const xfrt_model &model, const xfrt_communicator *communicator, Message &message);

} // namespace xfrt

#endif // XFRT_LIB_RANKS_COMMUNICATOR_H
