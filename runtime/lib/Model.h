//===- Model.h - Verification and choice of models -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MODEL_H
#define XFRT_LIB_MODEL_H

#include "Message.h"

namespace xfrt {

/// Verifies the ABI version, and that every index of the tables lies inside the table that it refers to. Objects are
/// trusted as code is; the check detects mistakes of a compiler or of hand-written tables before they become wild
/// pointers.
xfrt_status checkModel(const xfrt_model *model, Message &message);

/// Returns whether this processor has all features that the model lists.
bool hasFeatures(const xfrt_model &model);

/// Returns XFRT_MISSING_FEATURES, with a message that lists the features of the model that this processor lacks.
xfrt_status failForFeatures(const xfrt_model &model, Message &message);

/// Replaces a model by the last one, of itself and those that follow it, whose features this CPU has, and verifies its
/// tables. Leaves `model` unchanged on an error.
xfrt_status selectModel(const xfrt_model *&model, Message &message);

/// Replaces `model` by `variant`, a model of the same list, after verifying the tables of `variant`.
xfrt_status takeVariant(const xfrt_model &variant, const xfrt_model *&model, Message &message);

/// Verifies that `symbols` holds one value for each symbol of the entry, each inside the range of the symbol.
xfrt_status checkSymbols(const xfrt_entry &entry, const int64_t *symbols, int32_t count, Message &message);

/// Computes the size of the workspace for an evaluated frame: the arena plus the scratch areas of all workers.
xfrt_status workspaceBytes(const xfrt_entry &entry, const int64_t *frame, int32_t threads, size_t &bytes,
                           Message &message);

/// Returns the size of the arena in bytes, a multiple of 64, or an xfrt_size_error.
inline int64_t arenaBytes(const xfrt_entry &entry, const int64_t *frame) {
  return entry.arena_bytes < 0 ? 0 : frame[entry.arena_bytes];
}

/// Returns the number of threads for xfrt_options::threads: 0 becomes the number of available CPUs, up to the limit.
/// Returns -1 for a negative number or one above the limit.
int32_t resolveThreads(int32_t threads);

} // namespace xfrt

#endif // XFRT_LIB_MODEL_H
