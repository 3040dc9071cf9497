// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.exchange_rows C1
func.func @nowhere(%x: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a module with 'xf.mesh', got none}}
  %y = xf.exchange_rows %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
  return
}

// -----

// xf.exchange_rows C2
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @rank(%x: tensor<2x4x8xf32>, %q: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected keys of rank 4}}
    %y = xf.exchange_rows %x for %q plan [1, 0, 0] over ["data"] : tensor<2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C2
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @shape(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a result of shape}}
    %y = xf.exchange_rows %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x4x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C3
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @types(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.exchange_rows %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf64>
    return
  }
}

// -----

// xf.exchange_rows C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @plan(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a plan whose number #0 says chunks, got its end}}
    %y = xf.exchange_rows %x for %x plan [] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @chunks(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a plan whose number #0 says chunks, 1 to 64, got 65}}
    %y = xf.exchange_rows %x for %x plan [65, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @cut(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a plan whose number #19 says how many conditions there are, got its end}}
    %y = xf.exchange_rows %x for %x plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @long(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a plan of 3 numbers, got 4}}
    %y = xf.exchange_rows %x for %x plan [1, 0, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @map(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected a plan whose number #4 says the width of an index map, 1 to 3, got 4}}
    %y = xf.exchange_rows %x for %x plan [1, 1, 1, 3, 4, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}

// -----

// xf.exchange_rows C5
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @segments(%x: tensor<1x2x4x8xf32>, %ids: tensor<1x4xi32>) {
    // expected-error @below {{expected query segments of shape [1, 8]}}
    %y = xf.exchange_rows %x for %x segments(%ids, %ids : tensor<1x4xi32>, tensor<1x4xi32>) plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x8x8xf32>
    return
  }
}
