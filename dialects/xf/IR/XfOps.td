//===- XfOps.td - All ops of the dialect --------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialects/xf/IR/XfAttentionOps.td"
include "dialects/xf/IR/XfElementwiseOps.td"
include "dialects/xf/IR/XfTensorOps.td"
include "dialects/xf/IR/XfTrainingOps.td"
