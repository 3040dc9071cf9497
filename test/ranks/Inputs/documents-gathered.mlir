// Pairs that need no document have no plan.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @union(%q: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x28xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x28x8xf64>) wrt [0, 1, 2] : (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x28xi32>) -> (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>
  }
  func.func private @f(%q: tensor<1x1x28x8xf64>, %k: tensor<1x1x28x8xf64>, %v: tensor<1x1x28x8xf64>, %ids: tensor<1x28xi32>) -> tensor<1x1x28x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 2, right = 0>, #xf.segments]>) segments(%ids, %ids : tensor<1x28xi32>, tensor<1x28xi32>) : (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>) -> tensor<1x1x28x8xf64>
    return %o : tensor<1x1x28x8xf64>
  }
}

// -----

// Nor have documents that see others.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @related(%q: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x28x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x28xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x1x28x8xf64>) wrt [0, 1, 2] : (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x28xi32>) -> (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>
  }
  func.func private @f(%q: tensor<1x1x28x8xf64>, %k: tensor<1x1x28x8xf64>, %v: tensor<1x1x28x8xf64>, %ids: tensor<1x28xi32>) -> tensor<1x1x28x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]>) segments(%ids, %ids : tensor<1x28xi32>, tensor<1x28xi32>) : (tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>, tensor<1x1x28x8xf64>) -> tensor<1x1x28x8xf64>
    return %o : tensor<1x1x28x8xf64>
  }
}
