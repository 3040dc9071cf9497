// A step of training: embeddings, a norm, products, a loss of which some targets count, gradients, AdamW.
module attributes {xf.mesh = #xf.mesh<"data" = 4>} {
  func.func @step(%ids: tensor<4x6xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %targets: tensor<4x6xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %table: tensor<9x4xf64> {xf.name = "table"}, %w: tensor<4xf64> {xf.name = "w"}, %u: tensor<8x4xf64> {xf.name = "u"},
                  %b: tensor<8xf64> {xf.name = "b"}, %d: tensor<4x8xf64> {xf.name = "d"},
                  %m: tensor<8x4xf64> {xf.state = "m", xf.name = "m"}, %v: tensor<8x4xf64> {xf.state = "v", xf.name = "v"},
                  %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x6xi32>, tensor<4x6xi32>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> tensor<f64>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf64>, tensor<f64>, tensor<i64>, tensor<f64>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>
  }
  func.func private @loss(%ids: tensor<4x6xi32>, %targets: tensor<4x6xi32>, %table: tensor<9x4xf64>, %w: tensor<4xf64>, %u: tensor<8x4xf64>, %b: tensor<8xf64>, %d: tensor<4x8xf64>) -> tensor<f64> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf64>, tensor<4x6xi32>) -> tensor<4x6x4xf64>
    %n = xf.rms_norm %x weight(%w : tensor<4xf64>) eps 1.0e-5 : tensor<4x6x4xf64> -> tensor<4x6x4xf64>
    %h = xf.linear %n, %u bias(%b : tensor<8xf64>) : (tensor<4x6x4xf64>, tensor<8x4xf64>) -> tensor<4x6x8xf64>
    %g = xf.silu %h : tensor<4x6x8xf64>
    %y = xf.linear %g, %d : (tensor<4x6x8xf64>, tensor<4x8xf64>) -> tensor<4x6x4xf64>
    %z = xf.add %x, %y : (tensor<4x6x4xf64>, tensor<4x6x4xf64>) -> tensor<4x6x4xf64>
    %l = xf.linear %z, %table : (tensor<4x6x4xf64>, tensor<9x4xf64>) -> tensor<4x6x9xf64>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x6xi1>, tensor<i32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x6x9xf64>, tensor<4x6xi32>) -> (tensor<f64>, tensor<4x6xf64>)
    return %loss : tensor<f64>
  }
}

// -----

// The same with tokens that ranks share.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  func.func @step(%ids: tensor<4x6xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %targets: tensor<4x6xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>},
                  %table: tensor<9x4xf64> {xf.name = "table"}, %w: tensor<4xf64> {xf.name = "w"}, %u: tensor<8x4xf64> {xf.name = "u"},
                  %b: tensor<8xf64> {xf.name = "b"}, %d: tensor<4x8xf64> {xf.name = "d"},
                  %m: tensor<8x4xf64> {xf.state = "m", xf.name = "m"}, %v: tensor<8x4xf64> {xf.state = "v", xf.name = "v"},
                  %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x6xi32>, tensor<4x6xi32>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> tensor<f64>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf64>, tensor<f64>, tensor<i64>, tensor<f64>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>
  }
  func.func private @loss(%ids: tensor<4x6xi32>, %targets: tensor<4x6xi32>, %table: tensor<9x4xf64>, %w: tensor<4xf64>, %u: tensor<8x4xf64>, %b: tensor<8xf64>, %d: tensor<4x8xf64>) -> tensor<f64> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf64>, tensor<4x6xi32>) -> tensor<4x6x4xf64>
    %n = xf.rms_norm %x weight(%w : tensor<4xf64>) eps 1.0e-5 : tensor<4x6x4xf64> -> tensor<4x6x4xf64>
    %h = xf.linear %n, %u bias(%b : tensor<8xf64>) : (tensor<4x6x4xf64>, tensor<8x4xf64>) -> tensor<4x6x8xf64>
    %g = xf.silu %h : tensor<4x6x8xf64>
    %y = xf.linear %g, %d : (tensor<4x6x8xf64>, tensor<4x8xf64>) -> tensor<4x6x4xf64>
    %z = xf.add %x, %y : (tensor<4x6x4xf64>, tensor<4x6x4xf64>) -> tensor<4x6x4xf64>
    %l = xf.linear %z, %table : (tensor<4x6x4xf64>, tensor<9x4xf64>) -> tensor<4x6x9xf64>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x6xi1>, tensor<i32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x6x9xf64>, tensor<4x6xi32>) -> (tensor<f64>, tensor<4x6xf64>)
    return %loss : tensor<f64>
  }
}

// -----

