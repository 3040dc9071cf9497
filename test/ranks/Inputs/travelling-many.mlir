// Many single queries that see all keys: some go, without which the pairs of the others have few enough conjunctions.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x1x128x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @nine(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 12, 26, 40, 55, 70, 85, 100, -1]>]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}

// -----

#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x1x128x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fourteen(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 9, 18, 29, 35, 44, 52, 61, 70, 83, 92, 101, 115, -1]>]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}

// -----

// A long list, of which each query has a number.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x1x1024x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @thirty(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 33, 65, 98, 131, 167, 201, 230, 260, 299, 331, 367, 400, 433, 470, 505, 533, 569, 600, 640, 671, 707, 740, 773, 801, 840, 871, 905, 940, -1]>]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}

// -----

// A window without the queries of a long list.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x1x1024x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @without(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.difference<[#xf.window<left = 4, right = 4>, #xf.queries<[0 : 1, 33 : 34, 65 : 66, 98 : 99, 131 : 132, 167 : 168, 201 : 202, 230 : 231, 260 : 261, 299 : 300, 331 : 332, 367 : 368, 400 : 401, 433 : 434, 470 : 471, 505 : 506, 533 : 534, 569 : 570, 600 : 601, 640 : 641, 671 : 672, 707 : 708, 740 : 741, 773 : 774, 801 : 802, 840 : 841, 871 : 872, 905 : 906, 940 : 941, 1023 : 1024]>]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}

// -----

// One query sees all keys, and no other sees any.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x1x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @alone(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.queries<[0 : 1]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}

// -----

// In the second head no other query sees any key.
#tokens = #xf.sharding<[{}, {}, {"sequence"}, {}]>
!t = tensor<1x2x64x8xf64>
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @second_head(%q: !t {xf.sharding = #tokens}, %k: !t {xf.sharding = #tokens}, %v: !t {xf.sharding = #tokens}, %d: !t {xf.sharding = #tokens}) -> (!t, !t, !t, !t) {
    %o, %dq, %dk, %dv = xf.vjp @f(%q, %k, %v) cotangents(%d : !t) wrt [0, 1, 2] : (!t, !t, !t) -> (!t, !t, !t, !t)
    return %o, %dq, %dk, %dv : !t, !t, !t, !t
  }
  func.func private @f(%q: !t, %k: !t, %v: !t) -> !t {
    %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0]>]>, #xf.queries<[0 : 1]>]>) : (!t, !t, !t) -> !t
    return %o : !t
  }
}
