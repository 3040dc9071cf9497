// RUN: xf-opt %s --xf-propagate-shardings | FileCheck %s

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4, "tensor" = 2>} {
  // Rows are kept, element by element and in norms; what broadcasts is whole.
  // CHECK-LABEL: func.func @rows
  // CHECK-SAME: -> (tensor<4x8x6xf32> {xf.sharding = #[[ROWS:.*]]})
  func.func @rows(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %b: tensor<6xf32>, %w: tensor<6xf32>) -> tensor<4x8x6xf32> {
    // CHECK: xf.exp {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %e = xf.exp %x : tensor<4x8x6xf32>
    // CHECK: xf.add {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %a = xf.add %e, %b : (tensor<4x8x6xf32>, tensor<6xf32>) -> tensor<4x8x6xf32>
    // CHECK: xf.rms_norm {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %n = xf.rms_norm %a weight(%w : tensor<6xf32>) eps 1.0e-5 : tensor<4x8x6xf32> -> tensor<4x8x6xf32>
    return %n : tensor<4x8x6xf32>
  }

  // A factor that the product lacks is summed: over "tensor" of a second product, over the tokens for a weight's gradient.
  // CHECK-LABEL: func.func @products
  func.func @products(%x: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %u: tensor<10x6xf32> {xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                      %d: tensor<6x10xf32> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}) -> (tensor<8x6xf32>, tensor<10x6xf32>) {
    // CHECK: xf.linear {{.*}} {shardings = [#xf.sharding<[{"data"}, {"tensor"}]>]}
    %h = xf.linear %x, %u : (tensor<8x6xf32>, tensor<10x6xf32>) -> tensor<8x10xf32>
    // CHECK: xf.linear {{.*}} {shardings = [#xf.sharding<[{"data"}, {}]>], sums = {{\[\[}}"tensor"]]}
    %y = xf.linear %h, %d : (tensor<8x10xf32>, tensor<6x10xf32>) -> tensor<8x6xf32>
    // CHECK: xf.matmul {{.*}} {shardings = [#xf.sharding<[{"tensor"}, {}]>], sums = {{\[\[}}"data"]]}
    %g = xf.matmul %h transposed, %x : (tensor<8x10xf32>, tensor<8x6xf32>) -> tensor<10x6xf32>
    return %y, %g : tensor<8x6xf32>, tensor<10x6xf32>
  }

  // The sequence of queries and that of keys are one factor.
  // CHECK-LABEL: func.func @attention
  func.func @attention(%x: tensor<2x16x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}) -> tensor<2x16x8xf32> {
    // CHECK: xf.split_heads {{.*}} {shardings = [#xf.sharding<[{"data"}, {}, {"sequence"}, {}]>]}
    %h = xf.split_heads %x heads 2 : (tensor<2x16x8xf32>) -> tensor<2x2x16x4xf32>
    // CHECK: xf.attention {{.*}} {shardings = [#xf.sharding<[{"data"}, {}, {"sequence"}, {}]>]}
    %o = xf.attention %h, %h, %h pattern(#xf.causal) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    // CHECK: xf.merge_heads {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %m = xf.merge_heads %o : (tensor<2x2x16x4xf32>) -> tensor<2x16x8xf32>
    return %m : tensor<2x16x8xf32>
  }

  // Ids and losses.
  // CHECK-LABEL: func.func @model
  func.func @model(%ids: tensor<4x8xi32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>}, %table: tensor<32x6xf32>) -> tensor<f32> {
    // CHECK: xf.embedding {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %x = xf.embedding %table, %ids : (tensor<32x6xf32>, tensor<4x8xi32>) -> tensor<4x8x6xf32>
    %l = xf.linear %x, %table : (tensor<4x8x6xf32>, tensor<32x6xf32>) -> tensor<4x8x32xf32>
    // CHECK: xf.cross_entropy {{.*}} {shardings = [#xf.sharding<[]>, #xf.sharding<[{"data"}, {"sequence"}]>], sums = {{\[\[}}"data", "sequence"], []]}
    %loss, %lse = xf.cross_entropy %l, %ids : (tensor<4x8x32xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
    return %loss : tensor<f32>
  }

  // Dimensions that a reshape, a slice or a transpose keeps.
  // CHECK-LABEL: func.func @shapes
  func.func @shapes(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {}]>}) -> tensor<4x3x4xf32> {
    // CHECK: xf.reshape {{.*}} {shardings = [#xf.sharding<[{"data"}, {}]>]}
    %r = xf.reshape %x : tensor<4x8x6xf32> to tensor<4x48xf32>
    // CHECK: xf.reshape {{.*}} {shardings = [#xf.sharding<[{"data"}, {}, {}]>]}
    %s = xf.reshape %r : tensor<4x48xf32> to tensor<4x12x4xf32>
    // CHECK: xf.slice {{.*}} {shardings = [#xf.sharding<[{"data"}, {}, {}]>]}
    %c = xf.slice %s offsets [0, 2, 0] strides [1, 1, 1] : tensor<4x12x4xf32> to tensor<4x3x4xf32>
    // CHECK: xf.transpose {{.*}} {shardings = [#xf.sharding<[{}, {"data"}, {}]>]}
    %t = xf.transpose %c permutation [1, 0, 2] : tensor<4x3x4xf32> to tensor<3x4x4xf32>
    // CHECK: xf.transpose {{.*}} {shardings = [#xf.sharding<[{"data"}, {}, {}]>]}
    %u = xf.transpose %t permutation [1, 0, 2] : tensor<3x4x4xf32> to tensor<4x3x4xf32>
    return %u : tensor<4x3x4xf32>
  }

  // Rows of a batch are sharded over the axes of both dimensions that they count, and summed over both.
  // CHECK-LABEL: func.func @gradient
  func.func @gradient(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %d: tensor<4x8x5xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}) -> tensor<5x6xf32> {
    // CHECK: xf.reshape {{.*}} {shardings = [#xf.sharding<[{"data", "sequence"}, {}]>]}
    %r = xf.reshape %x : tensor<4x8x6xf32> to tensor<32x6xf32>
    // CHECK: xf.reshape {{.*}} {shardings = [#xf.sharding<[{"data", "sequence"}, {}]>]}
    %s = xf.reshape %d : tensor<4x8x5xf32> to tensor<32x5xf32>
    // CHECK: xf.matmul {{.*}} {sums = {{\[\[}}"data", "sequence"]]}
    %w = xf.matmul %s transposed, %r : (tensor<32x5xf32>, tensor<32x6xf32>) -> tensor<5x6xf32>
    return %w : tensor<5x6xf32>
  }

  // What a product sums makes summands, whatever its epilogue is.
  // CHECK-LABEL: func.func @epilogues
  func.func @epilogues(%a: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{}, {"data"}]>}, %b: tensor<5x6xf32>, %c: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
    // CHECK: xf.product
    // CHECK: } {sums = {{\[\[}}"data"]]}
    %y = xf.product %a, %b transposed epilogue(%p : f32, %e = %c : tensor<8x5xf32>) {
      %half = arith.constant 0.5 : f32
      %m = arith.mulf %p, %half : f32
      %s = arith.addf %e, %m : f32
      xf.yield %s : f32
    } : (tensor<8x6xf32>, tensor<5x6xf32>) -> (tensor<8x5xf32>)
    // CHECK: xf.product
    // CHECK: } {sums = {{\[\[}}"data"]]}
    %z = xf.product %a, %b transposed epilogue(%p : f32) {
      %m = arith.mulf %p, %p : f32
      xf.yield %m : f32
    } : (tensor<8x6xf32>, tensor<5x6xf32>) -> (tensor<8x5xf32>)
    return %y, %z : tensor<8x5xf32>, tensor<8x5xf32>
  }

  // A whole operand that meets a sharded one is cut: nothing travels.
  // CHECK-LABEL: func.func @positions
  func.func @positions(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %p: tensor<8x6xf32>) -> tensor<4x8x6xf32> {
    // CHECK: xf.add {{.*}} {shardings = [#xf.sharding<[{"data"}, {"sequence"}, {}]>]}
    %a = xf.add %x, %p : (tensor<4x8x6xf32>, tensor<8x6xf32>) -> tensor<4x8x6xf32>
    return %a : tensor<4x8x6xf32>
  }

  // What does not meet a sharded value has no sharding.
  // CHECK-LABEL: func.func @apart
  // CHECK-NOT: shardings
  func.func @apart(%x: tensor<4xf32> {xf.sharding = #xf.sharding<[{"data"}]>}, %y: tensor<4xf32>) -> tensor<4xf32> {
    %e = xf.exp %y : tensor<4xf32>
    return %e : tensor<4xf32>
  }
}
