// Tokens in zigzag chunks meet what is whole, what is in order, and ops that need all of them.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @gathers(%x: tensor<4x24xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 3}]>}, %y: tensor<24x4xf64> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>},
                     %p: tensor<24xf64>, %z: tensor<24x4xf64> {xf.sharding = #xf.sharding<[{"sequence" zigzag 2}, {"data"}]>}) -> (tensor<4x24xf64>, tensor<4x24xf64>, tensor<24x4xf64>, tensor<4x24xf64>, tensor<24x4xf64>) {
    %s = xf.softmax %x : tensor<4x24xf64>
    %a = xf.add %x, %p : (tensor<4x24xf64>, tensor<24xf64>) -> tensor<4x24xf64>
    %t = xf.transpose %x permutation [1, 0] : tensor<4x24xf64> to tensor<24x4xf64>
    %b = xf.mul %t, %y : (tensor<24x4xf64>, tensor<24x4xf64>) -> tensor<24x4xf64>
    %m = xf.mul %s, %a : (tensor<4x24xf64>, tensor<4x24xf64>) -> tensor<4x24xf64>
    %c = xf.add %t, %z : (tensor<24x4xf64>, tensor<24x4xf64>) -> tensor<24x4xf64>
    return %s, %a, %b, %m, %c : tensor<4x24xf64>, tensor<4x24xf64>, tensor<24x4xf64>, tensor<4x24xf64>, tensor<24x4xf64>
  }
}

// -----

// Rows of all entries of a batch.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @merged(%x: tensor<4x8x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}]>}, %w: tensor<5x6xf64>) -> (tensor<5xf64>, tensor<8xf64>) {
    %r = xf.reshape %x : tensor<4x8x6xf64> to tensor<32x6xf64>
    %y = xf.linear %r, %w : (tensor<32x6xf64>, tensor<5x6xf64>) -> tensor<32x5xf64>
    %s = xf.reduce mean %y axes [0] : tensor<32x5xf64> -> tensor<5xf64>
    %t = xf.reduce sum %x axes [0, 2] : tensor<4x8x6xf64> -> tensor<8xf64>
    return %s, %t : tensor<5xf64>, tensor<8xf64>
  }
}

// -----

// Tokens that no plan has, and heads that ranks would share of tokens in order.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @segments(%q: tensor<1x2x8x4xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %ids: tensor<1x8xi64> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x8x4xf64> {
    %o = xf.attention %q, %q, %q pattern(#xf.segments) segments(%ids, %ids : tensor<1x8xi64>, tensor<1x8xi64>) : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
    return %o : tensor<1x2x8x4xf64>
  }
}

// -----

// Lengths that are known when it is called.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @lengths(%x: tensor<?x?x8xf64> {xf.name = "x", xf.dims = [#xf.dim<name = "batch", min = 2, max = 16>, #xf.dim<name = "tokens", min = 4, max = 64>], xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}]>},
                     %w: tensor<8x8xf64>, %u: tensor<8x8xf64>) -> (tensor<f64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>) {
    %one = arith.constant dense<1.0> : tensor<f64>
    %l, %dx, %dw, %du = xf.vjp @f(%x, %w, %u) cotangents(%one : tensor<f64>) wrt [0, 1, 2] : (tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>) -> (tensor<f64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>)
    return %l, %dx, %dw, %du : tensor<f64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>
  }
  func.func private @f(%x: tensor<?x?x8xf64>, %w: tensor<8x8xf64>, %u: tensor<8x8xf64>) -> tensor<f64> {
    %a = xf.linear %x, %w : (tensor<?x?x8xf64>, tensor<8x8xf64>) -> tensor<?x?x8xf64>
    %b = xf.linear %x, %u : (tensor<?x?x8xf64>, tensor<8x8xf64>) -> tensor<?x?x8xf64>
    %q = xf.split_heads %a heads 2 : (tensor<?x?x8xf64>) -> tensor<?x2x?x4xf64>
    %k = xf.split_heads %b heads 2 : (tensor<?x?x8xf64>) -> tensor<?x2x?x4xf64>
    %o = xf.attention %q, %k, %k pattern(#xf.causal) : (tensor<?x2x?x4xf64>, tensor<?x2x?x4xf64>, tensor<?x2x?x4xf64>) -> tensor<?x2x?x4xf64>
    %m = xf.merge_heads %o : (tensor<?x2x?x4xf64>) -> tensor<?x?x8xf64>
    %y = xf.mul %m, %x : (tensor<?x?x8xf64>, tensor<?x?x8xf64>) -> tensor<?x?x8xf64>
    %s = xf.reduce mean %y axes [0, 1, 2] : tensor<?x?x8xf64> -> tensor<f64>
    return %s : tensor<f64>
  }
}

// -----

