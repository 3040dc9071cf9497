//===- Model.h - Sizes and rows of entries ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MODEL_H
#define XFRT_LIB_MODEL_H

#include "Message.h"

namespace xfrt {

/// Verifies the value of derived symbol `number` of the entry. `given` is the size that a buffer has in a dimension
/// with this symbol. It must be equal to the value that is computed from `symbols`, and inside the symbol's range.
xfrt_status checkDerived(const xfrt_entry &entry, int32_t number, const int64_t *symbols, int64_t given,
                         Message &message);

/// Verifies that `symbols` holds one value for each symbol of the entry, and that each value is inside the range of its
/// symbol.
xfrt_status checkSymbols(const xfrt_entry &entry, const int64_t *symbols, int32_t count, Message &message);

/// Sets `bytes` to the size of the workspace of a call: the size of the arena, which is in the evaluated frame `frame`,
/// plus the sizes of the scratch areas of all workers. Fails on an xfrt_size_error or an overflow.
xfrt_status workspaceBytes(const xfrt_model &model, const xfrt_entry &entry, const int64_t *frame, int32_t threads,
                           size_t &bytes, Message &message);

/// Returns the operand from which a step with XFRT_FILLS_HELD fills prepacked memory, or null if the step has no
/// operands.
const xfrt_operand *heldSource(const xfrt_entry &entry, const xfrt_step &step);

/// Returns the size of the entry's arena in bytes, a multiple of 64, from an evaluated frame. Returns an
/// xfrt_size_error (< 0) if the sizes of the call are invalid.
inline int64_t arenaBytes(const xfrt_entry &entry, const int64_t *frame) {
  return entry.arena_bytes < 0 ? 0 : frame[entry.arena_bytes];
}

/// Returns whether `slot` is an index into the entry's frame.
inline bool isSlot(const xfrt_entry &entry, int32_t slot) { return slot >= 0 && slot < entry.frame_size; }

} // namespace xfrt

#endif // XFRT_LIB_MODEL_H
