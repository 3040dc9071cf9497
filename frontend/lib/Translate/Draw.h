//===- Draw.h - Drawing pictures of a pattern -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_DRAW_H
#define XF_FRONTEND_TRANSLATE_DRAW_H

#include "../Graph/Patterns/PatternNode.h"
#include "xf/picture.h"

namespace xf::detail {

struct DrawnText {
  std::string svg, png, text, npz;
  /// Error message where the pattern cannot be drawn; empty otherwise.
  std::string error;
};

DrawnText drawWeights(const std::vector<double> &weights, const std::vector<int64_t> &shape, const MapPicture &options);
DrawnText drawPattern(const PatternNode &pattern, int64_t tokens, const DrawOptions &options);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_DRAW_H
