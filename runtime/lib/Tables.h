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
/// in its table. Takes time linear in the size of the tables. Accepts a model without tables.
xfrt_status checkTables(const xfrt_model &model, Message &message);

/// Verifies the checksum of the bytes of constants and images. Requires that checkTables has accepted the model.
xfrt_status checkData(const xfrt_model &model, Message &message);

/// Returns whether a step starts a collective, or waits for the end of one.
inline bool isCollective(const xfrt_step &step) { return step.kind == XFRT_COLLECTIVE || step.kind == XFRT_WAIT; }

/// Returns the number of ranks that run the model together.
inline int64_t ranksOf(const xfrt_model &model) {
  int64_t ranks = 1;
  if (const xfrt_tables *tables = model.tables)
    for (const xfrt_axis *axis = tables->axes; axis != tables->axes_end; ++axis)
      ranks *= axis->ranks;
  return ranks;
}

/// Returns the work of a step of an entry, or null if the tables do not state it. Requires that checkTables has
/// accepted the model.
inline const xfrt_work *workOf(const xfrt_model &model, const xfrt_entry &entry, int32_t step) {
  if (!model.tables || model.tables->work == model.tables->work_end)
    return nullptr;
  return model.tables->work + (entry.steps - model.tables->steps) + step;
}

} // namespace xfrt

#endif // XFRT_LIB_TABLES_H
