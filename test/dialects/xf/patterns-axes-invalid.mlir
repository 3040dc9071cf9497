// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.window_nd C2
func.func @extents(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected 2 values of radius, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 4], radius = [1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window_nd C1
func.func @extent(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected extent >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 0], radius = [1, 1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window_nd C1
func.func @no_extents(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected at least one extent, got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [], radius = []>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window_nd C2
func.func @radius(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected radius >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4], radius = [-1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.lift C2
func.func @axis(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an axis in [0, 2), got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.lift<extents = [4, 4], axis = 2, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.swin C2
func.func @swin_window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected window >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [8], window = [0], shift = [0]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.swin C3
func.func @swin_shift(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a shift below the window 2, got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [6], window = [2], shift = [2]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window_nd C3
func.func @clamped_axes(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected at most 3 axes along which a clamped window moves, got 4}}
  %o = xf.attention %q, %q, %q pattern(#xf.window_nd<extents = [4, 4, 4, 4], radius = [1, 1, 1, 1], clamp = true>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.lift C1
func.func @lift_extent(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected extent >= 1, got 0}}
  %o = xf.attention %x, %x, %x pattern(#xf.lift<extents = [0], axis = 0, of = #xf.causal>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.lift C3
func.func @inside_lift(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.lift<extents = [8], axis = 0, of = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.swin C1
func.func @swin_extents(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected at least one extent, got none}}
  %o = xf.attention %x, %x, %x pattern(#xf.swin<extents = [], window = [], shift = []>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}
