//===- ProjectKeys.h - Low-rank projections of keys, values -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_PROJECTKEYS_H
#define XF_COMPILER_EXPAND_PROJECTKEYS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Builds ops that project the rows of keys or values to a few rows, as #xf.low_rank specifies.
class KeyProjector {
public:
  /// Creates a projector to rows with elements of type `element`. `lengths` has the number of keys of each batch entry,
  /// or is null if all rows are keys.
  KeyProjector(OpBuilder &builder, Location loc, LowRankPatternAttr pattern, Value lengths, Type element)
      : builder(builder), loc(loc), pattern(pattern), lengths(lengths), element(element) {}

  /// Returns x, converted to the projector's element type.
  Value convert(Value x);
  /// Projects x [B, H, N, D] to [B, H, rank, D]. `weights` is null if the projection is not learned. Fails, after an
  /// error, if a dynamic size must be static.
  FailureOr<Value> apply(Value x, Value weights);

private:
  /// Replaces the rows of x from row number `lengths` on by zeros. Their contents, which may be NaN, must not affect
  /// results.
  Value selectKeys(Value x);
  Value multiply(Value x, Value weights);
  Value pool(Value x, Reduction kind);
  Value convolve(Value x, Value weights);
  Value slice(Value x, int64_t first, int64_t rows);
  Value padded(Value x, int64_t rows);
  Value reshape(Value x, ArrayRef<int64_t> shape);

  OpBuilder &builder;
  Location loc;
  LowRankPatternAttr pattern;
  Value lengths;
  Type element;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_PROJECTKEYS_H
