//===- PieceText.h - Pieces as the compiler prints them ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PLAN_PIECETEXT_H
#define XF_TEST_PLAN_PIECETEXT_H

#include "Piece.h"

#include <string>
#include <string_view>
#include <vector>

namespace xfrt::plan {

/// Reads every `#xf.piece<..>` of a text, in order, as `xfc --stop-after=pattern` prints them (without aliases of
/// maps). Returns false, and describes the failure in `error`, where a piece is not of that form.
bool readPieces(std::string_view text, std::vector<Piece> &pieces, std::string &error);

} // namespace xfrt::plan

#endif // XF_TEST_PLAN_PIECETEXT_H
