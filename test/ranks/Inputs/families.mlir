// Kernelised attention, forward and gradient; that of a parameter that all ranks have is a sum of theirs.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @kernelised(%q: tensor<2x2x24x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}, {}]>}, %k: tensor<2x2x24x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}, {}]>}, %w: tensor<16x16xf32>) -> (tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<16x16xf32>) {
    %o, %dq, %dk, %dw = xf.vjp @k(%q, %k, %w) cotangents(%q : tensor<2x2x24x16xf32>) wrt [0, 1, 2] : (tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<16x16xf32>) -> (tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<16x16xf32>)
    return %o, %dq, %dk, %dw : tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<16x16xf32>
  }
  func.func private @k(%q: tensor<2x2x24x16xf32>, %k: tensor<2x2x24x16xf32>, %w: tensor<16x16xf32>) -> tensor<2x2x24x16xf32> {
    %v = xf.linear %k, %w : (tensor<2x2x24x16xf32>, tensor<16x16xf32>) -> tensor<2x2x24x16xf32>
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>) -> tensor<2x2x24x16xf32>
    return %o : tensor<2x2x24x16xf32>
  }
}

// -----

// Low rank, whose projections all ranks have; their gradients are sums.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @low_rank(%q: tensor<2x2x16x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}, {}]>}, %e: tensor<16x4xf32>) -> (tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>, tensor<16x4xf32>) {
    %o, %dq, %de = xf.vjp @l(%q, %e) cotangents(%q : tensor<2x2x16x8xf32>) wrt [0, 1] : (tensor<2x2x16x8xf32>, tensor<16x4xf32>) -> (tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>, tensor<16x4xf32>)
    return %o, %dq, %de : tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>, tensor<16x4xf32>
  }
  func.func private @l(%q: tensor<2x2x16x8xf32>, %e: tensor<16x4xf32>) -> tensor<2x2x16x8xf32> {
    %o = xf.attention %q, %q, %q pattern(#xf.low_rank<rank = 4>) params(%e : tensor<16x4xf32>) : (tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>) -> tensor<2x2x16x8xf32>
    return %o : tensor<2x2x16x8xf32>
  }
}

// -----

// Heads by all-to-all, forward and gradient, of a window with heads that share keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @window(%q: tensor<1x4x32x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x32x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x32x16xf32>, tensor<1x4x32x16xf32>, tensor<1x2x32x16xf32>) {
    %o, %dq, %dk = xf.vjp @w(%q, %k) cotangents(%q : tensor<1x4x32x16xf32>) wrt [0, 1] : (tensor<1x4x32x16xf32>, tensor<1x2x32x16xf32>) -> (tensor<1x4x32x16xf32>, tensor<1x4x32x16xf32>, tensor<1x2x32x16xf32>)
    return %o, %dq, %dk : tensor<1x4x32x16xf32>, tensor<1x4x32x16xf32>, tensor<1x2x32x16xf32>
  }
  func.func private @w(%q: tensor<1x4x32x16xf32>, %k: tensor<1x2x32x16xf32>) -> tensor<1x4x32x16xf32> {
    %o = xf.attention %q, %k, %k pattern(#xf.window<left = 7>) : (tensor<1x4x32x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>) -> tensor<1x4x32x16xf32>
    return %o : tensor<1x4x32x16xf32>
  }
}

// -----

// A step of training in f32 with two axes: the batch, the hidden width, clipping and AdamW. What the share of a rank means rounds the
// scale of clipping to f32, which the op of the whole program does not: its meanings agree to 1e-9.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @step(%x: tensor<4x8x16xf32> {xf.name = "x", xf.sharding = #xf.sharding<[{"data"}, {}, {}]>}, %y: tensor<4x8x16xf32> {xf.name = "y", xf.sharding = #xf.sharding<[{"data"}, {}, {}]>},
                  %u: tensor<32x16xf32> {xf.name = "u", xf.sharding = #xf.sharding<[{"tensor"}, {}]>}, %d: tensor<16x32xf32> {xf.name = "d", xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %n: tensor<16xf32> {xf.name = "n"},
                  %m: tensor<32x16xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"tensor"}, {}]>}, %v: tensor<32x16xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16xf32>, tensor<32x16xf32>, tensor<32x16xf32>) {
    %loss, %gu, %gd, %gn = xf.gradient @loss(%x, %y, %u, %d, %n) wrt [2, 3, 4] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16xf32>) -> (tensor<f32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16xf32>)
    %clip = xf.clip_scale %gu, %gd, %gn max_norm 0.5 : (tensor<32x16xf32>, tensor<16x32xf32>, tensor<16xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %gu, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<32x16xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %nu, %gd, %gn, %nm, %nv : tensor<f32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16xf32>, tensor<32x16xf32>, tensor<32x16xf32>
  }
  func.func private @loss(%x: tensor<4x8x16xf32>, %y: tensor<4x8x16xf32>, %u: tensor<32x16xf32>, %d: tensor<16x32xf32>, %n: tensor<16xf32>) -> tensor<f32> {
    %r = xf.rms_norm %x weight(%n : tensor<16xf32>) eps 1.0e-5 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %h = xf.linear %r, %u : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %g = xf.silu %h : tensor<4x8x32xf32>
    %z = xf.linear %g, %d : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %e = xf.sub %z, %y : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %s = xf.square %e : tensor<4x8x16xf32>
    %l = xf.reduce mean %s axes [0, 1, 2] : tensor<4x8x16xf32> -> tensor<f32>
    return %l : tensor<f32>
  }
}
