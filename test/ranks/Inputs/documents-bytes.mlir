// Documents as in a batch that is packed.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @documents(%q: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x1024xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 8>}) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x4x1024x16xf64>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x1024xi32>) -> (tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf64>, tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf64>, %k: tensor<1x2x1024x16xf64>, %v: tensor<1x2x1024x16xf64>, %ids: tensor<1x1024xi32>) -> tensor<1x4x1024x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x1024xi32>, tensor<1x1024xi32>) : (tensor<1x4x1024x16xf64>, tensor<1x2x1024x16xf64>, tensor<1x2x1024x16xf64>) -> tensor<1x4x1024x16xf64>
    return %o : tensor<1x4x1024x16xf64>
  }
}
