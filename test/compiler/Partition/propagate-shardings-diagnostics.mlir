// RUN: xf-opt %s --xf-propagate-shardings -split-input-file -verify-diagnostics

// An op that has no factors, and a dimension that is whole: 4 x 8 numbers of 4 bytes, half of which a rank lacks.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @whole(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data"}]>}) -> tensor<4x8xf32> {
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<4x8xf32>', over {"data"}: 64 bytes}}
    %y = xf.softmax %x : tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}

// -----

// Of what is sharded over two axes, one stays.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 4>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @part(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}]>}) -> tensor<4x8xf32> {
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<4x8xf32>', over {"tensor"}: 48 bytes}}
    %y = xf.softmax %x : tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}

// -----

// A dynamic size, or a number of ranks that only a job knows, leaves the bytes out.
module attributes {xf.mesh = #xf.mesh<"data" = 0>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @open(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data"}]>}) -> tensor<4x8xf32> {
    // expected-remark-re@+1 {{every rank gathers operand #0, 'tensor<4x8xf32>', over {"data"}{{$}}}}
    %y = xf.softmax %x : tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}

// -----

// One axis shards one factor.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @taken(%x: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<8x8xf32> {
    // expected-remark@+1 {{every rank gathers operand #1, 'tensor<8x6xf32>', over {"data"}: 96 bytes}}
    %y = xf.matmul %x, %x transposed : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

// What has all axes of another, in another order, is finer, but in other places: 8 x 6 numbers over 4 ranks are gathered.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @finer(%x: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>},
                   %y: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<8x6xf32>', over {"sequence"}: 144 bytes}}
    %a = xf.add %x, %y : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    // expected-remark@+1 {{every rank gathers operand #1, 'tensor<8x6xf32>', over {"sequence"}: 144 bytes}}
    %b = xf.add %y, %x : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    return %a, %b : tensor<8x6xf32>, tensor<8x6xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  // expected-note@+2 {{{"data"} comes from here}}
  // expected-note@+2 {{{"sequence"} comes from here}}
  func.func @disagree(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>},
                      %y: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>}) -> tensor<4x8xf32> {
    %e = xf.exp %x : tensor<4x8xf32>
    // expected-error@+1 {{expected dimensions that are sharded alike, got {"data"} and {"sequence"} in dimension 0 of operand #1}}
    %z = xf.add %e, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    return %z : tensor<4x8xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  // expected-note@+2 {{here it is sharded over {"data"}}}
  // expected-error@+2 {{expected dimension 'n' to be sharded over {"data"} everywhere, got {"sequence"}}}
  func.func @names(%x: tensor<?x8xf32> {xf.dims = [#xf.dim<name = "n", min = 1, max = 64>], xf.sharding = #xf.sharding<[{"data"}, {}]>},
                   %y: tensor<?x8xf32> {xf.dims = [#xf.dim<name = "n", min = 1, max = 64>], xf.sharding = #xf.sharding<[{"sequence"}, {}]>}) -> tensor<?x8xf32> {
    return %x : tensor<?x8xf32>
  }
}

// -----

// Every second half of 4 x 8 rows and of 8 x 4 has other ranks.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @rows(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{}, {"data"}, {}]>},
                  // expected-note@+1 {{the sharding comes from here}}
                  %y: tensor<8x4x6xf32> {xf.sharding = #xf.sharding<[{}, {"data"}, {}]>}) -> tensor<32x6xf32> {
    %r = xf.reshape %x : tensor<4x8x6xf32> to tensor<32x6xf32>
    %s = xf.reshape %y : tensor<8x4x6xf32> to tensor<32x6xf32>
    // expected-remark@+1 {{every rank gathers operand #1, 'tensor<32x6xf32>', over {"data"}: 384 bytes}}
    %z = xf.add %r, %s : (tensor<32x6xf32>, tensor<32x6xf32>) -> tensor<32x6xf32>
    return %z : tensor<32x6xf32>
  }
}

// -----

// The first half of 4 x 8 rows is that of 8 x 4, and of 32: nothing is gathered.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @halves(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}]>},
                    %y: tensor<8x4x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}]>},
                    %w: tensor<32x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<32x6xf32> {
    %r = xf.reshape %x : tensor<4x8x6xf32> to tensor<32x6xf32>
    %s = xf.reshape %y : tensor<8x4x6xf32> to tensor<32x6xf32>
    %z = xf.add %r, %s : (tensor<32x6xf32>, tensor<32x6xf32>) -> tensor<32x6xf32>
    %a = xf.add %z, %w : (tensor<32x6xf32>, tensor<32x6xf32>) -> tensor<32x6xf32>
    return %a : tensor<32x6xf32>
  }
}

// -----

// A result that is declared whole is gathered; one of other axes is a contradiction.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @whole(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>})
      -> (tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {}]>}) {
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<4x8xf32>', over {"data"}: 64 bytes}}
    return %x : tensor<4x8xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  // expected-note@+1 {{{"data"} comes from here}}
  func.func @other(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>})
      -> (tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>}) {
    %y = xf.softmax %x : tensor<4x8xf32>
    // expected-error@+1 {{expected dimension 0 of result #0 to be sharded over {"sequence"}, as the function says, got {"data"}}}
    return %y : tensor<4x8xf32>
  }
}

// -----

// Zigzag chunks meet parts in order, which stay so: the elements are on other ranks.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{the sharding comes from here}}
  func.func @meet(%x: tensor<8xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 2}]>}, %y: tensor<8xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) -> tensor<8xf32> {
    // expected-remark@+1 {{every rank gathers operand #0, 'tensor<8xf32>', over {"data" zigzag 2}: 16 bytes}}
    %z = xf.add %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %z : tensor<8xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-error@+1 {{expected parts of a parameter or state in the order of ranks, got {"data" zigzag 2}}}
  func.func @parameter(%x: tensor<8xf32> {xf.parameter = "x", xf.sharding = #xf.sharding<[{"data" zigzag 2}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// A name has zigzag chunks everywhere or nowhere.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+2 {{here it is sharded over {"data" zigzag 2}}}
  // expected-error@+1 {{expected dimension 'n' to be sharded over {"data" zigzag 2} everywhere, got {"data"}}}
  func.func @names(%x: tensor<?xf32> {xf.dims = [#xf.dim<name = "n", min = 0, max = 64>], xf.sharding = #xf.sharding<[{"data" zigzag 2}]>}, %y: tensor<?xf32> {xf.dims = [#xf.dim<name = "n", min = 0, max = 64>], xf.sharding = #xf.sharding<[{"data"}]>}) -> tensor<?xf32> {
    %z = xf.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %z : tensor<?xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // expected-note@+1 {{{"data"} comes from here}}
  func.func @result(%x: tensor<8xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) -> (tensor<8xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 2}]>}) {
    // expected-error@+1 {{expected dimension 0 of result #0 to be sharded over {"data" zigzag 2}, as the function says, got {"data"}}}
    return %x : tensor<8xf32>
  }
}
