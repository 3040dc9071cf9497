// Documents of which tiles and slices of keys have parts, for the order `keys`.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @window(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window<left = 20, right = 5>, #xf.segments]>) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window<left = 20, right = 5>, #xf.segments]>) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense(%q: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x136x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x136xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x136x16xf32>) wrt [0, 1, 2] : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x136xi32>) -> (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>
  }
  func.func private @f(%q: tensor<1x2x136x16xf32>, %k: tensor<1x2x136x16xf32>, %v: tensor<1x2x136x16xf32>, %ids: tensor<1x136xi32>) -> tensor<1x2x136x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%ids, %ids : tensor<1x136xi32>, tensor<1x136xi32>) : (tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>, tensor<1x2x136x16xf32>) -> tensor<1x2x136x16xf32>
    return %o : tensor<1x2x136x16xf32>
  }
}
