// RUN: xf-opt --xf-solve-patterns -split-input-file -verify-diagnostics %s

func.func @empty(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{statically empty pattern}}
  %o = xf.attention %x, %x, %x pattern(#xf.intersection<[#xf.causal, #xf.window<left = -1, right = 4>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @empty_rows(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-remark @+1 {{some queries may see no key: their output is 0 and their lse -inf}}
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 8, summary = 2, part = column>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @tiles(%x: tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32> {
  // expected-remark @+1 {{pattern runs tile by tile, each tile with a pair in it computed whole: no interval of keys in any order of queries; 4096 pairs in tiles of 64 x 64 for 170}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 8 - j floordiv 8) mod 8 == 0, (i - 2 * j) mod 3 == 0)>) : (tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32>
  return %o : tensor<1x1x64x4xf32>
}

// -----

func.func @segments(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{not implemented: pattern #xf.segments}}
  %o = xf.attention %x, %x, %x pattern(#xf.segments) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @random(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{not implemented: pattern #xf.random<count = 3, seed = 1>}}
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.causal, #xf.random<count = 3, seed = 1>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @kernelized(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{not implemented: pattern #xf.kernelized}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @low_rank(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{not implemented: pattern #xf.low_rank}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @stride(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected stride >= 1, got 0}}
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 0>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @number(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected left <= 2147483648, got 9000000000}}
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 9000000000>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @summary(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected summary (slot + 1) <= block, got summary = 5, slot = 0, block = 4}}
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 4, summary = 5>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @divisor(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a positive constant on the right of mod, got 0}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 0 == 0)>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @symbolic_divisor(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a positive constant on the right of floordiv}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv Nk == 0)>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @factor(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a constant factor in every product of an affine set}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : (Nk * i ge 0)>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @extents(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected 2 values of radius, got 1}}
  %o = xf.attention %x, %x, %x pattern(#xf.window_nd<extents = [4, 4], radius = [1]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @tokens(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected product of the extents <= 2147483648, got 10000000000}}
  %o = xf.attention %x, %x, %x pattern(#xf.window_nd<extents = [100000, 100000], radius = [1, 1]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @axis(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  %o = xf.attention %x, %x, %x pattern(#xf.lift<extents = [4, 4], axis = 2, of = #xf.causal>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @swin_window(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a window that divides the extent 6, got 4}}
  %o = xf.attention %x, %x, %x pattern(#xf.swin<extents = [6], window = [4], shift = [0]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @interval(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected an interval's end >= 4, got 2}}
  %o = xf.attention %x, %x, %x pattern(#xf.keys<[4 : 2]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}
