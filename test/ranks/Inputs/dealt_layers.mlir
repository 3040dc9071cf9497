// Tokens that are dealt meet what is whole, what is in order, and ops that need all of them.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @gathers(%x: tensor<4x24xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" dealt 3}]>}, %y: tensor<24x4xf64> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>},
                     %p: tensor<24xf64>, %z: tensor<24x4xf64> {xf.sharding = #xf.sharding<[{"sequence" dealt 2}, {"data"}]>}) -> (tensor<4x24xf64>, tensor<4x24xf64>, tensor<24x4xf64>, tensor<4x24xf64>, tensor<24x4xf64>) {
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
  func.func @merged(%x: tensor<4x8x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" dealt 2}, {}]>}, %w: tensor<5x6xf64>) -> (tensor<5xf64>, tensor<8xf64>) {
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
  func.func @segments(%q: tensor<1x2x8x4xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" dealt 2}, {}]>}, %ids: tensor<1x8xi64> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x8x4xf64> {
    %o = xf.attention %q, %q, %q pattern(#xf.segments) segments(%ids, %ids : tensor<1x8xi64>, tensor<1x8xi64>) : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
    return %o : tensor<1x2x8x4xf64>
  }
}

// -----

// Lengths that are known when it is called.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @lengths(%x: tensor<?x?x8xf64> {xf.name = "x", xf.dims = [#xf.dim<name = "batch", min = 2, max = 16>, #xf.dim<name = "tokens", min = 4, max = 64>], xf.sharding = #xf.sharding<[{"data"}, {"sequence" dealt 2}, {}]>},
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

// A step of a small transformer: embeddings of tokens and positions, attention, a loss, AdamW of a sharded state.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @step(%ids: tensor<2x16xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{}, {"sequence" dealt 2}]>},
                  %targets: tensor<2x16xi32> {xf.name = "targets", xf.range = array<i64: -100, 8>, xf.sharding = #xf.sharding<[{}, {"sequence" dealt 2}]>},
                  %table: tensor<9x8xf64> {xf.name = "table"}, %positions: tensor<16x8xf64> {xf.name = "positions"}, %a: tensor<8x8xf64> {xf.name = "a"}, %b: tensor<4x8xf64> {xf.name = "b"}, %c: tensor<4x8xf64> {xf.name = "c"},
                  %m: tensor<16x8xf64> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"sequence"}, {}]>}, %v: tensor<16x8xf64> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"sequence"}, {}]>},
                  %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<9x8xf64>, tensor<16x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>, tensor<16x8xf64>, tensor<16x8xf64>) {
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
