// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share -split-input-file -verify-diagnostics

// A result that is to be shared, whose size the ranks do not divide.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @odd(%x: tensor<3xf32>) -> (tensor<3xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) {
    // expected-error@+1 {{expected a size that the 2 ranks of {"data"} divide in dimension 0 of result #0, got 3; shares of different sizes are not implemented}}
    return %x : tensor<3xf32>
  }
}
