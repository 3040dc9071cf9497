// All before: an early chunk and a late one.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// One part of each rank: the last one has most.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @in_order(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// A window.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 64>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// Blocks and their summaries.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fixed(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 8>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// Residues and neighbours.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @strided(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 32>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// All pairs.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// Tokens that all see, and that see all.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @global_tokens(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.global<[0, 1, 2, 3]>, #xf.window<left = 32, right = 32>]>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}

// -----

// A window of two dimensions.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window_2d(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [32, 32], radius = [2, 3]>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}