// The same with the hidden width of the products, and the state of its optimiser.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 2>} {
  func.func @step(%ids: tensor<4x6xi32> {xf.name = "ids", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %targets: tensor<4x6xi32> {xf.name = "targets", xf.range = array<i64: 0, 8>, xf.sharding = #xf.sharding<[{"data"}, {}]>},
                  %table: tensor<9x4xf64> {xf.name = "table"}, %w: tensor<4xf64> {xf.name = "w"}, %u: tensor<8x4xf64> {xf.name = "u", xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                  %b: tensor<8xf64> {xf.name = "b", xf.sharding = #xf.sharding<[{"tensor"}]>}, %d: tensor<4x8xf64> {xf.name = "d", xf.sharding = #xf.sharding<[{}, {"tensor"}]>},
                  %m: tensor<8x4xf64> {xf.state = "m", xf.name = "m", xf.sharding = #xf.sharding<[{"tensor"}, {}]>}, %v: tensor<8x4xf64> {xf.state = "v", xf.name = "v", xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                  %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>) {
    %loss, %g0, %g1, %g2, %g3, %g4 = xf.gradient @loss(%ids, %targets, %table, %w, %u, %b, %d) wrt [2, 3, 4, 5, 6] : (tensor<4x6xi32>, tensor<4x6xi32>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> (tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>)
    %clip = xf.clip_scale %g0, %g1, %g2, %g3, %g4 max_norm 0.5 : (tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>) -> tensor<f64>
    %nu, %nm, %nv = xf.adamw %u, %g2, %m, %v rate %rate step %t clip %clip betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x4xf64>, tensor<f64>, tensor<i64>, tensor<f64>
    return %loss, %g0, %g1, %nu, %g3, %g4, %nm, %nv : tensor<f64>, tensor<9x4xf64>, tensor<4xf64>, tensor<8x4xf64>, tensor<8xf64>, tensor<4x8xf64>, tensor<8x4xf64>, tensor<8x4xf64>
  }
  func.func private @loss(%ids: tensor<4x6xi32>, %targets: tensor<4x6xi32>, %table: tensor<9x4xf64>, %w: tensor<4xf64>, %u: tensor<8x4xf64>, %b: tensor<8xf64>, %d: tensor<4x8xf64>) -> tensor<f64> {
    %x = xf.embedding %table, %ids : (tensor<9x4xf64>, tensor<4x6xi32>) -> tensor<4x6x4xf64>
    %n = xf.rms_norm %x weight(%w : tensor<4xf64>) eps 1.0e-5 : tensor<4x6x4xf64> -> tensor<4x6x4xf64>
    %h = xf.linear %n, %u bias(%b : tensor<8xf64>) : (tensor<4x6x4xf64>, tensor<8x4xf64>) -> tensor<4x6x8xf64>
    %g = xf.silu %h : tensor<4x6x8xf64>
    %y = xf.linear %g, %d : (tensor<4x6x8xf64>, tensor<4x8xf64>) -> tensor<4x6x4xf64>
    %z = xf.add %x, %y : (tensor<4x6x4xf64>, tensor<4x6x4xf64>) -> tensor<4x6x4xf64>
    %l = xf.linear %z, %table : (tensor<4x6x4xf64>, tensor<9x4xf64>) -> tensor<4x6x9xf64>
    %c = arith.constant dense<5> : tensor<i32>
    %isFive = xf.compare eq %targets, %c : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi1>
    %no = arith.constant dense<-100> : tensor<i32>
    %some = xf.where %isFive, %no, %targets : (tensor<4x6xi1>, tensor<i32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %loss, %lse = xf.cross_entropy %l, %some : (tensor<4x6x9xf64>, tensor<4x6xi32>) -> (tensor<f64>, tensor<4x6xf64>)
    return %loss : tensor<f64>
  }
}

// -----

// The state of an optimiser that ranks share: each sums and updates its part of a parameter, which they then gather.
module attributes {xf.mesh = #xf.mesh<"data" = 4>} {
  func.func @shared_state(%x: tensor<4x6xf64> {xf.name = "x", xf.sharding = #xf.sharding<[{"data"}, {}]>}, %y: tensor<4x8xf64> {xf.name = "y", xf.sharding = #xf.sharding<[{"data"}, {}]>},
                          %w: tensor<8x6xf64> {xf.name = "w"}, %m: tensor<8x6xf64> {xf.name = "m", xf.state = "m", xf.sharding = #xf.sharding<[{"data"}, {}]>}, %v: tensor<8x6xf64> {xf.name = "v", xf.state = "v", xf.sharding = #xf.sharding<[{"data"}, {}]>},
                          %rate: tensor<f64> {xf.name = "rate"}, %t: tensor<i64> {xf.name = "t", xf.range = array<i64: 1, 9>})
      -> (tensor<f64>, tensor<8x6xf64> {xf.updates = "w"}, tensor<8x6xf64> {xf.updates = "m"}, tensor<8x6xf64> {xf.updates = "v"}) {
    %loss, %g = xf.gradient @error(%x, %y, %w) wrt [2] : (tensor<4x6xf64>, tensor<4x8xf64>, tensor<8x6xf64>) -> (tensor<f64>, tensor<8x6xf64>)
    %one = arith.constant dense<1.0> : tensor<f64>
    %nw, %nm, %nv = xf.adamw %w, %g, %m, %v rate %rate step %t clip %one betas 0.9, 0.999 eps 1.0e-08 decay 0.01 : tensor<8x6xf64>, tensor<f64>, tensor<i64>, tensor<f64>
    return %loss, %nw, %nm, %nv : tensor<f64>, tensor<8x6xf64>, tensor<8x6xf64>, tensor<8x6xf64>
  }
  func.func private @error(%x: tensor<4x6xf64>, %y: tensor<4x8xf64>, %w: tensor<8x6xf64>) -> tensor<f64> {
    %p = xf.linear %x, %w : (tensor<4x6xf64>, tensor<8x6xf64>) -> tensor<4x8xf64>
    %d = xf.sub %p, %y : (tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
    %s = xf.square %d : tensor<4x8xf64>
    %l = xf.reduce mean %s axes [0, 1] : tensor<4x8xf64> -> tensor<f64>
    return %l : tensor<f64>
  }
}
