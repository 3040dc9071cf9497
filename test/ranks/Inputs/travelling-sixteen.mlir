// What ranks have for queries that travel is added before it is rounded.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x64x32xbf16>
!key = tensor<1x2x64x32xbf16>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @sixteen(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}
