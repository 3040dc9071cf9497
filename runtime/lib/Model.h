//===- Model.h - Questions about the tables of an object -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MODEL_H
#define XFRT_LIB_MODEL_H

#include "Message.h"

namespace xfrt {

/// The ABI number, then that every index of the tables lies inside the table that it points to. Objects are trusted as
/// code is; this catches a compiler's mistake and a hand-made table before they become a wild pointer.
xfrt_status checkModel(const xfrt_model *model, Message &message);

/// Whether this processor has all features that the model lists.
bool hasFeatures(const xfrt_model &model);

/// Fails with the features that the model lists and this processor lacks.
xfrt_status failForFeatures(const xfrt_model &model, Message &message);

/// Replaces a model by what this CPU runs of it and those that follow it, with tables that are checked. After an
/// error `model` is as it was.
xfrt_status selectModel(const xfrt_model *&model, Message &message);

/// Replaces `model` by another of its list, whose tables are checked.
xfrt_status takeVariant(const xfrt_model &variant, const xfrt_model *&model, Message &message);

/// `symbols` are as many as the entry has, each inside its range.
xfrt_status checkSymbols(const xfrt_entry &entry, const int64_t *symbols, int32_t count, Message &message);

/// Arena plus the workers' scratch areas for an evaluated frame.
xfrt_status workspaceBytes(const xfrt_entry &entry, const int64_t *frame, int32_t threads, size_t &bytes,
                           Message &message);

/// Bytes of the arena, a multiple of 64.
inline int64_t arenaBytes(const xfrt_entry &entry, const int64_t *frame) {
  return entry.arena_bytes < 0 ? 0 : frame[entry.arena_bytes];
}

/// options.threads, with the default and the limit applied; -1 when it is no number of threads.
int32_t resolveThreads(int32_t threads);

} // namespace xfrt

#endif // XFRT_LIB_MODEL_H
