// Kernelised attention whose tokens ranks share, forward and gradient: sums over keys travel.

// Causal, with heads that share keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @elu(%q: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x48x8xf64>) wrt [0, 1, 2] : (tensor<1x2x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x2x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x2x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x2x48x8xf64>
    return %o : tensor<1x2x48x8xf64>
  }
}

// -----

// With weights, whose gradient all ranks sum.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @favor(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<12x8xf64>, %d: tensor<1x2x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x60x5xf64>) wrt [0, 1, 2, 3] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x5xf64>, %w: tensor<12x8xf64>) -> tensor<1x2x60x5xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>) params(%w : tensor<12x8xf64>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>) -> tensor<1x2x60x5xf64>
    return %o : tensor<1x2x60x5xf64>
  }
}

// -----

// Queries see all tokens: the sum of all ranks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x60x8xf64>) wrt [0, 1, 2] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64>
    return %o : tensor<1x2x60x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @elu(%q: tensor<1x2x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x33x8xf64>, tensor<1x2x33x8xf64>, tensor<1x1x33x8xf64>, tensor<1x1x33x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x33x8xf64>) wrt [0, 1, 2] : (tensor<1x2x33x8xf64>, tensor<1x1x33x8xf64>, tensor<1x1x33x8xf64>) -> (tensor<1x2x33x8xf64>, tensor<1x2x33x8xf64>, tensor<1x1x33x8xf64>, tensor<1x1x33x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x33x8xf64>, tensor<1x2x33x8xf64>, tensor<1x1x33x8xf64>, tensor<1x1x33x8xf64>
  }
  func.func private @f(%q: tensor<1x2x33x8xf64>, %k: tensor<1x1x33x8xf64>, %v: tensor<1x1x33x8xf64>) -> tensor<1x2x33x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x33x8xf64>, tensor<1x1x33x8xf64>, tensor<1x1x33x8xf64>) -> tensor<1x2x33x8xf64>
    return %o : tensor<1x2x33x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @favor(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<12x8xf64>, %d: tensor<1x2x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x60x5xf64>) wrt [0, 1, 2, 3] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x5xf64>, %w: tensor<12x8xf64>) -> tensor<1x2x60x5xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>) params(%w : tensor<12x8xf64>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>) -> tensor<1x2x60x5xf64>
    return %o : tensor<1x2x60x5xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @dense(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x60x8xf64>) wrt [0, 1, 2] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64>
    return %o : tensor<1x2x60x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @elu(%q: tensor<1x2x96x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x96x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x96x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x96x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x96x8xf64>, tensor<1x2x96x8xf64>, tensor<1x1x96x8xf64>, tensor<1x1x96x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x96x8xf64>) wrt [0, 1, 2] : (tensor<1x2x96x8xf64>, tensor<1x1x96x8xf64>, tensor<1x1x96x8xf64>) -> (tensor<1x2x96x8xf64>, tensor<1x2x96x8xf64>, tensor<1x1x96x8xf64>, tensor<1x1x96x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x96x8xf64>, tensor<1x2x96x8xf64>, tensor<1x1x96x8xf64>, tensor<1x1x96x8xf64>
  }
  func.func private @f(%q: tensor<1x2x96x8xf64>, %k: tensor<1x1x96x8xf64>, %v: tensor<1x1x96x8xf64>) -> tensor<1x2x96x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x96x8xf64>, tensor<1x1x96x8xf64>, tensor<1x1x96x8xf64>) -> tensor<1x2x96x8xf64>
    return %o : tensor<1x2x96x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @relu(%q: tensor<1x4x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x6xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x60x6xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x60x6xf64>, tensor<1x4x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x6xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x60x6xf64>) wrt [0, 1, 2] : (tensor<1x4x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x6xf64>) -> (tensor<1x4x60x6xf64>, tensor<1x4x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x6xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x60x6xf64>, tensor<1x4x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x6xf64>
  }
  func.func private @f(%q: tensor<1x4x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x6xf64>) -> tensor<1x4x60x6xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, guard = 1.0e-3, of = #xf.causal>) : (tensor<1x4x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x6xf64>) -> tensor<1x4x60x6xf64>
    return %o : tensor<1x4x60x6xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x60x8xf64>) wrt [0, 1, 2] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> (tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x60x8xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x8xf64>) -> tensor<1x2x60x8xf64>
    return %o : tensor<1x2x60x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense_favor(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<12x8xf64>, %d: tensor<1x2x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x60x5xf64>) wrt [0, 1, 2, 3] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x5xf64>, %w: tensor<12x8xf64>) -> tensor<1x2x60x5xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row>) params(%w : tensor<12x8xf64>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>) -> tensor<1x2x60x5xf64>
    return %o : tensor<1x2x60x5xf64>
  }
}

