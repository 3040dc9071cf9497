// RUN: xf-reference %s --entry=window_nd | FileCheck %s --check-prefix=WINDOW-ND
// RUN: xf-reference %s --entry=clamped | FileCheck %s --check-prefix=CLAMPED
// RUN: xf-reference %s --entry=lift | FileCheck %s --check-prefix=LIFT
// RUN: xf-reference %s --entry=swin | FileCheck %s --check-prefix=SWIN
// RUN: xf-reference %s --entry=short_windows | FileCheck %s --check-prefix=SHORT-WINDOWS
// RUN: xf-reference %s --entry=short_windows_2d | FileCheck %s --check-prefix=SHORT-2D
// RUN: xf-reference %s --entry=before_the_grid | FileCheck %s --check-prefix=BEFORE
// RUN: xf-reference %s --entry=grid_token | FileCheck %s --check-prefix=GRID-TOKEN
// RUN: xf-reference %s --entry=grid_position | FileCheck %s --check-prefix=GRID-POSITION
// RUN: xf-reference %s --entry=grid_layer | FileCheck %s --check-prefix=GRID-LAYER
// RUN: xf-reference %s --entry=grid_top | FileCheck %s --check-prefix=GRID-TOP
// RUN: xf-reference %s --entry=grid_depth | FileCheck %s --check-prefix=GRID-DEPTH

// Patterns over the coordinates of a row-major grid, here 2 x 3: 0 1 2 / 3 4 5.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// WINDOW-ND: rows : 1x1x6x1 f64 = 3, 7, 6, 24, 56, 48
func.func @window_nd() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.window_nd<extents = [2, 3], radius = [0, 1]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// The window of three is shifted inside: always three keys.
// CLAMPED: rows : 1x1x6x1 f64 = 7, 7, 7, 56, 56, 56
func.func @clamped() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.window_nd<extents = [2, 3], radius = [0, 1], clamp = true>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// LIFT: rows : 1x1x6x1 f64 = 9, 27, 63, 9, 27, 63
func.func @lift() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.lift<extents = [2, 3], axis = 1, of = #xf.causal>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Tokens 0 and 5 share a window after the shift, but 0 wrapped round.
// SWIN: rows : 1x1x6x1 f64 = 1, 6, 6, 24, 24, 32
func.func @swin() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.swin<extents = [6], window = [2], shift = [1]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// A window of the extent need not be a divisor: here 0 | 1 2 3 4 | 5.
// SHORT-WINDOWS: rows : 1x1x6x1 f64 = 1, 30, 30, 30, 30, 32
func.func @short_windows() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.swin<extents = [6], window = [4], shift = [1]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// A window higher than the grid; columns 0 1 | 2.
// SHORT-2D: rows : 1x1x6x1 f64 = 27, 27, 36, 27, 27, 36
func.func @short_windows_2d() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.swin<extents = [2, 3], window = [5, 2], shift = [0, 0]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Six queries of four tokens: the first two, at -2 and -1, lie in the window that starts at -2, of which the grid has 0.
// BEFORE: rows : 1x1x6x1 f64 = 1, 1, 1, 14, 14, 14
func.func @before_the_grid() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %k = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.swin<extents = [4], window = [3], shift = [1]>) : (tensor<1x1x6x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// GRID-TOKEN: rows : 1x1x4x1 f64 = 1, 3, 7, 15
func.func @grid_token() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.grid<layers = 2, of = #xf.causal>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

// GRID-POSITION: rows : 1x1x4x1 f64 = 3, 3, 15, 15
func.func @grid_position() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.grid<layers = 2, of = #xf.causal, granularity = position>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

// Tokens are l0n0 l0n1 l1n0 l1n1.
// GRID-LAYER: rows : 1x1x4x1 f64 = 5, 15, 5, 15
func.func @grid_layer() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.grid<layers = 2, of = #xf.causal, granularity = position, order = layer>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

// GRID-TOP: rows : 1x1x3x1 f64 = 3, 15, 63
func.func @grid_top() -> (tensor<1x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x3x1xf64>
  %k = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.grid<layers = 2, of = #xf.causal, queries = top>) : (tensor<1x1x3x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x3x1xf64>, tensor<1x1x3xf64>)
  %rows = func.call @sums_1x1x3(%o, %lse) : (tensor<1x1x3x1xf64>, tensor<1x1x3xf64>) -> tensor<1x1x3x1xf64>
  return %rows : tensor<1x1x3x1xf64>
}

// GRID-DEPTH: rows : 1x1x4x1 f64 = 3, 3, 12, 12
func.func @grid_depth() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.grid<layers = 2, of = #xf.dense, factorised = true>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x1x4(%o: tensor<1x1x4x1xf64>, %lse: tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64> {
  %count = xf.exp %lse : tensor<1x1x4xf64>
  %column = xf.reshape %count : tensor<1x1x4xf64> to tensor<1x1x4x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

func.func private @sums_1x1x3(%o: tensor<1x1x3x1xf64>, %lse: tensor<1x1x3xf64>) -> tensor<1x1x3x1xf64> {
  %count = xf.exp %lse : tensor<1x1x3xf64>
  %column = xf.reshape %count : tensor<1x1x3xf64> to tensor<1x1x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  return %rows : tensor<1x1x3x1xf64>
}
