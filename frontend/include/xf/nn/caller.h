//===- xf/nn/caller.h - The user's line in errors of models -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_CALLER_H
#define XF_NN_CALLER_H

#include "xf/error.h"

namespace xf::nn {

/// While a Caller exists, errors on its thread have the location `here` in the user's program, and their messages end
/// with the line of the model: "user.cpp:12:20: expected .., got .. (in gpt2.h:98)". A model makes a Caller when it is
/// called. Its operations keep their own lines, which profiles show. If Callers are nested, the outermost one
/// determines the location.
///
///   Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
///     nn::Caller caller(here);
///     return head(layer(embedding(ids)));
///   }
class Caller {
public:
  explicit Caller(Here here);
  ~Caller();
  Caller(const Caller &) = delete;
  Caller &operator=(const Caller &) = delete;

private:
  bool isOutermost;
};

} // namespace xf::nn

#endif // XF_NN_CALLER_H
