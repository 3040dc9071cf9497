// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share -split-input-file | FileCheck %s

// Of four slices a rank of two has two; what ranks have is added behind.
module attributes {xf.mesh = #xf.mesh<"data" = 2>, xf.keys_order} {
  // CHECK-LABEL: func.func @columns
  // CHECK-SAME: %[[X:.*]]: tensor<4x5xf32>
  // CHECK: %[[FLAT:.*]] = xf.reshape %[[X]] : tensor<4x5xf32> to tensor<20xf32>
  // CHECK: %[[FIRST:.*]] = xf.slice %[[FLAT]] offsets [0] strides [1] : tensor<20xf32> to tensor<10xf32>
  // CHECK: %[[ROWS:.*]] = xf.reshape %[[FIRST]] : tensor<10xf32> to tensor<2x5xf32>
  // CHECK: %[[A:.*]] = xf.reduce sum %[[ROWS]] axes [0] : tensor<2x5xf32> -> tensor<5xf32>
  // CHECK: xf.slice {{.*}} offsets [10]
  // CHECK: %[[B:.*]] = xf.reduce sum {{.*}} axes [0] : tensor<2x5xf32> -> tensor<5xf32>
  // CHECK: %[[P:.*]] = xf.map (%{{.*}} = %[[A]] : tensor<5xf32>, %{{.*}} = %[[B]] : tensor<5xf32>)
  // CHECK: %[[S:.*]] = xf.all_reduce %[[P]] over ["data"] : tensor<5xf32>
  // CHECK: return %[[S]]
  func.func @columns(%x: tensor<8x5xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<5xf32> {
    %s = xf.reduce sum %x axes [0] : tensor<8x5xf32> -> tensor<5xf32>
    return %s : tensor<5xf32>
  }

  // A bias is added to the sum, and results that are no sums are joined.
  // CHECK-LABEL: func.func @norm
  // CHECK: %[[D0:.*]], %[[W0:.*]] = xf.rms_norm_vjp {{.*}} tensor<2x6xf32>
  // CHECK: %[[D1:.*]], %[[W1:.*]] = xf.rms_norm_vjp {{.*}} tensor<2x6xf32>
  // CHECK: %[[DX:.*]] = xf.concat %[[D0]], %[[D1]] axis 0 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK: %[[W:.*]] = xf.map (%{{.*}} = %[[W0]] : tensor<6xf32>, %{{.*}} = %[[W1]] : tensor<6xf32>)
  // CHECK: %[[DW:.*]] = xf.all_reduce %[[W]] over ["data"]
  // CHECK: return %[[DX]], %[[DW]]
  func.func @norm(%x: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %w: tensor<6xf32>, %d: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> (tensor<8x6xf32>, tensor<6xf32>) {
    %dx, %dw = xf.rms_norm_vjp %x weight(%w : tensor<6xf32>), %d eps 1.0e-05 : tensor<8x6xf32>, tensor<8x6xf32> -> tensor<8x6xf32> weight(tensor<6xf32>)
    return %dx, %dw : tensor<8x6xf32>, tensor<6xf32>
  }

  // A norm is of whole gradients.
  // CHECK-LABEL: func.func @clip
  // CHECK: %[[ALL:.*]] = xf.all_gather %{{.*}} dim 0 over ["data"] : tensor<4x6xf32> to tensor<8x6xf32>
  // CHECK: xf.clip_scale %[[ALL]] max_norm
  func.func @clip(%g: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<f32> {
    %c = xf.clip_scale %g max_norm 1.0 : (tensor<8x6xf32>) -> tensor<f32>
    return %c : tensor<f32>
  }
}

// -----

// One rank has all four, and what it would send is left for the pipeline to take out.
module attributes {xf.mesh = #xf.mesh<"data" = 1>, xf.keys_order} {
  // CHECK-LABEL: func.func @product
  // CHECK-COUNT-4: } : (tensor<2x3xf32>, tensor<2x5xf32>) -> (tensor<3x5xf32>)
  // CHECK: %[[P:.*]] = xf.map (%[[A:.*]] = {{.*}}, %[[B:.*]] = {{.*}}, %[[C:.*]] = {{.*}}, %[[D:.*]] = {{.*}}) -> tensor<3x5xf32>
  // CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK: %[[CD:.*]] = arith.addf %[[C]], %[[D]]
  // CHECK: arith.addf %[[AB]], %[[CD]]
  // CHECK: xf.all_reduce %[[P]] over ["data"]
  func.func @product(%x: tensor<8x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %y: tensor<8x5xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<3x5xf32> {
    %p = xf.product %x transposed, %y epilogue(%e : f32) {
      xf.yield %e : f32
    } : (tensor<8x3xf32>, tensor<8x5xf32>) -> (tensor<3x5xf32>)
    return %p : tensor<3x5xf32>
  }
}

// -----

// Of two axes the last is summed first, for each slice of the other; a dimension that counts both is cut as both are.
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>, xf.keys_order} {
  // CHECK-LABEL: func.func @merged
  // CHECK-COUNT-2: xf.reduce sum {{.*}} axes [0] : tensor<1x3xf32> -> tensor<3xf32>
  // CHECK: %[[N0:.*]] = xf.all_reduce %{{.*}} over ["sequence"] : tensor<3xf32>
  // CHECK-COUNT-2: xf.reduce sum {{.*}} axes [0] : tensor<1x3xf32> -> tensor<3xf32>
  // CHECK: %[[N1:.*]] = xf.all_reduce %{{.*}} over ["sequence"] : tensor<3xf32>
  // CHECK: %[[B:.*]] = xf.map (%{{.*}} = %[[N0]] : tensor<3xf32>, %{{.*}} = %[[N1]] : tensor<3xf32>)
  // CHECK: %[[S:.*]] = xf.all_reduce %[[B]] over ["data"]
  // CHECK: return %[[S]]
  func.func @merged(%x: tensor<4x4x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}) -> tensor<3xf32> {
    %m = xf.reshape %x : tensor<4x4x3xf32> to tensor<16x3xf32>
    %s = xf.reduce sum %m axes [0] : tensor<16x3xf32> -> tensor<3xf32>
    return %s : tensor<3xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>, xf.keys_order} {
  // Ranks add along the last axis first, so a sum of parts along the first one would have other bits.
  // CHECK-LABEL: func.func @parts
  // CHECK: xf.all_reduce %{{.*}} over ["data", "sequence"] : tensor<8xf32>
  // CHECK-NEXT: xf.all_slice %{{.*}} dim 0 over ["data"]
  func.func @parts(%x: tensor<16x8xf32> {xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %m: tensor<8xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) -> (tensor<8xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) {
    %s = xf.reduce sum %x axes [0] : tensor<16x8xf32> -> tensor<8xf32>
    %y = xf.add %s, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %y : tensor<8xf32>
  }

  // CHECK-LABEL: func.func @last
  // CHECK: xf.reduce_scatter %{{.*}} dim 0 over ["sequence"]
  // CHECK-NEXT: xf.all_reduce %{{.*}} over ["data"] : tensor<4xf32>
  func.func @last(%x: tensor<16x8xf32> {xf.sharding = #xf.sharding<[{"data", "sequence"}, {}]>}, %m: tensor<8xf32> {xf.sharding = #xf.sharding<[{"sequence"}]>}) -> (tensor<8xf32> {xf.sharding = #xf.sharding<[{"sequence"}]>}) {
    %s = xf.reduce sum %x axes [0] : tensor<16x8xf32> -> tensor<8xf32>
    %y = xf.add %s, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %y : tensor<8xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 4>, xf.keys_order} {
  // Of 16 bits, the means of slices are weighted and added as f32.
  // CHECK-LABEL: func.func @means
  // CHECK: %[[MEAN:.*]] = xf.reduce mean %{{.*}} axes [0] : tensor<2x8xbf16> -> tensor<8xbf16>
  // CHECK-NEXT: %[[PART:.*]] = xf.map (%[[X:.*]] = %[[MEAN]] : tensor<8xbf16>) -> tensor<8xf32>
  // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK-NEXT: arith.mulf %[[WIDE]]
  // CHECK: %[[SUM:.*]] = xf.all_reduce %[[PART]] over ["data"] : tensor<8xf32>
  // CHECK-NEXT: xf.cast %[[SUM]] : tensor<8xf32> to tensor<8xbf16>
  func.func @means(%x: tensor<8x8xbf16> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> tensor<8xbf16> {
    %s = xf.reduce mean %x axes [0] : tensor<8x8xbf16> -> tensor<8xbf16>
    return %s : tensor<8xbf16>
  }
}

// -----

// Four heads, which eight ranks do not divide, are on all of them.
module attributes {xf.mesh = #xf.mesh<"tensor" = 8>, xf.keys_order} {
  // CHECK-LABEL: func.func @heads
  // CHECK: %[[X:.*]] = xf.all_gather %{{.*}} dim 2 over ["tensor"] : tensor<2x12x1xf32> to tensor<2x12x8xf32>
  // CHECK: %[[HEADS:.*]] = xf.split_heads %[[X]] heads 4
  // CHECK: xf.tanh %[[HEADS]] : tensor<2x4x12x2xf32>
  func.func @heads(%x: tensor<2x12x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"tensor"}]>}) -> tensor<2x4x12x2xf32> {
    %h = xf.split_heads %x heads 4 : (tensor<2x12x8xf32>) -> tensor<2x4x12x2xf32>
    %y = xf.tanh %h : tensor<2x4x12x2xf32>
    return %y : tensor<2x4x12x2xf32>
  }
}
