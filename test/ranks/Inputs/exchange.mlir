// Queries stay, the keys that they see come: all before them.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x34x8xf64>) wrt [0, 1, 2] : (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>) -> (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>
  }
  func.func private @f(%q: tensor<1x1x34x8xf64>, %k: tensor<1x1x34x8xf64>, %v: tensor<1x1x34x8xf64>) -> tensor<1x1x34x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>) -> tensor<1x1x34x8xf64>
    return %o : tensor<1x1x34x8xf64>
  }
}

// -----

// Halos on both sides; parts of a prime number of tokens.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @around(%q: tensor<1x2x74x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x74x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x74x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x74x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x74x8xf64>) wrt [0, 1, 2] : (tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>) -> (tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>
  }
  func.func private @f(%q: tensor<1x2x74x8xf64>, %k: tensor<1x2x74x8xf64>, %v: tensor<1x2x74x8xf64>) -> tensor<1x2x74x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 3, right = 11>) : (tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>, tensor<1x2x74x8xf64>) -> tensor<1x2x74x8xf64>
    return %o : tensor<1x2x74x8xf64>
  }
}

// -----

// A window that begins behind the ranks beside.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @far(%q: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x48x8xf64>) wrt [0, 1, 2] : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 40, right = -20>) : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64>
    return %o : tensor<1x1x48x8xf64>
  }
}

// -----

// Three heads of queries share keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @grouped(%q: tensor<1x3x60x80xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x60x80xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x60x80xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x3x60x80xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x3x60x80xf64>, tensor<1x3x60x80xf64>, tensor<1x1x60x80xf64>, tensor<1x1x60x80xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x3x60x80xf64>) wrt [0, 1, 2] : (tensor<1x3x60x80xf64>, tensor<1x1x60x80xf64>, tensor<1x1x60x80xf64>) -> (tensor<1x3x60x80xf64>, tensor<1x3x60x80xf64>, tensor<1x1x60x80xf64>, tensor<1x1x60x80xf64>)
    return %o, %dq, %dk, %dv : tensor<1x3x60x80xf64>, tensor<1x3x60x80xf64>, tensor<1x1x60x80xf64>, tensor<1x1x60x80xf64>
  }
  func.func private @f(%q: tensor<1x3x60x80xf64>, %k: tensor<1x1x60x80xf64>, %v: tensor<1x1x60x80xf64>) -> tensor<1x3x60x80xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x3x60x80xf64>, tensor<1x1x60x80xf64>, tensor<1x1x60x80xf64>) -> tensor<1x3x60x80xf64>
    return %o : tensor<1x3x60x80xf64>
  }
}

// -----

// All keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x1x26x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x26x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x26x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x26x1xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x26x1xf64>) wrt [0, 1, 2] : (tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>) -> (tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>
  }
  func.func private @f(%q: tensor<1x1x26x1xf64>, %k: tensor<1x1x26x1xf64>, %v: tensor<1x1x26x1xf64>) -> tensor<1x1x26x1xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>, tensor<1x1x26x1xf64>) -> tensor<1x1x26x1xf64>
    return %o : tensor<1x1x26x1xf64>
  }
}

// -----

// Fewer queries than keys, which are the last ones.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @more_keys(%q: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x24x8xf64>) wrt [0, 1, 2] : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x24x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x1x24x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x24x8xf64>
    return %o : tensor<1x1x24x8xf64>
  }
}

// -----

// A local piece and residues.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @strided(%q: tensor<1x1x48x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x48x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x48x16xf64>) wrt [0, 1, 2] : (tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>) -> (tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>
  }
  func.func private @f(%q: tensor<1x1x48x16xf64>, %k: tensor<1x1x48x16xf64>, %v: tensor<1x1x48x16xf64>) -> tensor<1x1x48x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 6>) : (tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>, tensor<1x1x48x16xf64>) -> tensor<1x1x48x16xf64>
    return %o : tensor<1x1x48x16xf64>
  }
}

// -----

// Global tokens: the first rank sees all, all see two of its keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @global_tokens(%q: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x64x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x64x8xf64>) wrt [0, 1, 2] : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>
  }
  func.func private @f(%q: tensor<1x1x64x8xf64>, %k: tensor<1x1x64x8xf64>, %v: tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>) : (tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>, tensor<1x1x64x8xf64>) -> tensor<1x1x64x8xf64>
    return %o : tensor<1x1x64x8xf64>
  }
}

// -----

// Drawn keys, others for each head.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @big_bird(%q: tensor<1x3x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x3x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x3x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x3x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x3x48x8xf64>) wrt [0, 1, 2] : (tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>) -> (tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>
  }
  func.func private @f(%q: tensor<1x3x48x8xf64>, %k: tensor<1x3x48x8xf64>, %v: tensor<1x3x48x8xf64>) -> tensor<1x3x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>, #xf.random<count = 2, seed = 1>]>) : (tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>, tensor<1x3x48x8xf64>) -> tensor<1x3x48x8xf64>
    return %o : tensor<1x3x48x8xf64>
  }
}

