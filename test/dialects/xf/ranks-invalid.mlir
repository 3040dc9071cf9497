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

// xf.bring_home C1
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @axis(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected axes of #xf.mesh<"data" = 2>, each once and in its order, got ["tensor"]}}
    %y = xf.bring_home %x for %x plan [1, 0, 0] over ["tensor"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x2x8xf32>
    return
  }
}

// -----

// xf.bring_home C2
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @divide(%x: tensor<1x2x5x8xf32>) {
    // expected-error @below {{expected a size that 2 ranks divide, got 5}}
    %y = xf.bring_home %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32> to tensor<1x2x2x8xf32>
    return
  }
}

// -----

// xf.bring_home C3
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @types(%x: tensor<1x2x4x8xf32>) {
    // expected-error @below {{expected one element type}}
    %y = xf.bring_home %x for %x plan [1, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x2x8xf64>
    return
  }
}

// -----

// xf.all_gather C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @chunks(%x: tensor<3x8xf32>) {
    // expected-error @below {{expected a part that 2 chunks divide, got 3}}
    %y = xf.all_gather %x dim 0 over ["data"] dealt 2 : tensor<3x8xf32> to tensor<6x8xf32>
    return
  }
}

// -----

// xf.all_slice C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @chunks(%x: tensor<4x8xf32>) {
    // expected-error @below {{expected 2 to 64 chunks of each rank, got 0}}
    %y = xf.all_slice %x dim 0 over ["data"] dealt 0 : tensor<4x8xf32> to tensor<2x8xf32>
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

// xf.bring_home C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @plan(%x: tensor<1x2x8x8xf32>, %q: tensor<1x2x6x8xf32>) {
    // expected-error @below {{expected a part that 4 chunks divide, got 6}}
    %y = xf.bring_home %x for %q plan [4, 0, 0] over ["data"] : tensor<1x2x8x8xf32>, tensor<1x2x6x8xf32> to tensor<1x2x4x8xf32>
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

// xf.bring_home C4
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @divisor(%x: tensor<1x2x4x8xf32>, %q: tensor<1x2x2x8xf32>) {
    // expected-error @below {{expected a plan whose number #23 says a divisor, at least 1, got 0}}
    %y = xf.bring_home %x for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] over ["data"] : tensor<1x2x4x8xf32>, tensor<1x2x2x8xf32> to tensor<1x2x2x8xf32>
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

// -----

// xf.bring_home C5
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  func.func @segments(%x: tensor<1x2x8x8xf32>, %q: tensor<1x2x4x8xf32>, %ids: tensor<1x8xi32>, %long: tensor<1x8xi64>) {
    // expected-error @below {{expected one element type}}
    %y = xf.bring_home %x for %q segments(%ids, %long : tensor<1x8xi32>, tensor<1x8xi64>) plan [1, 0, 0] over ["data"] : tensor<1x2x8x8xf32>, tensor<1x2x4x8xf32> to tensor<1x2x4x8xf32>
    return
  }
}
