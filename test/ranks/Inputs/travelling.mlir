// The first query sees all keys.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x48x8xf64>
!key = tensor<1x1x48x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @first(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Queries of several ranks, some at the same place of their parts.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x60x8xf64>
!key = tensor<1x1x60x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 3>} {
  func.func @scattered(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1, 20, 21, 22, -1]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Queries of a pattern that runs tile by tile.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x128x8xf64>
!key = tensor<1x1x128x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @by_tiles(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 20, 50, 90, -1]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Those of a batch, at the end of a chunk and across two chunks, in zigzag.
#tokens = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>
!query = tensor<2x2x96x8xf64>
!key = tensor<2x2x96x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @zigzag(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[11, 12, 70]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// More keys than queries: positions are of keys.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x48x8xf64>
!key = tensor<1x1x96x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @more_keys(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[50, -1]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// A score that does not ask where it is.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x64x8xf64>
!key = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @score(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>) score(%s : f64, %b, %h, %i, %j) {
      %t = math.tanh %s : f64
      xf.yield %t : f64
    } : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Log-sum-exp is a result, and has a cotangent.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
#rows = #xf.sharding<[{}, {}, {"sequence"}]>
!row = tensor<1x1x64xf64>
!query = tensor<1x1x64x8xf64>
!key = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @divisors(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}, %e: !row {xf.sharding = #rows}) -> (!query, !row, !query, !key, !key) {
    %o, %lse, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d, %e : !query, !row) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !row, !query, !key, !key)
    return %o, %lse, %dq, %dk, %dv : !query, !row, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> (!query, !row) {
    %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 33]>]>) : (!query, !key, !key) -> (!query, !row)
    return %o, %lse : !query, !row
  }
}

// -----

// More queries than keys of a rank.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x32x8xf64>
!key = tensor<1x1x32x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @more_than_keys(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 1, right = 1>, #xf.global<[0,1,2,3,4,5,6,7,8,9]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Others see few keys, or none.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x4x64x8xf64>
!key = tensor<1x4x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @few(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = -2, right = 3>, #xf.queries<[3 : 9]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Several axes.
#tokens = #xf.sharding<[{"data"}, {}, {"a", "b"}, {}]>
!query = tensor<2x1x64x8xf64>
!key = tensor<2x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"data" = 2, "a" = 2, "b" = 2>} {
  func.func @axes(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 17]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Heads with different windows.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x64x8xf64>
!key = tensor<1x2x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @by_head(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>, #xf.union<[#xf.window<left = 7, right = 0>, #xf.global<[0, 1]>]>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Drawn pairs stay.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x64x8xf64>
!key = tensor<1x2x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @drawn(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>, #xf.random<count = 2, seed = 1>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Queries stay that a head does not let see all keys.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x2x64x8xf64>
!key = tensor<1x2x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @some_heads(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>, #xf.window<left = 4, right = 4>]>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// Queries stay where draws count rows, ..
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x64x8xf64>
!key = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @dropout(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}, %x: tensor<2xi64> {xf.range = array<i64: 0, 99>}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %x) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key, tensor<2xi64>) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key, %x: tensor<2xi64>) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>) dropout(0.3, %x : tensor<2xi64>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// .. a score asks for positions ..
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x64x8xf64>
!key = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @positions(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>) score(%s : f64, %b, %h, %i, %j) {
      %n = arith.subi %i, %j : index
      %m = arith.index_cast %n : index to i64
      %x = arith.sitofp %m : i64 to f64
      %c = arith.constant 0.01 : f64
      %p = arith.mulf %x, %c : f64
      %t = arith.addf %s, %p : f64
      xf.yield %t : f64
    } : (!query, !key, !key) -> !query
    return %o : !query
  }
}

// -----

// .. or keys end before the last.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!query = tensor<1x1x64x8xf64>
!key = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @lengths(%q: !query {xf.sharding = #tokens}, %k: !key {xf.sharding = #tokens}, %v: !key {xf.sharding = #tokens}, %d: !query {xf.sharding = #tokens}, %x: tensor<1xi64> {xf.range = array<i64: 0, 64>}) -> (!query, !query, !key, !key) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v, %x) cotangents(%d : !query) wrt [0, 1, 2] : (!query, !key, !key, tensor<1xi64>) -> (!query, !query, !key, !key)
    return %o, %dq, %dk, %dv : !query, !query, !key, !key
  }
  func.func private @f(%q: !query, %k: !key, %v: !key, %x: tensor<1xi64>) -> !query {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>]>) lengths(%x : tensor<1xi64>) : (!query, !key, !key) -> !query
    return %o : !query
  }
}
