//===- WideLse.h - Attention whose log-sum-exp keeps all digits -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes attention with log-sum-exps in f64. They are needed if log-sum-exps are subtracted from each other, for
// example to merge the attentions to parts of the keys. If scores are large, f32 does not have the digits of the
// difference.
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
