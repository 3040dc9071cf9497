// Results with the bits of one rank, in the order `keys`: attention and its gradients, steps of training.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x2x128x16xf32>, %v: tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @window(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x2x128x16xf32>, %v: tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20, right = 5>) : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @strided(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x2x128x16xf32>, %v: tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>) : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @big_bird(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x2x128x16xf32>, %v: tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>, #xf.random<count = 2, seed = 1>]>) : (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20, right = 5>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fixed(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 16, summary = 2>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @strided(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @global_tokens(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dilated(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 4, right = 0, step = 2>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @big_bird(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>, #xf.random<count = 2, seed = 1>]>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @by_head(%q: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x128x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x128x16xf32>) wrt [0, 1, 2] : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> (tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x128x16xf32>, tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>
  }
  func.func private @f(%q: tensor<1x2x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window<left = 4>, #xf.fixed<block = 8, summary = 2, part = column>]>) : (tensor<1x2x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x2x128x16xf32>
    return %o : tensor<1x2x128x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @grid(%q: tensor<1x2x120x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x120x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x120x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x120x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x120x16xf32>, tensor<1x2x120x16xf32>, tensor<1x1x120x16xf32>, tensor<1x1x120x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x120x16xf32>) wrt [0, 1, 2] : (tensor<1x2x120x16xf32>, tensor<1x1x120x16xf32>, tensor<1x1x120x16xf32>) -> (tensor<1x2x120x16xf32>, tensor<1x2x120x16xf32>, tensor<1x1x120x16xf32>, tensor<1x1x120x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x120x16xf32>, tensor<1x2x120x16xf32>, tensor<1x1x120x16xf32>, tensor<1x1x120x16xf32>
  }
  func.func private @f(%q: tensor<1x2x120x16xf32>, %k: tensor<1x1x120x16xf32>, %v: tensor<1x1x120x16xf32>) -> tensor<1x2x120x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [12, 10], radius = [2, 3]>) : (tensor<1x2x120x16xf32>, tensor<1x1x120x16xf32>, tensor<1x1x120x16xf32>) -> tensor<1x2x120x16xf32>
    return %o : tensor<1x2x120x16xf32>
  }
}

// -----

// Shares end within tiles.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @uneven(%q: tensor<1x2x52x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x52x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x52x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x52x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x52x16xf32>) wrt [0, 1, 2] : (tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>) -> (tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>
  }
  func.func private @f(%q: tensor<1x2x52x16xf32>, %k: tensor<1x2x52x16xf32>, %v: tensor<1x2x52x16xf32>) -> tensor<1x2x52x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20, right = 5>) : (tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>, tensor<1x2x52x16xf32>) -> tensor<1x2x52x16xf32>
    return %o : tensor<1x2x52x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @batch(%q: tensor<2x2x64x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %k: tensor<2x1x64x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %v: tensor<2x1x64x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %d: tensor<2x2x64x16xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}) -> (tensor<2x2x64x16xf32>, tensor<2x2x64x16xf32>, tensor<2x1x64x16xf32>, tensor<2x1x64x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<2x2x64x16xf32>) wrt [0, 1, 2] : (tensor<2x2x64x16xf32>, tensor<2x1x64x16xf32>, tensor<2x1x64x16xf32>) -> (tensor<2x2x64x16xf32>, tensor<2x2x64x16xf32>, tensor<2x1x64x16xf32>, tensor<2x1x64x16xf32>)
    return %o, %dq, %dk, %dv : tensor<2x2x64x16xf32>, tensor<2x2x64x16xf32>, tensor<2x1x64x16xf32>, tensor<2x1x64x16xf32>
  }
  func.func private @f(%q: tensor<2x2x64x16xf32>, %k: tensor<2x1x64x16xf32>, %v: tensor<2x1x64x16xf32>) -> tensor<2x2x64x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x2x64x16xf32>, tensor<2x1x64x16xf32>, tensor<2x1x64x16xf32>) -> tensor<2x2x64x16xf32>
    return %o : tensor<2x2x64x16xf32>
  }
}

// -----

