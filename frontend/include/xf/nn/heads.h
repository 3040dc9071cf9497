//===- xf/nn/heads.h - Options of heads -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_HEADS_H
#define XF_NN_HEADS_H

#include "xf/error.h"

#include <cstdint>

namespace xf::nn {

/// Returns width / heads, the size of a head. Throws Error unless `heads` is positive and divides `width`.
inline int64_t head_size(int64_t width, int64_t heads, Here here = Here::current()) {
  if (heads < 1 || width % heads != 0)
    throw Error("expected a width that is a multiple of the heads, got width " + std::to_string(width) + " and " +
                    std::to_string(heads) + " heads",
                here);
  return width / heads;
}

/// Throws Error unless the option named `option` has a value `value` of at least `least`.
inline void expect_at_least(int64_t least, const char *option, int64_t value, Here here = Here::current()) {
  if (value < least)
    throw Error(std::string("expected ") + option + " of at least " + std::to_string(least) + ", got " +
                    std::to_string(value),
                here);
}

} // namespace xf::nn

#endif // XF_NN_HEADS_H
