// Before, in the same document.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x34x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x34xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x34x8xf64>) wrt [0, 1, 2] : (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x34xi32>) -> (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>
  }
  func.func private @f(%q: tensor<1x1x34x8xf64>, %k: tensor<1x1x34x8xf64>, %v: tensor<1x1x34x8xf64>, %ids: tensor<1x34xi32>) -> tensor<1x1x34x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x34xi32>, tensor<1x34xi32>) : (tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>, tensor<1x1x34x8xf64>) -> tensor<1x1x34x8xf64>
    return %o : tensor<1x1x34x8xf64>
  }
}

// -----

// In the same document.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @dense(%q: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x36xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x36x8xf64>) wrt [0, 1, 2] : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x36xi32>) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>
  }
  func.func private @f(%q: tensor<1x1x36x8xf64>, %k: tensor<1x1x36x8xf64>, %v: tensor<1x1x36x8xf64>, %ids: tensor<1x36xi32>) -> tensor<1x1x36x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%ids, %ids : tensor<1x36xi32>, tensor<1x36xi32>) : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64>
    return %o : tensor<1x1x36x8xf64>
  }
}

// -----

// Before, on more ranks; heads share keys.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @grouped(%q: tensor<1x4x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x48xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x4x48x8xf64>, tensor<1x4x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x4x48x8xf64>) wrt [0, 1, 2] : (tensor<1x4x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x48xi32>) -> (tensor<1x4x48x8xf64>, tensor<1x4x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x48x8xf64>, tensor<1x4x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>
  }
  func.func private @f(%q: tensor<1x4x48x8xf64>, %k: tensor<1x2x48x8xf64>, %v: tensor<1x2x48x8xf64>, %ids: tensor<1x48xi32>) -> tensor<1x4x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x48xi32>, tensor<1x48xi32>) : (tensor<1x4x48x8xf64>, tensor<1x2x48x8xf64>, tensor<1x2x48x8xf64>) -> tensor<1x4x48x8xf64>
    return %o : tensor<1x4x48x8xf64>
  }
}

// -----

// In a window.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x2x52x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x52x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x52x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x52x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x52xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x52x8xf64>, tensor<1x2x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x1x52x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x52x8xf64>) wrt [0, 1, 2] : (tensor<1x2x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x52xi32>) -> (tensor<1x2x52x8xf64>, tensor<1x2x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x1x52x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x52x8xf64>, tensor<1x2x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x1x52x8xf64>
  }
  func.func private @f(%q: tensor<1x2x52x8xf64>, %k: tensor<1x1x52x8xf64>, %v: tensor<1x1x52x8xf64>, %ids: tensor<1x52xi32>) -> tensor<1x2x52x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window<left = 7, right = 3>, #xf.segments]>) segments(%ids, %ids : tensor<1x52xi32>, tensor<1x52xi32>) : (tensor<1x2x52x8xf64>, tensor<1x1x52x8xf64>, tensor<1x1x52x8xf64>) -> tensor<1x2x52x8xf64>
    return %o : tensor<1x2x52x8xf64>
  }
}

// -----

// Other documents in each batch entry.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @batches(%q: tensor<3x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<3x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<3x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<3x1x33x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<3x33xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<3x1x33x8xf64>) wrt [0, 1, 2] : (tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x33xi32>) -> (tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>)
    return %o, %dq, %dk, %dv : tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>
  }
  func.func private @f(%q: tensor<3x1x33x8xf64>, %k: tensor<3x1x33x8xf64>, %v: tensor<3x1x33x8xf64>, %ids: tensor<3x33xi32>) -> tensor<3x1x33x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<3x33xi32>, tensor<3x33xi32>) : (tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>, tensor<3x1x33x8xf64>) -> tensor<3x1x33x8xf64>
    return %o : tensor<3x1x33x8xf64>
  }
}

// -----

