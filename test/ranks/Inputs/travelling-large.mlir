// Scores of 8192 and a multiple of 1/16, which f32 has exactly, beside which log l has few digits.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x128x8xf32>
!key = tensor<1x1x128x8xf32>
!queryNumbers = tensor<1x2x128x8xi32>
!keyNumbers = tensor<1x1x128x8xi32>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @large(%x: !queryNumbers {xf.sharding = #tokens, xf.range = array<i64: -3, 3>}, %y: !keyNumbers {xf.sharding = #tokens, xf.range = array<i64: -3, 3>}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %q = xf.cast %x : !queryNumbers to !query
    %k = xf.cast %y : !keyNumbers to !key
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1, 70]>]>) scale 0.0625 score(%s : f32, %b, %h, %i, %j) {
      %c = arith.constant 8192.0 : f32
      %t = arith.addf %s, %c : f32
      xf.yield %t : f32
    } : (!query, !key, !key) -> !query
    return %o : !query
  }
}
