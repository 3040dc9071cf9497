// Kernelised attention whose tokens ranks share, of 16 bits: states are f32.

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @bf16(%q: tensor<1x2x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x256x16xbf16>) wrt [0, 1, 2] : (tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>) -> (tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>)
    return %o, %dq, %dk, %dv : tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>
  }
  func.func private @f(%q: tensor<1x2x256x16xbf16>, %k: tensor<1x1x256x16xbf16>, %v: tensor<1x1x256x16xbf16>) -> tensor<1x2x256x16xbf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>) -> tensor<1x2x256x16xbf16>
    return %o : tensor<1x2x256x16xbf16>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @bf16_dense(%q: tensor<1x2x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<16x16xbf16>, %d: tensor<1x2x256x16xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<16x16xbf16>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x256x16xbf16>) wrt [0, 1, 2, 3] : (tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<16x16xbf16>) -> (tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<16x16xbf16>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x256x16xbf16>, tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<16x16xbf16>
  }
  func.func private @f(%q: tensor<1x2x256x16xbf16>, %k: tensor<1x1x256x16xbf16>, %v: tensor<1x1x256x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<1x2x256x16xbf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row>) params(%w : tensor<16x16xbf16>) : (tensor<1x2x256x16xbf16>, tensor<1x1x256x16xbf16>, tensor<1x1x256x16xbf16>) -> tensor<1x2x256x16xbf16>
    return %o : tensor<1x2x256x16xbf16>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @f16(%q: tensor<1x2x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x256x16xf16>) wrt [0, 1, 2] : (tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>) -> (tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>)
    return %o, %dq, %dk, %dv : tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>
  }
  func.func private @f(%q: tensor<1x2x256x16xf16>, %k: tensor<1x1x256x16xf16>, %v: tensor<1x1x256x16xf16>) -> tensor<1x2x256x16xf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>) -> tensor<1x2x256x16xf16>
    return %o : tensor<1x2x256x16xf16>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @f16_dense(%q: tensor<1x2x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<16x16xf16>, %d: tensor<1x2x256x16xf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<16x16xf16>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x256x16xf16>) wrt [0, 1, 2, 3] : (tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<16x16xf16>) -> (tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<16x16xf16>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x256x16xf16>, tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<16x16xf16>
  }
  func.func private @f(%q: tensor<1x2x256x16xf16>, %k: tensor<1x1x256x16xf16>, %v: tensor<1x1x256x16xf16>, %w: tensor<16x16xf16>) -> tensor<1x2x256x16xf16> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row>) params(%w : tensor<16x16xf16>) : (tensor<1x2x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>) -> tensor<1x2x256x16xf16>
    return %o : tensor<1x2x256x16xf16>
  }
}