// Numbers of 64 bits, on two axes.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @axes(%q: tensor<2x1x28x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %k: tensor<2x1x28x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %v: tensor<2x1x28x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %d: tensor<2x1x28x8xf64> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %ids: tensor<2x28xi64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<2x1x28x8xf64>) wrt [0, 1, 2] : (tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x28xi64>) -> (tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>)
    return %o, %dq, %dk, %dv : tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>
  }
  func.func private @f(%q: tensor<2x1x28x8xf64>, %k: tensor<2x1x28x8xf64>, %v: tensor<2x1x28x8xf64>, %ids: tensor<2x28xi64>) -> tensor<2x1x28x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<2x28xi64>, tensor<2x28xi64>) : (tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>, tensor<2x1x28x8xf64>) -> tensor<2x1x28x8xf64>
    return %o : tensor<2x1x28x8xf64>
  }
}

// -----

// Fewer queries than keys, which have numbers of their own.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @fewer(%q: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x24x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x24xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}, %idk: tensor<1x48xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids, %idk) cotangents(%d : tensor<1x1x24x8xf64>) wrt [0, 1, 2] : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x24xi32>, tensor<1x48xi32>) -> (tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x24x8xf64>, tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x24x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>, %ids: tensor<1x24xi32>, %idk: tensor<1x48xi32>) -> tensor<1x1x24x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %idk : tensor<1x24xi32>, tensor<1x48xi32>) : (tensor<1x1x24x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x24x8xf64>
    return %o : tensor<1x1x24x8xf64>
  }
}

// -----

// Queries and keys of different numbers.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @cross(%q: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x40xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}, %idk: tensor<1x40xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids, %idk) cotangents(%d : tensor<1x1x40x8xf64>) wrt [0, 1, 2] : (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x40xi32>, tensor<1x40xi32>) -> (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>
  }
  func.func private @f(%q: tensor<1x1x40x8xf64>, %k: tensor<1x1x40x8xf64>, %v: tensor<1x1x40x8xf64>, %ids: tensor<1x40xi32>, %idk: tensor<1x40xi32>) -> tensor<1x1x40x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%ids, %idk : tensor<1x40xi32>, tensor<1x40xi32>) : (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>) -> tensor<1x1x40x8xf64>
    return %o : tensor<1x1x40x8xf64>
  }
}

// -----

// Some tokens are in no document.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @padding(%q: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x48xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: -1, 2>}) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x48x8xf64>) wrt [0, 1, 2] : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x48xi32>) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>, %ids: tensor<1x48xi32>) -> tensor<1x1x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x48xi32>, tensor<1x48xi32>) : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64>
    return %o : tensor<1x1x48x8xf64>
  }
}

// -----

// Every other key.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @strided(%q: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x48xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x48x8xf64>) wrt [0, 1, 2] : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x48xi32>) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>, %ids: tensor<1x48xi32>) -> tensor<1x1x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.strided<stride = 6>, #xf.segments]>) segments(%ids, %ids : tensor<1x48xi32>, tensor<1x48xi32>) : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64>
    return %o : tensor<1x1x48x8xf64>
  }
}

// -----

// Zigzag chunks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @zigzag(%q: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %k: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %v: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %d: tensor<1x1x40x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}, %ids: tensor<1x40xi32> {xf.sharding = #xf.sharding<[{}, {"sequence" zigzag 2}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x40x8xf64>) wrt [0, 1, 2] : (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x40xi32>) -> (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>
  }
  func.func private @f(%q: tensor<1x1x40x8xf64>, %k: tensor<1x1x40x8xf64>, %v: tensor<1x1x40x8xf64>, %ids: tensor<1x40xi32>) -> tensor<1x1x40x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x40xi32>, tensor<1x40xi32>) : (tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>, tensor<1x1x40x8xf64>) -> tensor<1x1x40x8xf64>
    return %o : tensor<1x1x40x8xf64>
  }
}

// -----

// Either of two sets.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @either(%q: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x36x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x36xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x36x8xf64>) wrt [0, 1, 2] : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x36xi32>) -> (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>
  }
  func.func private @f(%q: tensor<1x1x36x8xf64>, %k: tensor<1x1x36x8xf64>, %v: tensor<1x1x36x8xf64>, %ids: tensor<1x36xi32>) -> tensor<1x1x36x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.union<[#xf.window<left = 2, right = 0>, #xf.global<[0, 1]>]>, #xf.segments]>) segments(%ids, %ids : tensor<1x36xi32>, tensor<1x36xi32>) : (tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>, tensor<1x1x36x8xf64>) -> tensor<1x1x36x8xf64>
    return %o : tensor<1x1x36x8xf64>
  }
}
