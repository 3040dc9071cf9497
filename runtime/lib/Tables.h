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

} // namespace xfrt

#endif // XFRT_LIB_TABLES_H
