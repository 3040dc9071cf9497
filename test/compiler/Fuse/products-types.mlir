// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// Scalars are the accumulator's: nothing is rounded to 16 bits on the way.
// CHECK-LABEL: func.func @sixteen_bits
// CHECK: xf.product {{.*}} epilogue(%[[P:.*]] : f32, %[[B:.*]] = %{{.*}} : tensor<4xbf16>) {
// CHECK: %[[S:.*]] = arith.addf %[[P]], %[[B]] : f32
// CHECK: math.tanh %[[S]] : f32
// CHECK: } : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4xbf16>)
func.func @sixteen_bits(%x: tensor<2x3xbf16>, %w: tensor<4x3xbf16>, %b: tensor<4xbf16>) -> tensor<2x4xbf16> {
  %0 = xf.linear %x, %w bias(%b : tensor<4xbf16>) : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> tensor<2x4xbf16>
  %1 = xf.tanh %0 : tensor<2x4xbf16>
  return %1 : tensor<2x4xbf16>
}

// A result may be of another type than the product.
// CHECK-LABEL: func.func @cast_result
// CHECK: xf.product {{.*}} epilogue(%[[P:.*]] : f32) {
// CHECK-NEXT: xf.yield %[[P]] : f32
// CHECK: -> (tensor<2x4xf32>)
func.func @cast_result(%x: tensor<2x3xbf16>, %w: tensor<4x3xbf16>) -> tensor<2x4xf32> {
  %0 = xf.linear %x, %w : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> tensor<2x4xbf16>
  %1 = xf.cast %0 : tensor<2x4xbf16> to tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A cast that the program wrote rounds, and its result is a number of the accumulator's type again.
// CHECK-LABEL: func.func @narrowing_cast
// CHECK: xf.product {{.*}} epilogue(%[[P:.*]] : f32) {
// CHECK-NEXT: %[[C:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK-NEXT: %[[HI:.*]] = arith.extf %[[C]] : bf16 to f32
// CHECK-NEXT: %[[LO:.*]] = arith.subf %[[P]], %[[HI]] : f32
// CHECK-NEXT: xf.yield %[[LO]] : f32
func.func @narrowing_cast(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %y = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %c = xf.cast %y : tensor<2x4xf32> to tensor<2x4xbf16>
  %hi = xf.cast %c : tensor<2x4xbf16> to tensor<2x4xf32>
  %lo = xf.sub %y, %hi : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %lo : tensor<2x4xf32>
}

// Scalars of another type than the accumulator's are computed behind the product.
// CHECK-LABEL: func.func @from_f64
// CHECK: xf.product {{.*}} epilogue(%[[P:.*]] : f64) {
// CHECK-NEXT: xf.yield %[[P]] : f64
// CHECK: xf.map
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @from_f64(%x: tensor<2x3xf64>, %w: tensor<4x3xf64>) -> tensor<2x4xf32> {
  %y = xf.linear %x, %w : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  %c = xf.cast %y : tensor<2x4xf64> to tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @to_f64
// CHECK: xf.product
// CHECK: xf.map
// CHECK: arith.extf %{{.*}} : f32 to f64
func.func @to_f64(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf64> {
  %y = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %c = xf.cast %y : tensor<2x4xf32> to tensor<2x4xf64>
  return %c : tensor<2x4xf64>
}

// Products of 16-bit numbers are summed in f32 anyway: factors that were converted to it are read as they were. A factor
// that is f32 by itself is not, nor a pair of two types.
// CHECK-LABEL: func.func @widened_factors
// CHECK: xf.product
// CHECK: } : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> (tensor<2x4xf32>)
// CHECK: xf.product
// CHECK: } : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
// CHECK: xf.product
// CHECK: } : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
func.func @widened_factors(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>, %c: tensor<3x4xf32>, %d: tensor<3x4xf16>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %x = xf.cast %a : tensor<2x3xbf16> to tensor<2x3xf32>
  %y = xf.cast %b : tensor<3x4xbf16> to tensor<3x4xf32>
  %z = xf.cast %d : tensor<3x4xf16> to tensor<3x4xf32>
  %0 = xf.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = xf.matmul %x, %c : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = xf.matmul %x, %z : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
