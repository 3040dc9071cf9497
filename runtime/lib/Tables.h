//===- Tables.h - Are the rows of an object whole? -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_TABLES_H
#define XFRT_LIB_TABLES_H

#include "Message.h"

namespace xfrt {

/// That every row which the model and its entries name lies in its table, and that the sum of all numbers is the one
/// that was written; in time linear in the tables. Nothing is known of tables without xfrt_model::tables.
xfrt_status checkTables(const xfrt_model &model, Message &message);

/// That constants and images are the bytes that were written; after checkTables.
xfrt_status checkData(const xfrt_model &model, Message &message);

} // namespace xfrt

#endif // XFRT_LIB_TABLES_H
