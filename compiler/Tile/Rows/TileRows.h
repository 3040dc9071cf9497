//===- TileRows.h - Launches over rows for every tiling ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ROWS_TILEROWS_H
#define XF_COMPILER_TILE_ROWS_TILEROWS_H

#include "compiler/Tile/Rows/RowLaunch.h"

namespace mlir::xf {

/// Builds one element of each output from one element of each input. All elements have the type in which they are
/// computed (computedType).
using ElementFunction = function_ref<SmallVector<Value>(RowBody &body, ScalarCode &code, ValueRange elements)>;

/// Appends a launch that applies an element-wise function to buffers of equal sizes.
void launchElementwise(HostBuilder &host, StringRef family, ArrayRef<Buffer> ins, ArrayRef<Buffer> outs,
                       ElementFunction element);
/// Appends a launch that copies `from` to `to`, which have equal shapes. Converts floats to the type of `to`.
void copyElements(HostBuilder &host, const Buffer &from, const Buffer &to);
/// Appends a launch that sets every element of a buffer to `value`.
void tileFill(HostBuilder &host, const Buffer &buffer, double value);
/// Appends launches that compute the sum, maximum or mean of x over `axes`, and write it to y. y does not have these
/// axes. The order of sums is fixed.
void tileReduction(HostBuilder &host, const Buffer &x, ArrayRef<int64_t> axes, xft::Combiner combiner, bool mean,
                   const Buffer &y);
/// Returns true if a launch may accumulate in `buffer` itself: its columns are contiguous, and its elements have the
/// type in which they are computed (computedType).
bool mayAccumulateIn(const Buffer &buffer);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ROWS_TILEROWS_H
