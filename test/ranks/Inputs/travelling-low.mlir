// Queries of whose keys one rank's are low. travelling.test writes other numbers.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!x = tensor<1x2x64x4xf64>
!mask = tensor<1x2x64x1xf64>
!row = tensor<1x2x64x5xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @low(%q: !x {xf.sharding = #tokens}, %k: !x {xf.sharding = #tokens}, %v: !x {xf.sharding = #tokens}, %d: !x {xf.sharding = #tokens}) -> (!x, !x, !x, !x) {
    %m = arith.constant dense<-1.0e+04> : tensor<1x2x16x1xf64>
    %mask = xf.pad %m low [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x16x1xf64> to !mask
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %mask) cotangents(%d : !x) wrt [0, 1, 2] : (!x, !x, !x, !mask) -> (!x, !x, !x, !x)
    return %o, %dq, %dk, %dv : !x, !x, !x, !x
  }
  func.func private @f(%q: !x, %k: !x, %v: !x, %mask: !mask) -> !x {
    %one = arith.constant dense<1.0> : !mask
    %row = xf.concat %q, %one axis 3 : (!x, !mask) -> !row
    %key = xf.concat %k, %mask axis 3 : (!x, !mask) -> !row
    %o = xf.attention %row, %key, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 33]>]>) scale 1.0 score(%s : f64, %b, %h, %i, %j) {
      %offset = arith.constant 0.0 : f64
      %least = arith.constant -1.0e+39 : f64
      %none = arith.constant 0xFFF0000000000000 : f64
      %t = arith.addf %s, %offset : f64
      %isNone = arith.cmpf olt, %s, %least : f64
      %y = arith.select %isNone, %none, %t : f64
      xf.yield %y : f64
    } : (!row, !row, !x) -> !x
    return %o : !x
  }
}
