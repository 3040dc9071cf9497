// RUN: xf-opt %s -xf-expand-rank-sums | FileCheck %s

// In the order `keys` ranks' summands are added in pairs.
module attributes {xf.mesh = #xf.mesh<"data" = 4, "other" = 3>, xf.keys_order} {
  // CHECK-LABEL: func.func @pairs(
  // CHECK: %[[ALL:.*]] = xf.all_gather {{.*}} : tensor<1x6xf32> to tensor<4x6xf32>
  // CHECK-COUNT-4: xf.slice %[[ALL]]
  // CHECK: xf.map (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}) -> tensor<6xf32>
  // CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK: %[[CD:.*]] = arith.addf %[[C]], %[[D]]
  // CHECK: arith.addf %[[AB]], %[[CD]]
  func.func @pairs(%x: tensor<6xf32>) -> tensor<6xf32> {
    %y = xf.all_reduce %x over ["data"] : tensor<6xf32>
    return %y : tensor<6xf32>
  }

  // Of a part, too.
  // CHECK-LABEL: func.func @part(
  // CHECK: xf.all_to_all
  // CHECK-NOT: xf.reduce
  // CHECK: xf.map
  func.func @part(%x: tensor<8xf32>) -> tensor<2xf32> {
    %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<8xf32> to tensor<2xf32>
    return %y : tensor<2xf32>
  }

  // Three have no pairs: what they share is exact in any order.
  // CHECK-LABEL: func.func @three(
  // CHECK: xf.reduce sum {{.*}} : tensor<3x6xf32> -> tensor<6xf32>
  func.func @three(%x: tensor<6xf32>) -> tensor<6xf32> {
    %y = xf.all_reduce %x over ["other"] : tensor<6xf32>
    return %y : tensor<6xf32>
  }
}
