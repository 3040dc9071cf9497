// Tokens in another order, which a table of the program says.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @permuted(%q: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<1x1x48x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<1x1x48x8xf64>) wrt [0, 1, 2] : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>
  }
  func.func private @f(%q: tensor<1x1x48x8xf64>, %k: tensor<1x1x48x8xf64>, %v: tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.permute<[44, 15, 45, 9, 5, 35, 2, 14, 19, 34, 33, 46, 40, 26, 11, 38, 37, 12, 21, 17, 20, 22, 29, 32, 10, 3, 18, 43, 25, 23, 47, 41, 0, 27, 39, 1, 42, 6, 13, 24, 30, 28, 31, 7, 16, 4, 36, 8], of = #xf.window<left = 3>>) : (tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>, tensor<1x1x48x8xf64>) -> tensor<1x1x48x8xf64>
    return %o : tensor<1x1x48x8xf64>
  }
}
