//===- WideLse.h - Attention whose log-sum-exp keeps all digits -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where log-sum-exps are subtracted from each other, as where attention of parts of the keys is merged, what counts is
// their difference. Beside large scores f32 has no digits for it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_ATTENTION_WIDELSE_H
#define XF_FRONTEND_GRAPH_ATTENTION_WIDELSE_H

#include "xf/attention.h"

namespace xf::detail {

/// Computes attention_with_lse. The log-sum-exp is f64, for any element type of q.
AttentionResult attendWithWideLse(const Tensor &q, const Tensor &k, const Tensor &v, const AttentionOptions &options,
                                  Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_ATTENTION_WIDELSE_H
