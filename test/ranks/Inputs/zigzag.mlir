// Of an early chunk and a late one.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x36x8xf64>) wrt [0, 1, 2] : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>
  }
  func.func private @f(%q: tensor<1x1x36x8xf64>, %k: tensor<1x1x36x8xf64>, %v: tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64>
    return %o : tensor<1x1x36x8xf64>
  }
}

// -----

// Of a batch, on three ranks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @causal(%q: tensor<2x2x42x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<2x2x42x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<2x2x42x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<2x2x42x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<2x2x42x8xf64>) wrt [0, 1, 2] : (tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>) -> (tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>)
    return %o, %dq, %dk, %dv : tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>
  }
  func.func private @f(%q: tensor<2x2x42x8xf64>, %k: tensor<2x2x42x8xf64>, %v: tensor<2x2x42x8xf64>) -> tensor<2x2x42x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>, tensor<2x2x42x8xf64>) -> tensor<2x2x42x8xf64>
    return %o : tensor<2x2x42x8xf64>
  }
}

// -----

// And on four.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x64x8xf64>) wrt [0, 1, 2] : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>
  }
  func.func private @f(%q: tensor<1x1x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64>
    return %o : tensor<1x1x64x8xf64>
  }
}

// -----

// In three turns.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @turns(%q: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 3}, {}]>}, %k: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 3}, {}]>}, %v: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 3}, {}]>}, %d: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 3}, {}]>}) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x36x8xf64>) wrt [0, 1, 2] : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>
  }
  func.func private @f(%q: tensor<1x1x36x8xf64>, %k: tensor<1x1x36x8xf64>, %v: tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64>
    return %o : tensor<1x1x36x8xf64>
  }
}

// -----

// And in four.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @turns(%q: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 4}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 4}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 4}, {}]>}, %d: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 4}, {}]>}) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x48x8xf64>) wrt [0, 1, 2] : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64>
    return %o : tensor<1x1x48x8xf64>
  }
}

// -----

// A window, whose halo is in front of each chunk.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x2x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x2x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x80x8xf64>) wrt [0, 1, 2] : (tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>) -> (tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>
  }
  func.func private @f(%q: tensor<1x2x80x8xf64>, %k: tensor<1x2x80x8xf64>, %v: tensor<1x2x80x8xf64>) -> tensor<1x2x80x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>, tensor<1x2x80x8xf64>) -> tensor<1x2x80x8xf64>
    return %o : tensor<1x2x80x8xf64>
  }
}

// -----

// On both sides.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @around(%q: tensor<1x1x66x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x66x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x66x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x66x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x66x8xf64>) wrt [0, 1, 2] : (tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>) -> (tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>
  }
  func.func private @f(%q: tensor<1x1x66x8xf64>, %k: tensor<1x1x66x8xf64>, %v: tensor<1x1x66x8xf64>) -> tensor<1x1x66x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 3, right = 11>) : (tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>, tensor<1x1x66x8xf64>) -> tensor<1x1x66x8xf64>
    return %o : tensor<1x1x66x8xf64>
  }
}

// -----

// Residues.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @strided(%q: tensor<1x1x80x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x80x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x80x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x80x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x80x16xf64>) wrt [0, 1, 2] : (tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>) -> (tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>
  }
  func.func private @f(%q: tensor<1x1x80x16xf64>, %k: tensor<1x1x80x16xf64>, %v: tensor<1x1x80x16xf64>) -> tensor<1x1x80x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) : (tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>, tensor<1x1x80x16xf64>) -> tensor<1x1x80x16xf64>
    return %o : tensor<1x1x80x16xf64>
  }
}

// -----

// Summaries of blocks, which chunks cut.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fixed(%q: tensor<1x1x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x80x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x80x8xf64>) wrt [0, 1, 2] : (tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>) -> (tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>
  }
  func.func private @f(%q: tensor<1x1x80x8xf64>, %k: tensor<1x1x80x8xf64>, %v: tensor<1x1x80x8xf64>) -> tensor<1x1x80x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 8, summary = 2>) : (tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>, tensor<1x1x80x8xf64>) -> tensor<1x1x80x8xf64>
    return %o : tensor<1x1x80x8xf64>
  }
}

// -----

// All pairs.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x1x28x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x28x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x28x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x28x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x28x1xf64>) wrt [0, 1, 2] : (tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>) -> (tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>
  }
  func.func private @f(%q: tensor<1x1x28x1xf64>, %k: tensor<1x1x28x1xf64>, %v: tensor<1x1x28x1xf64>) -> tensor<1x1x28x1xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>, tensor<1x1x28x1xf64>) -> tensor<1x1x28x1xf64>
    return %o : tensor<1x1x28x1xf64>
  }
}

// -----

// Two query heads of a key head.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @grouped(%q: tensor<1x4x40x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x2x40x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x2x40x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x4x40x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x4x40x16xf64>, tensor<1x4x40x16xf64>, tensor<1x2x40x16xf64>, tensor<1x2x40x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x40x16xf64>) wrt [0, 1, 2] : (tensor<1x4x40x16xf64>, tensor<1x2x40x16xf64>, tensor<1x2x40x16xf64>) -> (tensor<1x4x40x16xf64>, tensor<1x4x40x16xf64>, tensor<1x2x40x16xf64>, tensor<1x2x40x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x40x16xf64>, tensor<1x4x40x16xf64>, tensor<1x2x40x16xf64>, tensor<1x2x40x16xf64>
  }
  func.func private @f(%q: tensor<1x4x40x16xf64>, %k: tensor<1x2x40x16xf64>, %v: tensor<1x2x40x16xf64>) -> tensor<1x4x40x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x40x16xf64>, tensor<1x2x40x16xf64>, tensor<1x2x40x16xf64>) -> tensor<1x4x40x16xf64>
    return %o : tensor<1x4x40x16xf64>
  }
}

// -----

// More keys than queries: both have zigzag chunks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @more_keys(%q: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x24x8xf64>) wrt [0, 1, 2] : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x24x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x1x24x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x24x8xf64>
    return %o : tensor<1x1x24x8xf64>
  }
}

// -----

// Draws are those of all queries.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dropout(%q: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %seed: tensor<2xi64>) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %seed) cotangents(%d : tensor<1x1x32x8xf64>) wrt [0, 1, 2] : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<2xi64>) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>
  }
  func.func private @f(%q: tensor<1x1x32x8xf64>, %k: tensor<1x1x32x8xf64>, %v: tensor<1x1x32x8xf64>, %seed: tensor<2xi64>) -> tensor<1x1x32x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(0.3, %seed : tensor<2xi64>) : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) -> tensor<1x1x32x8xf64>
    return %o : tensor<1x1x32x8xf64>
  }
}
