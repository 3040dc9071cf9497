// Of each length, what a rank needs is found anew.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x?x8xf64>) wrt [0, 1, 2] : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>
  }
  func.func private @f(%q: tensor<1x2x?x8xf64>, %k: tensor<1x2x?x8xf64>, %v: tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64>
    return %o : tensor<1x2x?x8xf64>
  }
}

// -----

// A halo that is wider than the part of a rank, or not.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @window(%q: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x?x8xf64>) wrt [0, 1, 2] : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>
  }
  func.func private @f(%q: tensor<1x2x?x8xf64>, %k: tensor<1x2x?x8xf64>, %v: tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 5, right = 2>) : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64>
    return %o : tensor<1x2x?x8xf64>
  }
}

// -----

// Blocks that ranks share, or not.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @fixed(%q: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x?x8xf64>) wrt [0, 1, 2] : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>
  }
  func.func private @f(%q: tensor<1x2x?x8xf64>, %k: tensor<1x2x?x8xf64>, %v: tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 8, summary = 2>) : (tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>, tensor<1x2x?x8xf64>) -> tensor<1x2x?x8xf64>
    return %o : tensor<1x2x?x8xf64>
  }
}

// -----

// Two sequences of other lengths, whose pairs one plan describes.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @two_lengths(%q: tensor<1x3x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x3x12x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x3x?x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %e: tensor<1x3x12x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>, tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>) {
    %x, %y, %dq, %dk = xf.vjp @f(%q, %k) cotangents(%d, %e : tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>) wrt [0, 1] : (tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>) -> (tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>, tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>)
    return %x, %y, %dq, %dk : tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>, tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>
  }
  func.func private @f(%q: tensor<1x3x?x8xf64>, %k: tensor<1x3x12x8xf64>) -> (tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>) {
    %x = xf.attention %q, %q, %q pattern(#xf.causal) : (tensor<1x3x?x8xf64>, tensor<1x3x?x8xf64>, tensor<1x3x?x8xf64>) -> tensor<1x3x?x8xf64>
    %y = xf.attention %k, %k, %k pattern(#xf.causal) : (tensor<1x3x12x8xf64>, tensor<1x3x12x8xf64>, tensor<1x3x12x8xf64>) -> tensor<1x3x12x8xf64>
    %z = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x3x?x8xf64>, tensor<1x3x?x8xf64>, tensor<1x3x?x8xf64>) -> tensor<1x3x?x8xf64>
    return %z, %y : tensor<1x3x?x8xf64>, tensor<1x3x12x8xf64>
  }
}
