// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.all_to_all C1
func.func @nowhere(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.all_to_all %x split 0 join 1 over ["data"] : tensor<4x8xf32> to tensor<2x16xf32>
  return
}

// -----

// xf.all_to_all C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @dimension(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected join among the 2 dimensions of x, got 2}}
    %y = xf.all_to_all %x split 0 join 2 over ["data"] : tensor<4x8xf32> to tensor<2x16xf32>
    return
  }
}

// -----

// xf.all_to_all C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @one(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected two dimensions, got 0 twice}}
    %y = xf.all_to_all %x split 0 join 0 over ["data"] : tensor<4x8xf32> to tensor<4x8xf32>
    return
  }
}

// -----

// xf.all_to_all C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @divide(%x: tensor<3x8xf32>) {
    // expected-error @below {{expected a size that 2 ranks divide, got 3}}
    %y = xf.all_to_all %x split 0 join 1 over ["data"] : tensor<3x8xf32> to tensor<1x16xf32>
    return
  }
}

// -----

// xf.all_to_all C2
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @shape(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected a result of shape}}
    %y = xf.all_to_all %x split 0 join 1 over ["data"] : tensor<4x8xf32> to tensor<4x8xf32>
    return
  }
}

// -----

// xf.all_to_all C3
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  func.func @types(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.all_to_all %x split 0 join 1 over ["data"] : tensor<4x8xf32> to tensor<2x16xf64>
    return
  }
}

// -----

// xf.return_reduce C1
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @axis(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected axes of #xf.mesh<"data" = 2>, each once and in its order, got ["tensor"]}}
    %y = xf.return_reduce %x for %x plan [1, 0, 0] over ["tensor"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x2x8xf32>
    return
  }
}

// -----

// xf.return_reduce C2
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @divide(%x: tensor<1x2x5x8xf32>) {
    // expected-error @below {{expected a size that 2 ranks divide, got 5}}
    %y = xf.return_reduce %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32> to tensor<1x2x2x8xf32>
    return
  }
}

// -----

// xf.return_reduce C3
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @types(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.return_reduce %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x2x8xf64>
    return
  }
}

// -----

// xf.return_reduce C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @plan(%x: tensor<1x2x8x8xf32>, %q: tensor<1x2x6x8xf32>) {
    // expected-error @below {{expected a part that 4 chunks divide, got 6}}
    %y = xf.return_reduce %x for %q plan [4, 0, 0] over ["data"] : tensor<1x2x8x8xf32>, tensor<1x2x6x8xf32> to tensor<1x2x4x8xf32>
    return
  }
}

// -----

// xf.return_reduce C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @divisor(%x: tensor<1x2x4x8xf32>, %q: tensor<1x2x2x8xf32>) {
    // expected-error @below {{expected a plan whose number #23 says a divisor, at least 1, got 0}}
    %y = xf.return_reduce %x for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x2x8xf32> to tensor<1x2x2x8xf32>
    return
  }
}

// -----

// xf.return_reduce C5
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @segments(%x: tensor<1x2x8x8xf32>, %q: tensor<1x2x4x8xf32>, %ids: tensor<1x8xi32>, %long: tensor<1x8xi64>) {
    // expected-error @below {{expected one element type}}
    %y = xf.return_reduce %x for %q segments(%ids, %long : tensor<1x8xi32>, tensor<1x8xi64>) plan [1, 0, 0] over ["data"] : tensor<1x2x8x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x4x8xf32>
    return
  }
}
