// Documents in 32 and 16 bits, with rows that fill no register.
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @single(%q: tensor<1x2x39x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x39x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x39x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x39x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x39xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x39x33xf32>) wrt [0, 1, 2] : (tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x39xi32>) -> (tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>
  }
  func.func private @f(%q: tensor<1x2x39x33xf32>, %k: tensor<1x2x39x33xf32>, %v: tensor<1x2x39x33xf32>, %ids: tensor<1x39xi32>) -> tensor<1x2x39x33xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x39xi32>, tensor<1x39xi32>) : (tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>, tensor<1x2x39x33xf32>) -> tensor<1x2x39x33xf32>
    return %o : tensor<1x2x39x33xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @brain(%q: tensor<1x2x111x80xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x111x80xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x111x80xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x111x80xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x111xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x111x80xbf16>) wrt [0, 1, 2] : (tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x111xi32>) -> (tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>)
    return %o, %dq, %dk, %dv : tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>
  }
  func.func private @f(%q: tensor<1x2x111x80xbf16>, %k: tensor<1x2x111x80xbf16>, %v: tensor<1x2x111x80xbf16>, %ids: tensor<1x111xi32>) -> tensor<1x2x111x80xbf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window<left = 20, right = 5>, #xf.segments]>) segments(%ids, %ids : tensor<1x111xi32>, tensor<1x111xi32>) : (tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>, tensor<1x2x111x80xbf16>) -> tensor<1x2x111x80xbf16>
    return %o : tensor<1x2x111x80xbf16>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @half(%q: tensor<1x2x39x1xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x39x1xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x39x1xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x39x1xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x39xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>, xf.range = array<i64: 0, 3>}) -> (tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %ids) cotangents(%d : tensor<1x2x39x1xf16>) wrt [0, 1, 2] : (tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x39xi32>) -> (tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>)
    return %o, %dq, %dk, %dv : tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>
  }
  func.func private @f(%q: tensor<1x2x39x1xf16>, %k: tensor<1x2x39x1xf16>, %v: tensor<1x2x39x1xf16>, %ids: tensor<1x39xi32>) -> tensor<1x2x39x1xf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x39xi32>, tensor<1x39xi32>) : (tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>, tensor<1x2x39x1xf16>) -> tensor<1x2x39x1xf16>
    return %o : tensor<1x2x39x1xf16>
  }
}
