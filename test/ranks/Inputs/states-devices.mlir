// Kernelised attention whose tokens ranks share, small enough for simulated devices and for processes.

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x2x96x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x96x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x96x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x96x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x96x16xf32>, tensor<1x2x96x16xf32>, tensor<1x1x96x16xf32>, tensor<1x1x96x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x96x16xf32>) wrt [0, 1, 2] : (tensor<1x2x96x16xf32>, tensor<1x1x96x16xf32>, tensor<1x1x96x16xf32>) -> (tensor<1x2x96x16xf32>, tensor<1x2x96x16xf32>, tensor<1x1x96x16xf32>, tensor<1x1x96x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x96x16xf32>, tensor<1x2x96x16xf32>, tensor<1x1x96x16xf32>, tensor<1x1x96x16xf32>
  }
  func.func private @f(%q: tensor<1x2x96x16xf32>, %k: tensor<1x1x96x16xf32>, %v: tensor<1x1x96x16xf32>) -> tensor<1x2x96x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x96x16xf32>, tensor<1x1x96x16xf32>, tensor<1x1x96x16xf32>) -> tensor<1x2x96x16xf32>
    return %o : tensor<1x2x96x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x2x48x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<16x16xf32>, %d: tensor<1x2x48x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x48x16xf32>, tensor<1x2x48x16xf32>, tensor<1x1x48x16xf32>, tensor<1x1x48x16xf32>, tensor<16x16xf32>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x48x16xf32>) wrt [0, 1, 2, 3] : (tensor<1x2x48x16xf32>, tensor<1x1x48x16xf32>, tensor<1x1x48x16xf32>, tensor<16x16xf32>) -> (tensor<1x2x48x16xf32>, tensor<1x2x48x16xf32>, tensor<1x1x48x16xf32>, tensor<1x1x48x16xf32>, tensor<16x16xf32>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x48x16xf32>, tensor<1x2x48x16xf32>, tensor<1x1x48x16xf32>, tensor<1x1x48x16xf32>, tensor<16x16xf32>
  }
  func.func private @f(%q: tensor<1x2x48x16xf32>, %k: tensor<1x1x48x16xf32>, %v: tensor<1x1x48x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x2x48x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row>) params(%w : tensor<16x16xf32>) : (tensor<1x2x48x16xf32>, tensor<1x1x48x16xf32>, tensor<1x1x48x16xf32>) -> tensor<1x2x48x16xf32>
    return %o : tensor<1x2x48x16xf32>
  }
}
