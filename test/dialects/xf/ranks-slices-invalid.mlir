// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.reduce_scatter C1
func.func @nowhere(%x: tensor<4x3xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
  return
}

// -----

// xf.reduce_scatter C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @dimension(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected dim among the 2 dimensions of x, got 2}}
    %y = xf.reduce_scatter %x dim 2 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
    return
  }
}

// -----

// xf.reduce_scatter C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @divide(%x: tensor<5x3xf32>) {
    // expected-error @below {{expected a size that 2 ranks divide, got 5}}
    %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<5x3xf32> to tensor<2x3xf32>
    return
  }
}

// -----

// xf.reduce_scatter C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shape(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected a result of shape}}
    %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<4x3xf32>
    return
  }
}

// -----

// xf.reduce_scatter C3
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @types(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf64>
    return
  }
}

// -----

// xf.all_slice C1
func.func @nowhere(%x: tensor<4x3xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.all_slice %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
  return
}

// -----

// xf.all_slice C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @dimension(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected dim among the 2 dimensions of x, got 2}}
    %y = xf.all_slice %x dim 2 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
    return
  }
}

// -----

// xf.all_slice C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @divide(%x: tensor<5x3xf32>) {
    // expected-error @below {{expected a size that 2 ranks divide, got 5}}
    %y = xf.all_slice %x dim 0 over ["data"] : tensor<5x3xf32> to tensor<2x3xf32>
    return
  }
}

// -----

// xf.all_slice C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shape(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected a result of shape}}
    %y = xf.all_slice %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<4x3xf32>
    return
  }
}

// -----

// xf.all_slice C3
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @types(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.all_slice %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf64>
    return
  }
}

// -----

// xf.all_slice C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @chunks(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected 1 to 64 chunks of each rank, got 0}}
    %y = xf.all_slice %x dim 0 over ["data"] zigzag 0 : tensor<4x8xf32> to tensor<2x8xf32>
    return
  }
}
