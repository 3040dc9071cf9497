// A batch of any size.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
#rows = #xf.sharding<[{}, {}, {"sequence"}]>
!row = tensor<?x1x64xf64>
!query = tensor<?x1x64x8xf64>
!key = tensor<?x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @batch(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}, %e: !row {xf.sharding = #rows}) -> (!query, !row, !query, !key, !key) {
    %o, %lse, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d, %e : !query, !row) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !row, !query, !key, !key)
    return %o, %lse, %dq, %dk, %dv : !query, !row, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> (!query, !row) {
    %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 33]>]>) : (!query, !key, !key) -> (!query, !row)
    return %o, %lse : !query, !row
  }
}

// -----

// .. over an axis.
#tokens = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>
#rows = #xf.sharding<[{"data"}, {}, {"sequence"}]>
!row = tensor<?x1x64xf64>
!query = tensor<?x1x64x8xf64>
!key = tensor<?x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @batch_shares(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}, %e: !row {xf.sharding = #rows}) -> (!query, !row, !query, !key, !key) {
    %o, %lse, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d, %e : !query, !row) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !row, !query, !key, !key)
    return %o, %lse, %dq, %dk, %dv : !query, !row, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> (!query, !row) {
    %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 33]>]>) : (!query, !key, !key) -> (!query, !row)
    return %o, %lse : !query, !row
  }
}
