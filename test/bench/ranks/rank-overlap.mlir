// Causal attention of which two ranks share 16384 tokens, and its gradient (rank-overlap.cpp).
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @forward(%q: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x4x16384x64xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>) -> tensor<1x4x16384x64xf32>
    return %o : tensor<1x4x16384x64xf32>
  }
  func.func @step(%q: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x16384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @causal(%q, %k, %v) cotangents(%d : tensor<1x4x16384x64xf32>) wrt [0, 1, 2] : (tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>) -> (tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>)
    return %o, %dq, %dk, %dv : tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>
  }
  func.func private @causal(%q: tensor<1x4x16384x64xf32>, %k: tensor<1x4x16384x64xf32>, %v: tensor<1x4x16384x64xf32>) -> tensor<1x4x16384x64xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>, tensor<1x4x16384x64xf32>) -> tensor<1x4x16384x64xf32>
    return %o : tensor<1x4x16384x64xf32>
  }
}