// A step of training; ranks share the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @step(%ids: tensor<4x8xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %targets: tensor<4x8xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %table: tensor<9x4xf32> {xf.name = "table"}, %w: tensor<4xf32> {xf.name = "w"}, %u: tensor<8x4xf32> {xf.name = "u"},
                  %b: tensor<8xf32> {xf.name = "b"}, %d: tensor<4x8xf32> {xf.name = "d"},
                  %m: tensor<8x4xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %v: tensor<8x4xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @loss(%ids: tensor<4x8xi32>, %targets: tensor<4x8xi32>, %table: tensor<9x4xf32>, %w: tensor<4xf32>, %u: tensor<8x4xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<f32> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<4x8xi32>) -> tensor<4x8x4xf32>
    %n = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<4x8x4xf32> -> tensor<4x8x4xf32>
    %h = xf.linear %n, %u bias(%b : tensor<8xf32>) : (tensor<4x8x4xf32>, tensor<8x4xf32>) -> tensor<4x8x8xf32>
    %g = xf.silu %h : tensor<4x8x8xf32>
    %y = xf.linear %g, %d : (tensor<4x8x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4xf32>
    %z = xf.add %x, %y : (tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %l = xf.linear %z, %table : (tensor<4x8x4xf32>, tensor<9x4xf32>) -> tensor<4x8x9xf32>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x8xi32>, tensor<i32>) -> tensor<4x8xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x8xi1>, tensor<i32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x8x9xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }
}

// -----

// A step of training; ranks share the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 4, "sequence" = 1>} {
  func.func @step(%ids: tensor<4x8xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %targets: tensor<4x8xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %table: tensor<9x4xf32> {xf.name = "table"}, %w: tensor<4xf32> {xf.name = "w"}, %u: tensor<8x4xf32> {xf.name = "u"},
                  %b: tensor<8xf32> {xf.name = "b"}, %d: tensor<4x8xf32> {xf.name = "d"},
                  %m: tensor<8x4xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %v: tensor<8x4xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @loss(%ids: tensor<4x8xi32>, %targets: tensor<4x8xi32>, %table: tensor<9x4xf32>, %w: tensor<4xf32>, %u: tensor<8x4xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<f32> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<4x8xi32>) -> tensor<4x8x4xf32>
    %n = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<4x8x4xf32> -> tensor<4x8x4xf32>
    %h = xf.linear %n, %u bias(%b : tensor<8xf32>) : (tensor<4x8x4xf32>, tensor<8x4xf32>) -> tensor<4x8x8xf32>
    %g = xf.silu %h : tensor<4x8x8xf32>
    %y = xf.linear %g, %d : (tensor<4x8x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4xf32>
    %z = xf.add %x, %y : (tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %l = xf.linear %z, %table : (tensor<4x8x4xf32>, tensor<9x4xf32>) -> tensor<4x8x9xf32>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x8xi32>, tensor<i32>) -> tensor<4x8xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x8xi1>, tensor<i32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x8x9xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }
}

// -----

// A step of training; ranks share the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 1, "sequence" = 4>} {
  func.func @step(%ids: tensor<4x8xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %targets: tensor<4x8xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %table: tensor<9x4xf32> {xf.name = "table"}, %w: tensor<4xf32> {xf.name = "w"}, %u: tensor<8x4xf32> {xf.name = "u"},
                  %b: tensor<8xf32> {xf.name = "b"}, %d: tensor<4x8xf32> {xf.name = "d"},
                  %m: tensor<8x4xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %v: tensor<8x4xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @loss(%ids: tensor<4x8xi32>, %targets: tensor<4x8xi32>, %table: tensor<9x4xf32>, %w: tensor<4xf32>, %u: tensor<8x4xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<f32> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<4x8xi32>) -> tensor<4x8x4xf32>
    %n = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<4x8x4xf32> -> tensor<4x8x4xf32>
    %h = xf.linear %n, %u bias(%b : tensor<8xf32>) : (tensor<4x8x4xf32>, tensor<8x4xf32>) -> tensor<4x8x8xf32>
    %g = xf.silu %h : tensor<4x8x8xf32>
    %y = xf.linear %g, %d : (tensor<4x8x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4xf32>
    %z = xf.add %x, %y : (tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %l = xf.linear %z, %table : (tensor<4x8x4xf32>, tensor<9x4xf32>) -> tensor<4x8x9xf32>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x8xi32>, tensor<i32>) -> tensor<4x8xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x8xi1>, tensor<i32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x8x9xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }
}

// -----

