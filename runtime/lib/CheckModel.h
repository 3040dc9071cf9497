//===- CheckModel.h - Verification of models --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CHECKMODEL_H
#define XFRT_LIB_CHECKMODEL_H

#include "Message.h"

namespace xfrt {

/// Verifies the ABI version, and that every index in the tables lies inside its table. Finds mistakes of a compiler, or
/// of tables written by hand, before they become wild pointers. Does not defend against hostile objects, which are
/// trusted as code is.
xfrt_status checkModel(const xfrt_model *model, Message &message);

/// Replaces `model` by `variant`, another model of the same list (xfrt_model::next), after verifying the tables of
/// `variant`. Leaves `model` unchanged on an error.
xfrt_status takeVariant(const xfrt_model &variant, const xfrt_model *&model, Message &message);

} // namespace xfrt

#endif // XFRT_LIB_CHECKMODEL_H