// -----

// The rank that has the largest key gets the gradient of the stabiliser.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense_sequence(%q: tensor<1x2x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<12x8xf64>, %d: tensor<1x2x60x5xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x60x5xf64>) wrt [0, 1, 2, 3] : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>) -> (tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x60x5xf64>, tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>, tensor<12x8xf64>
  }
  func.func private @f(%q: tensor<1x2x60x8xf64>, %k: tensor<1x1x60x8xf64>, %v: tensor<1x1x60x5xf64>, %w: tensor<12x8xf64>) -> tensor<1x2x60x5xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1>) params(%w : tensor<12x8xf64>) : (tensor<1x2x60x8xf64>, tensor<1x1x60x8xf64>, tensor<1x1x60x5xf64>) -> tensor<1x2x60x5xf64>
    return %o : tensor<1x2x60x5xf64>
  }
}

// -----

// Two features of each projection.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @hyperbolic(%q: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<6x8xf64>, %d: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x1x64x8xf64>) wrt [0, 1, 2, 3] : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>
  }
  func.func private @f(%q: tensor<1x1x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>, %w: tensor<6x8xf64>) -> tensor<1x1x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = row, of = #xf.causal>) params(%w : tensor<6x8xf64>) : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64>
    return %o : tensor<1x1x64x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @trigonometric(%q: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<6x8xf64>, %d: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x1x64x8xf64>) wrt [0, 1, 2, 3] : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<6x8xf64>
  }
  func.func private @f(%q: tensor<1x1x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>, %w: tensor<6x8xf64>) -> tensor<1x1x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, stabilizer = row, normalizer = none, of = #xf.causal>) params(%w : tensor<6x8xf64>) : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64>
    return %o : tensor<1x1x64x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @norm(%q: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x64x8xf64>) wrt [0, 1, 2] : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>
  }
  func.func private @f(%q: tensor<1x2x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>) -> tensor<1x2x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = norm, of = #xf.causal>) : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x2x64x8xf64>
    return %o : tensor<1x2x64x8xf64>
  }
}

// -----

// Features that are ops before ranks share them.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @softmax(%q: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x64x8xf64>) wrt [0, 1, 2] : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>
  }
  func.func private @f(%q: tensor<1x2x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>) -> tensor<1x2x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, of = #xf.causal>) : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x2x64x8xf64>
    return %o : tensor<1x2x64x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @sigmoid(%q: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<8x8xf64>, %d: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<8x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x64x8xf64>) wrt [0, 1, 2, 3] : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<8x8xf64>) -> (tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<8x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<8x8xf64>
  }
  func.func private @f(%q: tensor<1x2x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>, %w: tensor<8x8xf64>) -> tensor<1x2x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, of = #xf.causal>) params(%w : tensor<8x8xf64>) : (tensor<1x2x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x2x64x8xf64>
    return %o : tensor<1x2x64x8xf64>
  }
}

// -----

// With an axis over the batch, and with one over heads.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shared(%q: tensor<2x4x64x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %k: tensor<2x2x64x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %v: tensor<2x2x64x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %w: tensor<8x8xf64>, %d: tensor<2x4x64x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}) -> (tensor<2x4x64x8xf64>, tensor<2x4x64x8xf64>, tensor<2x2x64x8xf64>, tensor<2x2x64x8xf64>, tensor<8x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<2x4x64x8xf64>) wrt [0, 1, 2, 3] : (tensor<2x4x64x8xf64>, tensor<2x2x64x8xf64>, tensor<2x2x64x8xf64>, tensor<8x8xf64>) -> (tensor<2x4x64x8xf64>, tensor<2x4x64x8xf64>, tensor<2x2x64x8xf64>, tensor<2x2x64x8xf64>, tensor<8x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<2x4x64x8xf64>, tensor<2x4x64x8xf64>, tensor<2x2x64x8xf64>, tensor<2x2x64x8xf64>, tensor<8x8xf64>
  }
  func.func private @f(%q: tensor<2x4x64x8xf64>, %k: tensor<2x2x64x8xf64>, %v: tensor<2x2x64x8xf64>, %w: tensor<8x8xf64>) -> tensor<2x4x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<8x8xf64>) : (tensor<2x4x64x8xf64>, tensor<2x2x64x8xf64>, tensor<2x2x64x8xf64>) -> tensor<2x4x64x8xf64>
    return %o : tensor<2x4x64x8xf64>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2, "tensor" = 2>} {
  func.func @heads(%q: tensor<1x4x64x8xf64> {xf.sharding = #xf.sharding<[{}, {"tensor"}, {"sequence"}, {}]>}, %k: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {"tensor"}, {"sequence"}, {}]>}, %v: tensor<1x2x64x8xf64> {xf.sharding = #xf.sharding<[{}, {"tensor"}, {"sequence"}, {}]>}, %w: tensor<8x8xf64>, %d: tensor<1x4x64x8xf64> {xf.sharding = #xf.sharding<[{}, {"tensor"}, {"sequence"}, {}]>}) -> (tensor<1x4x64x8xf64>, tensor<1x4x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<8x8xf64>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x4x64x8xf64>) wrt [0, 1, 2, 3] : (tensor<1x4x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<8x8xf64>) -> (tensor<1x4x64x8xf64>, tensor<1x4x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<8x8xf64>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x4x64x8xf64>, tensor<1x4x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>, tensor<8x8xf64>
  }
  func.func private @f(%q: tensor<1x4x64x8xf64>, %k: tensor<1x2x64x8xf64>, %v: tensor<1x2x64x8xf64>, %w: tensor<8x8xf64>) -> tensor<1x4x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<8x8xf64>) : (tensor<1x4x64x8xf64>, tensor<1x2x64x8xf64>, tensor<1x2x64x8xf64>) -> tensor<1x4x64x8xf64>
    return %o : tensor<1x4x64x8xf64>
  }
}

