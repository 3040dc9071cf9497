//===- ScoreReads.h - What score regions read -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_SCORES_SCOREREADS_H
#define XF_DIALECTS_XF_SCORES_SCOREREADS_H

#include "dialects/xf/Ops/XfAttentionCall.h"

namespace mlir::xf {

/// Verifies C9 of xf.attention: the score region reads captured tensors within their bounds. Accepts a read that leaves
/// them only for some sizes or indices of a call. Fails after an error at the read.
LogicalResult verifyScoreReads(const AttentionCall &call);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_SCORES_SCOREREADS_H
