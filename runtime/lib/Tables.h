//===- Tables.h - Verification of the tables -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_TABLES_H
#define XFRT_LIB_TABLES_H

#include "Message.h"

namespace xfrt {

/// Verifies the checksum of all numbers in the tables, and that every row that the model and its entries refer to lies
/// in its table. Takes time linear in the size of the tables. Accepts a model without xfrt_model::tables.
xfrt_status checkTables(const xfrt_model &model, Message &message);

/// Verifies the checksum of the bytes of constants and images. Requires that checkTables has accepted the model.
xfrt_status checkData(const xfrt_model &model, Message &message);

/// Returns whether the library runs models of this version of the tables.
inline bool isKnownVersion(int32_t version) {
  return version == XFRT_ABI_VERSION || (version >= XFRT_OLDEST_ABI_VERSION && version <= XFRT_ONE_RANK_ABI_VERSION);
}

/// Returns whether the tables of the model have the fields of xfrt_work.
inline bool hasWork(const xfrt_model &model) { return model.tables && model.abi_version >= 9; }

/// Returns whether the tables of the model have the axes and collectives of several ranks.
inline bool hasRanks(const xfrt_model &model) { return model.tables && model.abi_version >= XFRT_ABI_VERSION; }

/// Returns whether a step is one of a collective: its start, or the wait for its end.
inline bool isCollective(const xfrt_step &step) { return step.kind == XFRT_COLLECTIVE || step.kind == XFRT_WAIT; }

/// Returns the number of ranks that run the model together.
inline int64_t ranksOf(const xfrt_model &model) {
  int64_t ranks = 1;
  for (const xfrt_axis *axis = hasRanks(model) ? model.tables->axes : nullptr; axis && axis != model.tables->axes_end;
       ++axis)
    ranks *= axis->ranks;
  return ranks;
}

/// Returns the work of a step of an entry of the model, or null where the tables do not tell it. Requires that
/// checkTables has accepted the model.
inline const xfrt_work *workOf(const xfrt_model &model, const xfrt_entry &entry, int32_t step) {
  if (!hasWork(model) || model.tables->work == model.tables->work_end)
    return nullptr;
  return model.tables->work + (entry.steps - model.tables->steps) + step;
}

} // namespace xfrt

#endif // XFRT_LIB_TABLES_H
