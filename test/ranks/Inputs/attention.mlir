// Tokens that ranks share become heads that they share, for the gradient too.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @heads(%x: tensor<2x16x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %w: tensor<24x8xf64>, %n: tensor<2xi32> {xf.range = array<i64: 0, 16>, xf.sharding = #xf.sharding<[{"data"}]>},
                   %y: tensor<2x16x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}) -> (tensor<f64>, tensor<2x16x8xf64>, tensor<24x8xf64>) {
    %loss, %dx, %dw = xf.gradient @loss(%x, %w, %n, %y) wrt [0, 1] : (tensor<2x16x8xf64>, tensor<24x8xf64>, tensor<2xi32>, tensor<2x16x8xf64>) -> (tensor<f64>, tensor<2x16x8xf64>, tensor<24x8xf64>)
    return %loss, %dx, %dw : tensor<f64>, tensor<2x16x8xf64>, tensor<24x8xf64>
  }
  func.func private @loss(%x: tensor<2x16x8xf64>, %w: tensor<24x8xf64>, %n: tensor<2xi32>, %y: tensor<2x16x8xf64>) -> tensor<f64> {
    %p = xf.linear %x, %w : (tensor<2x16x8xf64>, tensor<24x8xf64>) -> tensor<2x16x24xf64>
    %h = xf.split_heads %p heads 6 : (tensor<2x16x24xf64>) -> tensor<2x6x16x4xf64>
    %q = xf.slice %h offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x6x16x4xf64> to tensor<2x2x16x4xf64>
    %k = xf.slice %h offsets [0, 2, 0, 0] strides [1, 1, 1, 1] : tensor<2x6x16x4xf64> to tensor<2x2x16x4xf64>
    %v = xf.slice %h offsets [0, 4, 0, 0] strides [1, 1, 1, 1] : tensor<2x6x16x4xf64> to tensor<2x2x16x4xf64>
    %o = xf.attention %q, %k, %v pattern(#xf.causal) lengths(%n : tensor<2xi32>) : (tensor<2x2x16x4xf64>, tensor<2x2x16x4xf64>, tensor<2x2x16x4xf64>) -> tensor<2x2x16x4xf64>
    %m = xf.merge_heads %o : (tensor<2x2x16x4xf64>) -> tensor<2x16x8xf64>
    %d = xf.sub %m, %y : (tensor<2x16x8xf64>, tensor<2x16x8xf64>) -> tensor<2x16x8xf64>
    %s = xf.square %d : tensor<2x16x8xf64>
    %l = xf.reduce mean %s axes [0, 1, 2] : tensor<2x16x8xf64> -> tensor<f64>
    return %l : tensor<f64>
  }
}

// -----

// One head: every rank has all tokens of its batch entries.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @one_head(%q: tensor<2x1x16x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %k: tensor<2x1x16x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %d: tensor<2x1x16x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}) -> (tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>) {
    %o, %dq, %dk = xf.vjp @f(%q, %k) cotangents(%d : tensor<2x1x16x4xf64>) wrt [0, 1] : (tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>) -> (tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>)
    return %o, %dq, %dk : tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>
  }
  func.func private @f(%q: tensor<2x1x16x4xf64>, %k: tensor<2x1x16x4xf64>) -> tensor<2x1x16x4xf64> {
    %o = xf.attention %q, %k, %k pattern(#xf.window<left = 5>) : (tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>, tensor<2x1x16x4xf64>) -> tensor<2x1x16x4xf64>
    return %o : tensor<2x1x16x4xf64>
  }
}

// -----

// Heads by "tensor" with a score that knows its head; dropout draws what one rank would.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @numbers(%q: tensor<2x4x8x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}, {}, {}]>}, %seed: tensor<2xi64>, %bias: tensor<4x8xf64>) -> (tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>) {
    %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f64, %b, %h, %i, %j) captures(%c = %bias : tensor<4x8xf64>) {
      %e = tensor.extract %c[%h, %j] : tensor<4x8xf64>
      %t = arith.addf %s, %e : f64
      xf.yield %t : f64
    } : (tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>) -> tensor<2x4x8x4xf64>
    %p = xf.attention %q, %q, %q pattern(#xf.causal) dropout(0.3, %seed : tensor<2xi64>) : (tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>) -> tensor<2x4x8x4xf64>
    %d = xf.dropout %q seed(%seed : tensor<2xi64>) p 0.3 : tensor<2x4x8x4xf64>
    return %o, %p, %d : tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>
  }
}

// -----

// One key head for heads that ranks share: every rank has its gradient.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @one_key_head(%q: tensor<2x4x8x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}, {}, {}]>}, %k: tensor<2x1x8x4xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {}, {}]>}) -> (tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x1x8x4xf64>) {
    %o, %dq, %dk = xf.vjp @f(%q, %k) cotangents(%q : tensor<2x4x8x4xf64>) wrt [0, 1] : (tensor<2x4x8x4xf64>, tensor<2x1x8x4xf64>) -> (tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x1x8x4xf64>)
    return %o, %dq, %dk : tensor<2x4x8x4xf64>, tensor<2x4x8x4xf64>, tensor<2x1x8x4xf64>
  }
  func.func private @f(%q: tensor<2x4x8x4xf64>, %k: tensor<2x1x8x4xf64>) -> tensor<2x4x8x4xf64> {
    %o = xf.attention %q, %k, %k pattern(#xf.causal) : (tensor<2x4x8x4xf64>, tensor<2x1x8x4xf64>, tensor<2x1x8x4xf64>) -> tensor<2x4x8x4xf64>
    return %o : tensor<2x4x8x4xf64>
  }
}
