// Two products, the second of which sums over "tensor"; biases, an activation, a mean.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @layer(%x: tensor<4x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %u: tensor<8x6xf64> {xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                   %d: tensor<6x8xf64> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %b: tensor<8xf64>, %c: tensor<6xf64>) -> (tensor<4x6xf64>, tensor<f64>) {
    %h = xf.linear %x, %u bias(%b : tensor<8xf64>) : (tensor<4x6xf64>, tensor<8x6xf64>) -> tensor<4x8xf64>
    %g = xf.tanh %h : tensor<4x8xf64>
    %y = xf.linear %g, %d bias(%c : tensor<6xf64>) : (tensor<4x8xf64>, tensor<6x8xf64>) -> tensor<4x6xf64>
    %s = xf.reduce mean %y axes [0, 1] : tensor<4x6xf64> -> tensor<f64>
    return %y, %s : tensor<4x6xf64>, tensor<f64>
  }
}

// -----

// Gathers over several axes, along other dimensions than the first; integers, which nobody adds.
module attributes {xf.mesh = #xf.mesh<"a" = 2, "b" = 2>} {
  func.func @gathers(%x: tensor<3x4x8xf64> {xf.sharding = #xf.sharding<[{}, {"b"}, {"a"}]>}, %y: tensor<4x8x3xf64> {xf.sharding = #xf.sharding<[{}, {"b", "a"}, {}]>}, %n: tensor<4x4xi64> {xf.sharding = #xf.sharding<[{"a"}, {"b"}]>})
      -> (tensor<3x4x8xf64>, tensor<3x4x8xf64> {xf.sharding = #xf.sharding<[{}, {}, {}]>}, tensor<4x8x3xf64> {xf.sharding = #xf.sharding<[{}, {}, {}]>}, tensor<4x4xi64> {xf.sharding = #xf.sharding<[{}, {}]>}) {
    %s = xf.softmax %x : tensor<3x4x8xf64>
    return %s, %x, %y, %n : tensor<3x4x8xf64>, tensor<3x4x8xf64>, tensor<4x8x3xf64>, tensor<4x4xi64>
  }
}

// -----

// A sum that is long enough for each rank to make a part of it.
module attributes {xf.mesh = #xf.mesh<"data" = 4>} {
  func.func @long(%x: tensor<8x5000xf64> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %y: tensor<8x3xf64> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> (tensor<5000xf64>, tensor<3xf64>) {
    %s = xf.reduce sum %x axes [0] : tensor<8x5000xf64> -> tensor<5000xf64>
    %t = xf.reduce sum %y axes [0] : tensor<8x3xf64> -> tensor<3xf64>
    return %s, %t : tensor<5000xf64>, tensor<3xf64>
  }
}

// -----

// Sizes that are known when it is called.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @sizes(%x: tensor<?x?x4xf64> {xf.dims = [#xf.dim<name = "batch", min = 2, max = 16>, #xf.dim<name = "tokens", min = 2, max = 64>], xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %w: tensor<8x4xf64>) -> (tensor<?x?x8xf64>, tensor<8xf64>, tensor<?x4xf64>) {
    %y = xf.linear %x, %w : (tensor<?x?x4xf64>, tensor<8x4xf64>) -> tensor<?x?x8xf64>
    %m = xf.reduce mean %y axes [0, 1] : tensor<?x?x8xf64> -> tensor<8xf64>
    %s = xf.reduce max %x axes [0] : tensor<?x?x4xf64> -> tensor<?x4xf64>
    return %y, %m, %s : tensor<?x?x8xf64>, tensor<8xf64>, tensor<?x4xf64>
  }
}

// -----

// Tokens of all entries of the batch in one dimension, and back.
module attributes {xf.mesh = #xf.mesh<"a" = 2, "b" = 2>} {
  func.func @merged(%x: tensor<4x6x8xf64> {xf.sharding = #xf.sharding<[{"a"}, {}, {}]>}, %v: tensor<24x8xf64> {xf.sharding = #xf.sharding<[{"a"}, {}]>}, %w: tensor<8x8xf64>) -> (tensor<4x6x8xf64>, tensor<24x8xf64>) {
    %r = xf.reshape %x : tensor<4x6x8xf64> to tensor<24x8xf64>
    %y = xf.linear %r, %w : (tensor<24x8xf64>, tensor<8x8xf64>) -> tensor<24x8xf64>
    %z = xf.reshape %y : tensor<24x8xf64> to tensor<4x6x8xf64>
    %p = xf.add %z, %x : (tensor<4x6x8xf64>, tensor<4x6x8xf64>) -> tensor<4x6x8xf64>
    %s = xf.add %y, %v : (tensor<24x8xf64>, tensor<24x8xf64>) -> tensor<24x8xf64>
    return %p, %s : tensor<4x6x8xf64>, tensor<24x8xf64>
  }
}

// -----

// Tokens of entries of which ranks have some tokens each, and the gradient: nothing is gathered.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @rows(%x: tensor<4x8x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %w: tensor<6x6xf64>, %dy: tensor<4x8x6xf64>) -> (tensor<4x8x6xf64>, tensor<4x8x6xf64>, tensor<6x6xf64>) {
    %y, %dx, %dw = xf.vjp @f(%x, %w) cotangents(%dy : tensor<4x8x6xf64>) wrt [0, 1] : (tensor<4x8x6xf64>, tensor<6x6xf64>) -> (tensor<4x8x6xf64>, tensor<4x8x6xf64>, tensor<6x6xf64>)
    return %y, %dx, %dw : tensor<4x8x6xf64>, tensor<4x8x6xf64>, tensor<6x6xf64>
  }
  func.func private @f(%x: tensor<4x8x6xf64>, %w: tensor<6x6xf64>) -> tensor<4x8x6xf64> {
    %r = xf.reshape %x : tensor<4x8x6xf64> to tensor<32x6xf64>
    %y = xf.linear %r, %w : (tensor<32x6xf64>, tensor<6x6xf64>) -> tensor<32x6xf64>
    %z = xf.reshape %y : tensor<32x6xf64> to tensor<4x8x6xf64>
    return %z : tensor<4x8x6xf64>
  }
}

// -----

// Such rows meet rows of other ranks, and an op that needs all.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @meets(%x: tensor<4x8x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}]>}, %y: tensor<32x6xf64>, %z: tensor<32x6xf64> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %u: tensor<32x6xf64> {xf.sharding = #xf.sharding<[{"sequence"}, {"data"}]>}) -> (tensor<32x6xf64>, tensor<32x6xf64>, tensor<32x6xf64>, tensor<6xf64>) {
    %r = xf.reshape %x : tensor<4x8x6xf64> to tensor<32x6xf64>
    %a = xf.mul %r, %y : (tensor<32x6xf64>, tensor<32x6xf64>) -> tensor<32x6xf64>
    %b = xf.mul %z, %r : (tensor<32x6xf64>, tensor<32x6xf64>) -> tensor<32x6xf64>
    %c = xf.mul %u, %r : (tensor<32x6xf64>, tensor<32x6xf64>) -> tensor<32x6xf64>
    %m = xf.reduce max %r axes [0] : tensor<32x6xf64> -> tensor<6xf64>
    return %a, %b, %c, %m : tensor<32x6xf64>, tensor<32x6xf64>, tensor<32x6xf64>, tensor<6xf64>
  }
}

// -----

// A mean of 16 bits, whose sum over ranks has no number of 16 bits.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @large_means(%x: tensor<4x3xf16> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<3xf16> {
    %zero = arith.constant dense<0.0> : tensor<f16>
    %large = arith.constant dense<4.0e+04> : tensor<f16>
    %z = xf.mul %x, %zero : (tensor<4x3xf16>, tensor<f16>) -> tensor<4x3xf16>
    %y = xf.add %z, %large : (tensor<4x3xf16>, tensor<f16>) -> tensor<4x3xf16>
    %m = xf.reduce mean %y axes [0] : tensor<4x3xf16> -> tensor<3xf16>
    return %m : tensor<3xf16>
  }
}
