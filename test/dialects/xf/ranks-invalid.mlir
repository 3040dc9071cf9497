// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.all_reduce C1
func.func @nowhere(%x: tensor<4xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.all_reduce %x over ["data"] : tensor<4xf32>
  return
}

// -----

// xf.all_reduce C1
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @unknown(%x: tensor<4xf32>) {
    // expected-error @below {{expected axes of #xf.mesh<"data" = 2, "sequence" = 4>, each once and in its order, got ["tensor"]}}
    %y = xf.all_reduce %x over ["tensor"] : tensor<4xf32>
    return
  }
}

// -----

// xf.all_reduce C1
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @order(%x: tensor<4xf32>) {
    // expected-error @below {{each once and in its order, got ["sequence", "data"]}}
    %y = xf.all_reduce %x over ["sequence", "data"] : tensor<4xf32>
    return
  }
}

// -----

// xf.all_reduce C1
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @twice(%x: tensor<4xf32>) {
    // expected-error @below {{each once and in its order, got ["data", "data"]}}
    %y = xf.all_reduce %x over ["data", "data"] : tensor<4xf32>
    return
  }
}

// -----

// xf.all_reduce C1
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @none(%x: tensor<4xf32>) {
    // expected-error @below {{expected at least one axis of #xf.mesh<"data" = 2, "sequence" = 4>, got none}}
    %y = xf.all_reduce %x over [] : tensor<4xf32>
    return
  }
}

// -----

// xf.scan_states C1
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @order(%x: tensor<4xf32>) {
    // expected-error @below {{each once and in its order, got ["sequence", "data"]}}
    %y = xf.scan_states %x over ["sequence", "data"] : tensor<4xf32>
    return
  }
}

// -----

// xf.all_gather C1
func.func @nowhere(%x: tensor<4x3xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.all_gather %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<8x3xf32>
  return
}

// -----

// xf.all_gather C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @dimension(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected dim among the 2 dimensions of x, got 2}}
    %y = xf.all_gather %x dim 2 over ["data"] : tensor<4x3xf32> to tensor<8x3xf32>
    return
  }
}

// -----

// xf.all_gather C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shape(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected a result of shape}}
    %y = xf.all_gather %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<4x3xf32>
    return
  }
}

// -----

// xf.all_gather C3
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @types(%x: tensor<4x3xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.all_gather %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<8x3xf64>
    return
  }
}

// -----

// xf.all_gather C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @large(%x: tensor<9223372036854775807x0xi1>) {
    // expected-error @below {{2 times 9223372036854775807}}
    %y = xf.all_gather %x dim 0 over ["data"] : tensor<9223372036854775807x0xi1> to tensor<?x0xi1>
    return
  }
}

// -----

// xf.all_gather C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @chunks(%x: tensor<3x8xf32>) {
    // expected-error @below {{expected a part that 2 chunks divide, got 3}}
    %y = xf.all_gather %x dim 0 over ["data"] zigzag 2 : tensor<3x8xf32> to tensor<6x8xf32>
    return
  }
}