// -----

// Boxes of a grid.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @grid(%q: tensor<1x1x99x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x99x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x99x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x99x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x99x16xf64>) wrt [0, 1, 2] : (tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>) -> (tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>
  }
  func.func private @f(%q: tensor<1x1x99x16xf64>, %k: tensor<1x1x99x16xf64>, %v: tensor<1x1x99x16xf64>) -> tensor<1x1x99x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [9, 11], radius = [2, 3]>) : (tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>, tensor<1x1x99x16xf64>) -> tensor<1x1x99x16xf64>
    return %o : tensor<1x1x99x16xf64>
  }
}

// -----

// Every other key.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dilated(%q: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x48x8xf64>) wrt [0, 1, 2] : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>
  }
  func.func private @f(%q: tensor<1x2x48x8xf64>, %k: tensor<1x2x48x8xf64>, %v: tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 4, right = 0, step = 2>) : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64>
    return %o : tensor<1x2x48x8xf64>
  }
}

// -----

// Heads with patterns of their own: ranks get what one of them sees.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @by_head(%q: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x48x8xf64>) wrt [0, 1, 2] : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>
  }
  func.func private @f(%q: tensor<1x2x48x8xf64>, %k: tensor<1x2x48x8xf64>, %v: tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window<left = 4>, #xf.fixed<block = 8, summary = 2, part = column>]>) : (tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> tensor<1x2x48x8xf64>
    return %o : tensor<1x2x48x8xf64>
  }
}

// -----

// Keys that are values too, on two axes.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shared(%q: tensor<2x3x32x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %k: tensor<2x3x32x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %d: tensor<2x3x32x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}) -> (tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>) {
    %o, %dq, %dk = xf.vjp @f(%q, %k) cotangents(%d : tensor<2x3x32x8xf64>) wrt [0, 1] : (tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>) -> (tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>)
    return %o, %dq, %dk : tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>
  }
  func.func private @f(%q: tensor<2x3x32x8xf64>, %k: tensor<2x3x32x8xf64>) -> tensor<2x3x32x8xf64> {
    %o = xf.attention %q, %k, %k pattern(#xf.window<left = 5>) : (tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>, tensor<2x3x32x8xf64>) -> tensor<2x3x32x8xf64>
    return %o : tensor<2x3x32x8xf64>
  }
}

// -----

// Lengths count all tokens.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @lengths(%q: tensor<2x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<2x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<2x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<2x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %n: tensor<2xi64> {xf.range = array<i64: 0, 32>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 32>}) -> (tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %n, %m) cotangents(%d : tensor<2x1x32x8xf64>) wrt [0, 1, 2] : (tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>)
    return %o, %dq, %dk, %dv : tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>
  }
  func.func private @f(%q: tensor<2x1x32x8xf64>, %k: tensor<2x1x32x8xf64>, %v: tensor<2x1x32x8xf64>, %n: tensor<2xi64>, %m: tensor<2xi64>) -> tensor<2x1x32x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 7>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>, tensor<2x1x32x8xf64>) -> tensor<2x1x32x8xf64>
    return %o : tensor<2x1x32x8xf64>
  }
}

// -----

// Draws are those of one rank.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dropout(%q: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %seed: tensor<2xi64>) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %seed) cotangents(%d : tensor<1x1x32x8xf64>) wrt [0, 1, 2] : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<2xi64>) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>
  }
  func.func private @f(%q: tensor<1x1x32x8xf64>, %k: tensor<1x1x32x8xf64>, %v: tensor<1x1x32x8xf64>, %seed: tensor<2xi64>) -> tensor<1x1x32x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(0.3, %seed : tensor<2xi64>) : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) -> tensor<1x1x32x8xf64>
    return %o : tensor<1x1x32x8xf64>
  }
}

// -----

// A score that asks where its pair is.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @positions(%q: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x32x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x32x8xf64>) wrt [0, 1, 2] : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) -> (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>
  }
  func.func private @f(%q: tensor<1x1x32x8xf64>, %k: tensor<1x1x32x8xf64>, %v: tensor<1x1x32x8xf64>) -> tensor<1x1x32x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f64, %b, %h, %i, %j) {
      %n = arith.subi %i, %j : index
      %c = arith.index_cast %n : index to i64
      %x = arith.sitofp %c : i64 to f64
      %w = arith.constant 0.1 : f64
      %y = arith.mulf %x, %w : f64
      %t = arith.subf %s, %y : f64
      xf.yield %t : f64
    } : (tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>, tensor<1x1x32x8xf64>) -> tensor<1x1x32x8xf64>
    return %o : tensor<1x1x32x8xf64>
  }
}
