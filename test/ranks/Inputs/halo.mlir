// A halo of nine keys from the rank before.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x48x33xf64>) wrt [0, 1, 2] : (tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>) -> (tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>
  }
  func.func private @f(%q: tensor<1x2x48x33xf64>, %k: tensor<1x2x48x33xf64>, %v: tensor<1x2x48x33xf64>) -> tensor<1x2x48x33xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>, tensor<1x2x48x33xf64>) -> tensor<1x2x48x33xf64>
    return %o : tensor<1x2x48x33xf64>
  }
}

// -----

// Summaries of all blocks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fixed(%q: tensor<1x2x64x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x64x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x64x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x2x64x16xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x2x64x16xf64>) wrt [0, 1, 2] : (tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>) -> (tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>)
    return %o, %dq, %dk, %dv : tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>
  }
  func.func private @f(%q: tensor<1x2x64x16xf64>, %k: tensor<1x2x64x16xf64>, %v: tensor<1x2x64x16xf64>) -> tensor<1x2x64x16xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 8, summary = 2>) : (tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>, tensor<1x2x64x16xf64>) -> tensor<1x2x64x16xf64>
    return %o : tensor<1x2x64x16xf64>
  }
}