// A step of a small transformer: embeddings of tokens and positions, attention, a loss, AdamW of a state that is in order.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @step(%ids: tensor<2x16xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}]>},
                  %targets: tensor<2x16xi32> {xf.name = "targets", xf.range = array<i64: -100, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}]>},
                  %table: tensor<9x8xf64> {xf.name = "table"}, %positions: tensor<16x8xf64> {xf.name = "positions"}, %a: tensor<8x8xf64> {xf.name = "a"}, %b: tensor<4x8xf64> {xf.name = "b"}, %c: tensor<4x8xf64> {xf.name = "c"},
                  %m: tensor<16x8xf64> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %v: tensor<16x8xf64> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>},
                  %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>, tensor<16x8xf64> {xf.updates = "m"}, tensor<16x8xf64> {xf.updates = "v"}) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %positions, %a, %b, %c) wrt [2, 3, 4, 5, 6] : (tensor<2x16xi32>, tensor<2x16xi32>, tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) -> (tensor<f64>, tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<f64>
    %np, %nm, %nv = xf.adamw %positions, %g1, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<16x8xf64>, tensor<f64>, tensor<i64>, tensor<f64>
    return %loss, %g0, %np, %g2, %g3, %g4, %nm, %nv : tensor<f64>, tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>, tensor<16x8xf64>, tensor<16x8xf64>
  }
  func.func private @loss(%ids: tensor<2x16xi32>, %targets: tensor<2x16xi32>, %table: tensor<9x8xf64>, %positions: tensor<16x8xf64>, %a: tensor<8x8xf64>, %b: tensor<4x8xf64>, %c: tensor<4x8xf64>) -> tensor<f64> {
    %e = xf.embedding %table, %ids : (tensor<9x8xf64>, tensor<2x16xi32>) -> tensor<2x16x8xf64>
    %x = xf.add %e, %positions : (tensor<2x16x8xf64>, tensor<16x8xf64>) -> tensor<2x16x8xf64>
    %p = xf.linear %x, %a : (tensor<2x16x8xf64>, tensor<8x8xf64>) -> tensor<2x16x8xf64>
    %r = xf.linear %x, %b : (tensor<2x16x8xf64>, tensor<4x8xf64>) -> tensor<2x16x4xf64>
    %s = xf.linear %x, %c : (tensor<2x16x8xf64>, tensor<4x8xf64>) -> tensor<2x16x4xf64>
    %q = xf.split_heads %p heads 2 : (tensor<2x16x8xf64>) -> tensor<2x2x16x4xf64>
    %k = xf.split_heads %r heads 1 : (tensor<2x16x4xf64>) -> tensor<2x1x16x4xf64>
    %w = xf.split_heads %s heads 1 : (tensor<2x16x4xf64>) -> tensor<2x1x16x4xf64>
    %o = xf.attention %q, %k, %w pattern(#xf.causal) : (tensor<2x2x16x4xf64>, tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>) -> tensor<2x2x16x4xf64>
    %h = xf.merge_heads %o : (tensor<2x2x16x4xf64>) -> tensor<2x16x8xf64>
    %z = xf.add %x, %h : (tensor<2x16x8xf64>, tensor<2x16x8xf64>) -> tensor<2x16x8xf64>
    %l = xf.linear %z, %table : (tensor<2x16x8xf64>, tensor<9x8xf64>) -> tensor<2x16x9xf64>
    %loss, %lse = xf.cross_entropy %l, %targets : (tensor<2x16x9xf64>, tensor<2x16xi32>) -> (tensor<f64>, tensor<2x16xf64>)
    return %loss : tensor<f64>
  }
}

// -----

// Tokens that are merged twice, beside the same at once: chunks and axes of both are known.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @twice(%x: tensor<2x4x2x3xf64> {xf.sharding = #xf.sharding<[{}, {"sequence" zigzag 2}, {}, {}]>}, %y: tensor<2x4x2x3xf64> {xf.sharding = #xf.sharding<[{}, {"sequence" zigzag 2}, {}, {}]>}) -> (tensor<3x3xf64>, tensor<2x8x3xf64>, tensor<8xf64>) {
    %a = xf.reshape %x : tensor<2x4x2x3xf64> to tensor<16x3xf64>
    %s = xf.reshape %y : tensor<2x4x2x3xf64> to tensor<2x8x3xf64>
    %n = xf.neg %s : tensor<2x8x3xf64>
    %b = xf.reshape %n : tensor<2x8x3xf64> to tensor<16x3xf64>
    %c = xf.transpose %a permutation [1, 0] : tensor<16x3xf64> to tensor<3x16xf64>
    %z = xf.matmul %c, %b : (tensor<3x16xf64>, tensor<16x3xf64>) -> tensor<3x3xf64>
    %m = xf.reduce max %n axes [0, 2] : tensor<2x8x3xf64> -> tensor<8xf64>
    return %z, %n, %m : tensor<3x3xf64>, tensor<2x8x3xf64>, tensor<8xf64>
  }
}

// -----

