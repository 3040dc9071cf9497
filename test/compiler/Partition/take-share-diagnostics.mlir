// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share -split-input-file -verify-diagnostics

// A result that is to be shared, whose size the ranks do not divide.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @odd(%x: tensor<3xf32>) -> (tensor<3xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) {
    // expected-error@+1 {{expected a size that the 2 ranks of {"data"} divide in dimension 0 of result #0, got 3; shares of different sizes are not implemented}}
    return %x : tensor<3xf32>
  }
}

// -----

// Chunks that do not make up a dimension.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-error@+1 {{expected a size that the 4 chunks of the 2 ranks of {"data" zigzag 2} divide in dimension 0 of argument #0, got 6; shares of different sizes are not implemented}}
  func.func @chunks(%x: tensor<6xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 2}]>}) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

// A dimension that counts several is gathered with them apart.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @merged(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data" zigzag 2}]>}) -> tensor<32xf32> {
    %r = xf.reshape %x : tensor<4x8xf32> to tensor<32xf32>
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<32xf32>', over {"data"}: 64 bytes}}
    %y = xf.softmax %r : tensor<32xf32>
    return %y : tensor<32xf32>
  }
}

// -----

// Attention that has no plan.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @segments(%q: tensor<1x2x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"data" zigzag 2}, {}]>}, %ids: tensor<1x8xi64>) -> tensor<1x2x8x4xf32> {
    // expected-remark@+1 {{every rank computes what others do too: ranks share neither its queries nor, of tokens in zigzag chunks, its heads}}
    %o = xf.attention %q, %q, %q pattern(#xf.segments) segments(%ids, %ids : tensor<1x8xi64>, tensor<1x8xi64>) : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
    return %o : tensor<1x2x8x4xf32>
  }
}

// -----

// In the order `keys` ranks have whole slices of what is summed.
module attributes {xf.mesh = #xf.mesh<"data" = 3>, xf.keys_order} {
  func.func @three(%x: tensor<12x5xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<5xf32> {
    // expected-error@+1 {{expected ranks that divide the 4 slices in which the order `keys` sums a dimension of 12 over {"data"}, got 3}}
    %s = xf.reduce sum %x axes [0] : tensor<12x5xf32> -> tensor<5xf32>
    return %s : tensor<5xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>, xf.keys_order} {
  func.func @dynamic(%x: tensor<?x5xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<5xf32> {
    // expected-error@+1 {{not implemented: sums in the order `keys` over a dimension of dynamic size, which {"data"} share}}
    %s = xf.reduce sum %x axes [0] : tensor<?x5xf32> -> tensor<5xf32>
    return %s : tensor<5xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>, xf.keys_order} {
  func.func @turned(%x: tensor<8x5xf32> {xf.sharding = #xf.sharding<[{"sequence", "data"}, {}]>}) -> tensor<5xf32> {
    // expected-error@+1 {{expected axes in the order of the mesh, got {"sequence", "data"}}}
    %s = xf.reduce sum %x axes [0] : tensor<8x5xf32> -> tensor<5xf32>
    return %s : tensor<5xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>, xf.keys_order} {
  // expected-error@+1 {{expected parts in the order of ranks in the order `keys`, got {"data" zigzag 2}}}
  func.func @zigzag(%x: tensor<8x5xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 2}, {}]>}) -> tensor<8x5xf32> {
    return %x : tensor<8x5xf32>
  }
}


// -----

// Two dimensions that are one behind a reshape, whose axes are of one of them or of each: a rank has other elements.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @factors(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>}, %y: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data", "sequence"}]>}) -> tensor<f32> {
    %a = xf.reshape %x : tensor<4x8xf32> to tensor<32xf32>
    %b = xf.reshape %y : tensor<4x8xf32> to tensor<32xf32>
    // expected-remark@+1 {{every rank gathers operand #1, 'tensor<32xf32>', over {"data", "sequence"}: 96 bytes}}
    %p = xf.mul %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %s = xf.reduce sum %p axes [0] : tensor<32xf32> -> tensor<f32>
    return %s : tensor<f32>
  }
}

// -----

// Of dynamic sizes they are not taken apart.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @dynamic(%x: tensor<4x?xf32> {xf.sharding = #xf.sharding<[{}, {"data" zigzag 2}]>}) -> tensor<?xf32> {
    %r = xf.reshape %x : tensor<4x?xf32> to tensor<?xf32>
    // expected-remark@+2 {{every rank gathers operand #0, 'tensor<?xf32>', over {"data"}}}
    // expected-error@+1 {{not implemented: parts of a dimension that counts several of dynamic sizes, over {"data"} and {}}}
    %y = xf.softmax %r : tensor<?xf32>
    return %y : tensor<?xf32>
  }
}

// -----

// A dimension before it of dynamic size, too: no part of that is computed.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @dynamic_entries(%x: tensor<?x4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}) -> tensor<?x6xf32> {
    %r = xf.reshape %x : tensor<?x4x8x6xf32> to tensor<?x32x6xf32>
    // expected-remark@+2 {{every rank gathers operand #0, 'tensor<?x32x6xf32>', over {"sequence"}}}
    // expected-error@+1 {{not implemented: parts of a dimension that counts several of dynamic sizes, over {"sequence"} and {}}}
    %y = xf.reduce max %r axes [1] : tensor<?x32x6xf32> -> tensor<?x6xf32>
    return %y : tensor<?x6xf32>
  }
}

// -----

// The other dimensions of what is made in slices.
module attributes {xf.mesh = #xf.mesh<"tensor" = 2>, xf.keys_order} {
  func.func @rows(%x: tensor<?x8xf32> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %w: tensor<5x8xf32> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}) -> tensor<?x5xf32> {
    // expected-error@+1 {{not implemented: sums in the order `keys` by an op with dimensions of dynamic size}}
    %y = xf.linear %x, %w : (tensor<?x8xf32>, tensor<5x8xf32>) -> tensor<?x5xf32>
    return %y : tensor<?x5xf32>
  }
}
