//===- AttentionDims.h - Dimensions of operands of attention -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_ATTENTIONDIMS_H
#define XF_COMPILER_PARTITION_ATTENTION_ATTENTIONDIMS_H

#include <cstdint>

namespace mlir::xf {

/// The dimensions of queries, keys and values after the batch dimension, which is dimension 0.
inline constexpr int64_t headDim = 1, tokenDim = 2, widthDim = 3;

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_ATTENTIONDIMS_H
