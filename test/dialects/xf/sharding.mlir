// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK: module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 0>}
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 0>} {
  // CHECK: func.func private @several(tensor<4x?x8xf32> {xf.sharding = #xf.sharding<[{"data", "sequence"}, {}, {}]>})
  func.func private @several(tensor<4x?x8xf32> {xf.sharding = #xf.sharding<[{"data", "sequence"}, {}, {}]>})
  // CHECK: func.func private @result() -> (tensor<3x5xf32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>})
  func.func private @result() -> (tensor<3x5xf32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>})
  // CHECK: func.func private @scalar(tensor<f32> {xf.sharding = #xf.sharding<[]>})
  func.func private @scalar(tensor<f32> {xf.sharding = #xf.sharding<[]>})
  // CHECK: func.func private @zigzag(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data" zigzag 2}]>})
  func.func private @zigzag(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data" zigzag 2}]>})
  // Programs of before the word are read.
  // CHECK: func.func private @dealt(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data" zigzag 2}]>})
  func.func private @dealt(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data" dealt 2}]>})
}
