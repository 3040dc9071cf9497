// What travels of kernelised attention does not grow with the sequence.

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x4x256x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x256x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x256x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x256x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x256x16xf32>, tensor<1x4x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x256x16xf32>) wrt [0, 1, 2] : (tensor<1x4x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>) -> (tensor<1x4x256x16xf32>, tensor<1x4x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x4x256x16xf32>, tensor<1x4x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>
  }
  func.func private @f(%q: tensor<1x4x256x16xf32>, %k: tensor<1x2x256x16xf32>, %v: tensor<1x2x256x16xf32>) -> tensor<1x4x256x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x4x256x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>) -> tensor<1x4x256x16xf32>
    return %o : tensor<1x4x256x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @causal(%q: tensor<1x4x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf32>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) -> (tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf32>, %k: tensor<1x2x1024x16xf32>, %v: tensor<1x2x1024x16xf32>) -> tensor<1x4x1024x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) -> tensor<1x4x1024x16xf32>
    return %o : tensor<1x4x1024x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dense(%q: tensor<1x4x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x1024x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x1024x16xf32>) wrt [0, 1, 2] : (tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) -> (tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x4x1024x16xf32>, tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>
  }
  func.func private @f(%q: tensor<1x4x1024x16xf32>, %k: tensor<1x2x1024x16xf32>, %v: tensor<1x2x1024x16xf32>) -> tensor<1x4x1024x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x4x1024x16xf32>, tensor<1x2x1024x16xf32>, tensor<1x2x1024x16xf32>) -> tensor<1x4x1024x16xf32>
    return %o : tensor<1x4x1024x16xf32>
  }
}