// -----

// Of zigzag chunks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense_zigzag(%q: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x48x8xf64>) wrt [0, 1, 2] : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>
  }
  func.func private @f(%q: tensor<1x2x48x8xf64>, %k: tensor<1x2x48x8xf64>, %v: tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64>
    return %o : tensor<1x2x48x8xf64>
  }
}

// -----

// Queries, keys and values of the same tokens, whose number a call decides.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @tokens(%x: tensor<?x?x8xf64> {xf.dims = [#xf.dim<name = "batch", min = 2, max = 16>, #xf.dim<name = "tokens", min = 4, max = 64>], xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %a: tensor<8x8xf64>, %b: tensor<4x8xf64>, %w: tensor<6x4xf64>) -> (tensor<?x?x8xf64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<6x4xf64>) {
    %o, %dx, %da, %db, %dw = xf.vjp @f(%x, %a, %b, %w) cotangents(%x : tensor<?x?x8xf64>) wrt [0, 1, 2, 3] : (tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<6x4xf64>) -> (tensor<?x?x8xf64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<6x4xf64>)
    return %o, %dx, %da, %db, %dw : tensor<?x?x8xf64>, tensor<?x?x8xf64>, tensor<8x8xf64>, tensor<4x8xf64>, tensor<6x4xf64>
  }
  func.func private @f(%x: tensor<?x?x8xf64>, %a: tensor<8x8xf64>, %b: tensor<4x8xf64>, %w: tensor<6x4xf64>) -> tensor<?x?x8xf64> {
    %p = xf.linear %x, %a : (tensor<?x?x8xf64>, tensor<8x8xf64>) -> tensor<?x?x8xf64>
    %r = xf.linear %x, %b : (tensor<?x?x8xf64>, tensor<4x8xf64>) -> tensor<?x?x4xf64>
    %q = xf.split_heads %p heads 2 : (tensor<?x?x8xf64>) -> tensor<?x2x?x4xf64>
    %k = xf.split_heads %r heads 1 : (tensor<?x?x4xf64>) -> tensor<?x1x?x4xf64>
    %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>) params(%w : tensor<6x4xf64>) : (tensor<?x2x?x4xf64>, tensor<?x1x?x4xf64>, tensor<?x1x?x4xf64>) -> tensor<?x2x?x4xf64>
    %y = xf.merge_heads %o : (tensor<?x2x?x4xf64>) -> tensor<?x?x8xf64>
    return %y : tensor<?x?x8xf64>
  }
}

// -----

// Values of tokens of the last rank are infinite: nothing before them is.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @infinite(%q: tensor<1x1x192x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x192x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x192x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x192x8xf64> {
    %c = arith.constant dense<[[0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000], [0x7FF0000000000000]]> : tensor<192x1xf64>
    %w = xf.add %v, %c : (tensor<1x1x192x8xf64>, tensor<192x1xf64>) -> tensor<1x1x192x8xf64>
    %o = xf.attention %q, %k, %w pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x192x8xf64>, tensor<1x1x192x8xf64>, tensor<1x1x192x8xf64>) -> tensor<1x1x192x8xf64>
    %y = xf.map (%a = %o : tensor<1x1x192x8xf64>, %b = %c : tensor<192x1xf64>) -> tensor<1x1x192x8xf64> {
      %zero = arith.constant 0.0 : f64
      %is = arith.cmpf oeq, %b, %zero : f64
      %r = arith.select %is, %a, %zero : f64
      xf.yield %r : f64
    }
    return %y : tensor<1x1x192x8xf64>
  }
}