// Merged rows of two axes are merged again, taken apart in two ways, and meet others.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @again(%x: tensor<4x8x2x3xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}, {}]>}, %y: tensor<4x8x2x3xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}, {}]>}, %w: tensor<5x3xf64>, %p: tensor<64x3xf64>) -> (tensor<64x5xf64>, tensor<4x16x3xf64>, tensor<8x4x2x3xf64>, tensor<4x4x2x2x3xf64>, tensor<64x3xf64>, tensor<5x3xf64>) {
    %rows = xf.reshape %x : tensor<4x8x2x3xf64> to tensor<32x2x3xf64>
    %t = xf.tanh %rows : tensor<32x2x3xf64>
    %all = xf.reshape %t : tensor<32x2x3xf64> to tensor<64x3xf64>
    %l = xf.linear %all, %w : (tensor<64x3xf64>, tensor<5x3xf64>) -> tensor<64x5xf64>
    %entries = xf.reshape %all : tensor<64x3xf64> to tensor<4x16x3xf64>
    %others = xf.reshape %t : tensor<32x2x3xf64> to tensor<8x4x2x3xf64>
    %apart = xf.reshape %entries : tensor<4x16x3xf64> to tensor<4x4x2x2x3xf64>
    %u = xf.reshape %y : tensor<4x8x2x3xf64> to tensor<4x16x3xf64>
    %v = xf.reshape %u : tensor<4x16x3xf64> to tensor<64x3xf64>
    %sum = xf.add %v, %all : (tensor<64x3xf64>, tensor<64x3xf64>) -> tensor<64x3xf64>
    %more = xf.mul %sum, %p : (tensor<64x3xf64>, tensor<64x3xf64>) -> tensor<64x3xf64>
    %lt = xf.transpose %l permutation [1, 0] : tensor<64x5xf64> to tensor<5x64xf64>
    %g = xf.matmul %lt, %more : (tensor<5x64xf64>, tensor<64x3xf64>) -> tensor<5x3xf64>
    return %l, %entries, %others, %apart, %more, %g : tensor<64x5xf64>, tensor<4x16x3xf64>, tensor<8x4x2x3xf64>, tensor<4x4x2x2x3xf64>, tensor<64x3xf64>, tensor<5x3xf64>
  }
}

// -----

// Of one part: a token of all, of some chunk, and tokens in front of each other's; of several parts, and thinned.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @taken(%x: tensor<4x16x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}]>}, %y: tensor<4x16x6xf64> {xf.sharding = #xf.sharding<[{}, {"data", "sequence"}, {}]>}) -> (tensor<4x1x6xf64>, tensor<4x1x2xf64>, tensor<4x2x6xf64>, tensor<4x2x3xf64>, tensor<1x6x6xf64>, tensor<4x8x6xf64>, tensor<4x4x6xf64>) {
    %first = xf.slice %x offsets [0, 0, 0] strides [1, 1, 1] : tensor<4x16x6xf64> to tensor<4x1x6xf64>
    %third = xf.slice %x offsets [0, 9, 1] strides [1, 1, 2] : tensor<4x16x6xf64> to tensor<4x1x2xf64>
    %last = xf.slice %y offsets [0, 13, 0] strides [1, 2, 1] : tensor<4x16x6xf64> to tensor<4x2x6xf64>
    %middle = xf.slice %x offsets [0, 5, 3] strides [1, 2, 1] : tensor<4x16x6xf64> to tensor<4x2x3xf64>
    %several = xf.slice %x offsets [3, 5, 0] strides [1, 1, 1] : tensor<4x16x6xf64> to tensor<1x6x6xf64>
    %thin = xf.slice %x offsets [0, 1, 0] strides [1, 2, 1] : tensor<4x16x6xf64> to tensor<4x8x6xf64>
    %thinner = xf.slice %y offsets [0, 3, 0] strides [1, 4, 1] : tensor<4x16x6xf64> to tensor<4x4x6xf64>
    return %first, %third, %last, %middle, %several, %thin, %thinner : tensor<4x1x6xf64>, tensor<4x1x2xf64>, tensor<4x2x6xf64>, tensor<4x2x3xf64>, tensor<1x6x6xf64>, tensor<4x8x6xf64>, tensor<4x4x6xf64>
  }
}

// -----

// Gradients of what is taken, of maxima and of updates have the shardings of what they are gradients of.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @padded(%x: tensor<4x16x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}]>}, %d: tensor<4x16xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}]>}, %half: tensor<4x8x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %at: tensor<i32> {xf.range = array<i64: 0, 3>}, %n: tensor<4x2x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {}]>}) -> (tensor<4x16x9xf64>, tensor<4x16x6xf64>, tensor<4x16x6xf64>, tensor<4x8x6xf64>) {
    %p = xf.pad %x low [0, 0, 2] strides [1, 1, 1] : tensor<4x16x6xf64> to tensor<4x16x9xf64>
    %m = xf.reduce_max_vjp %x, %d axes [2] : tensor<4x16x6xf64>, tensor<4x16xf64>
    %w = xf.pad %half low [0, 1, 0] strides [1, 2, 1] : tensor<4x8x6xf64> to tensor<4x16x6xf64>
    %u = xf.slice_update %half, %n at %at axis 1 : (tensor<4x8x6xf64>, tensor<4x2x6xf64>, tensor<i32>) -> tensor<4x8x6xf64>
    return %p, %m, %w, %u : tensor<4x16x9xf64>, tensor<4x16x6xf64>, tensor<4x16x6xf64>, tensor<4x8x6xf64>
  }
}
