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
/// Appends a copy between buffers of equal shapes; floats are converted.
void copyElements(HostBuilder &host, const Buffer &from, const Buffer &to);
/// Appends a launch that sets every element of a buffer.
void tileFill(HostBuilder &host, const Buffer &buffer, double value);
/// Appends launches that compute y, the sum, maximum or mean of x over `axes`. y lacks these axes. Sums run in a fixed
/// order.
void tileReduction(HostBuilder &host, const Buffer &x, ArrayRef<int64_t> axes, xft::Combiner combiner, bool mean,
                   const Buffer &y);
/// Returns true if a launch may accumulate in `buffer` itself: its columns are contiguous, and its elements have the
/// type in which they are computed (computedType).
bool mayAccumulateIn(const Buffer &buffer);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ROWS_TILEROWS_H
