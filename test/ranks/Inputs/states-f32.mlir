// Kernelised attention whose tokens ranks share, in f32.

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @elu(%q: tensor<1x4x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x4x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x4x512x16xf32>, tensor<1x4x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x4x512x16xf32>) wrt [0, 1, 2] : (tensor<1x4x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>) -> (tensor<1x4x512x16xf32>, tensor<1x4x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x4x512x16xf32>, tensor<1x4x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>
  }
  func.func private @f(%q: tensor<1x4x512x16xf32>, %k: tensor<1x1x512x16xf32>, %v: tensor<1x1x512x16xf32>) -> tensor<1x4x512x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x4x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>) -> tensor<1x4x512x16xf32>
    return %o : tensor<1x4x512x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @favor(%q: tensor<1x2x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<16x16xf32>, %d: tensor<1x2x512x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x512x16xf32>, tensor<1x2x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<16x16xf32>) {
    %o, %dq, %dk, %dv, %dw = xf.vjp @f(%q, %k, %v, %w) cotangents(%d : tensor<1x2x512x16xf32>) wrt [0, 1, 2, 3] : (tensor<1x2x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<16x16xf32>) -> (tensor<1x2x512x16xf32>, tensor<1x2x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<16x16xf32>)
    return %o, %dq, %dk, %dv, %dw : tensor<1x2x512x16xf32>, tensor<1x2x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<16x16xf32>
  }
  func.func private @f(%q: tensor<1x2x512x16xf32>, %k: tensor<1x1x512x16xf32>, %v: tensor<1x1x512x16xf32>, %w: tensor<16x16xf32>) -> tensor<1x2x512x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>) params(%w : tensor<16x16xf32>) : (tensor<1x2x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>) -> tensor<1x2x512x16xf32>
    return %o : tensor<1x2x512x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @dense(%q: tensor<1x2x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x384x16xf32>, tensor<1x2x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x384x16xf32>) wrt [0, 1, 2] : (tensor<1x2x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>) -> (tensor<1x2x384x16xf32>, tensor<1x2x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>)
    return %o, %dq, %dk, %dv : tensor<1x2x384x16xf32>, tensor<1x2x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>
  }
  func.func private @f(%q: tensor<1x2x384x16xf32>, %k: tensor<1x1x384x16xf32>, %v: tensor<1x1x384x16xf32>) -> tensor<1x2x384x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu>) : (tensor<1x2x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>) -> tensor<1x2x384x16xf32>
    return %o : tensor<1x2x384x16xf32>
  }
}

// -----

// States of more than 16 KiB, of which each rank sums a part.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @long(%q: tensor<1x3x256x48xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x3x256x48xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x3x256x48xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x3x256x48xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x3x256x48xf32>) wrt [0, 1, 2] : (tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>) -> (tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>)
    return %o, %dq, %dk, %dv : tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>
  }
  func.func private @f(%q: tensor<1x3x256x48xf32>, %k: tensor<1x3x256x48xf32>, %v: tensor<1x3x256x48xf32>) -> tensor<1x3x256x48xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>, tensor<1x3x256x48xf32>) -> tensor<1x3x256x48xf32>
    return %o : tensor<1x3x256x48xf32>
  }
}