// A step of training; ranks share the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 1>} {
  func.func @step(%ids: tensor<4x8xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %targets: tensor<4x8xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %table: tensor<9x4xf32> {xf.name = "table"}, %w: tensor<4xf32> {xf.name = "w"}, %u: tensor<8x4xf32> {xf.name = "u"},
                  %b: tensor<8xf32> {xf.name = "b"}, %d: tensor<4x8xf32> {xf.name = "d"},
                  %m: tensor<8x4xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %v: tensor<8x4xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @loss(%ids: tensor<4x8xi32>, %targets: tensor<4x8xi32>, %table: tensor<9x4xf32>, %w: tensor<4xf32>, %u: tensor<8x4xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<f32> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<4x8xi32>) -> tensor<4x8x4xf32>
    %n = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<4x8x4xf32> -> tensor<4x8x4xf32>
    %h = xf.linear %n, %u bias(%b : tensor<8xf32>) : (tensor<4x8x4xf32>, tensor<8x4xf32>) -> tensor<4x8x8xf32>
    %g = xf.silu %h : tensor<4x8x8xf32>
    %y = xf.linear %g, %d : (tensor<4x8x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4xf32>
    %z = xf.add %x, %y : (tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %l = xf.linear %z, %table : (tensor<4x8x4xf32>, tensor<9x4xf32>) -> tensor<4x8x9xf32>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x8xi32>, tensor<i32>) -> tensor<4x8xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x8xi1>, tensor<i32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x8x9xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }
}

// -----

// The same with the hidden width of the products, and the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @step(%ids: tensor<4x8xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %targets: tensor<4x8xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %table: tensor<9x4xf32> {xf.name = "table"}, %w: tensor<4xf32> {xf.name = "w"}, %u: tensor<8x4xf32> {xf.name = "u", xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                  %b: tensor<8xf32> {xf.name = "b", xf.sharding = #xf.sharding<[{"tensor"}]>}, %d: tensor<4x8xf32> {xf.name = "d", xf.sharding = #xf.sharding<[{}, {"tensor"}]>},
                  %m: tensor<8x4xf32> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"tensor"}, {}]>}, %v: tensor<8x4xf32> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                  %rate: tensor<f32> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<f32>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f32>, tensor<9x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @loss(%ids: tensor<4x8xi32>, %targets: tensor<4x8xi32>, %table: tensor<9x4xf32>, %w: tensor<4xf32>, %u: tensor<8x4xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<f32> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<4x8xi32>) -> tensor<4x8x4xf32>
    %n = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<4x8x4xf32> -> tensor<4x8x4xf32>
    %h = xf.linear %n, %u bias(%b : tensor<8xf32>) : (tensor<4x8x4xf32>, tensor<8x4xf32>) -> tensor<4x8x8xf32>
    %g = xf.silu %h : tensor<4x8x8xf32>
    %y = xf.linear %g, %d : (tensor<4x8x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4xf32>
    %z = xf.add %x, %y : (tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %l = xf.linear %z, %table : (tensor<4x8x4xf32>, tensor<9x4xf32>) -> tensor<4x8x9xf32>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x8xi32>, tensor<i32>) -> tensor<4x8xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x8xi1>, tensor<i32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x8x9xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }
}

// -----

// More query heads than key heads: a dimension that the ranks of one mesh divide, and those of another do not, is cut on neither.
module attributes {xf.mesh = #xf.mesh<"tensor" = 4>} {
  func.func @key_heads(%x: tensor<2x12x8xf32>, %a: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"tensor"}, {}]>}, %b: tensor<2x8xf32>, %d: tensor<2x12x4xf32>) -> (tensor<2x12x4xf32>, tensor<2x12x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>) {
    %o, %dx, %da, %db = xf.vjp @f(%x, %a, %b) cotangents(%d : tensor<2x12x4xf32>) wrt [0, 1, 2] : (tensor<2x12x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>) -> (tensor<2x12x4xf32>, tensor<2x12x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>)
    return %o, %dx, %da, %db : tensor<2x12x4xf32>, tensor<2x12x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>
  }
  func.func private @f(%x: tensor<2x12x8xf32>, %a: tensor<4x8xf32>, %b: tensor<2x8xf32>) -> tensor<2x12x4xf32> {
    %p = xf.linear %x, %a : (tensor<2x12x8xf32>, tensor<4x8xf32>) -> tensor<2x12x4xf32>
    %r = xf.linear %x, %b : (tensor<2x12x8xf32>, tensor<2x8xf32>) -> tensor<2x12x2xf32>
    %q = xf.split_heads %p heads 4 : (tensor<2x12x4xf32>) -> tensor<2x4x12x1xf32>
    %k = xf.split_heads %r heads 2 : (tensor<2x12x2xf32>) -> tensor<2x2x12x1xf32>
    %o = xf.attention %q, %k, %k pattern(#xf.causal) : (tensor<2x4x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>) -> tensor<2x4x12x1xf32>
    %y = xf.merge_heads %o : (tensor<2x4x12x1xf32>) -> tensor<2x12x4xf32>
    return %y : tensor<2x12x4xf32>
  }
}
