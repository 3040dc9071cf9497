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

/// Replaces `model` by `variant`, a model of the same list, after verifying the tables of `variant`.
xfrt_status takeVariant(const xfrt_model &variant, const xfrt_model *&model, Message &message);

/// Verifies that `symbols` holds one value for each symbol of the entry, each inside the range of the symbol.
xfrt_status checkSymbols(const xfrt_entry &entry, const int64_t *symbols, int32_t count, Message &message);

/// Computes the size of the workspace for an evaluated frame: the arena plus the scratch areas of all workers.
xfrt_status workspaceBytes(const xfrt_entry &entry, const int64_t *frame, int32_t threads, size_t &bytes,
                           Message &message);

/// Returns the operand that a step which fills a held form fills it from (xfrt_when); null if the step has none.
const xfrt_operand *heldSource(const xfrt_entry &entry, const xfrt_step &step);

/// Returns the size of the arena in bytes, a multiple of 64, or an xfrt_size_error.
inline int64_t arenaBytes(const xfrt_entry &entry, const int64_t *frame) {
  return entry.arena_bytes < 0 ? 0 : frame[entry.arena_bytes];
}

/// Returns whether `slot` is one of the entry's frame.
inline bool isSlot(const xfrt_entry &entry, int32_t slot) { return slot >= 0 && slot < entry.frame_size; }

} // namespace xfrt

#endif // XFRT_LIB_MODEL_H
