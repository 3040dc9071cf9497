// A halo of nine keys from the rank before. Of how many rows is not known, so that keys are sent again for the gradient.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @again(%q: tensor<?x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<?x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<?x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %d: tensor<?x2x48x33xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : tensor<?x2x48x33xf64>) wrt [0, 1, 2] : (tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>) -> (tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>)
    return %o, %dq, %dk, %dv : tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>
  }
  func.func private @f(%q: tensor<?x2x48x33xf64>, %k: tensor<?x2x48x33xf64>, %v: tensor<?x2x48x33xf64>) -> tensor<?x2x48x33xf64> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>, tensor<?x2x48x33xf64>) -> tensor<?x2x48x33xf64>
    return %o : tensor<?x2x48x33xf64>
  }
}
