// RUN: xfc %s --stop-after=memory --mcpu=x86-64-v3 -o - | FileCheck %s

// Three buffers of 4096 bytes of which two live at a time take two places, and no plan takes less.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: xft.arena_bound = 8192
// CHECK: %[[SIZE:.*]] = arith.constant 8192 : index
// CHECK-NEXT: xft.arena_size %[[SIZE]]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[NEXT:.*]] = arith.constant 4096 : index
// CHECK-DAG: xft.arena %[[ZERO]]
// CHECK-DAG: xft.arena %[[NEXT]]
func.func @chain(%x: tensor<32x32xf32> {xf.name = "x"}) -> (tensor<32x32xf32> {xf.name = "y"}) {
  %a = xf.softmax %x : tensor<32x32xf32>
  %b = xf.softmax %a : tensor<32x32xf32>
  %c = xf.softmax %b : tensor<32x32xf32>
  %y = xf.softmax %c : tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// What a handle holds of a parameter is no part of the arena.
// CHECK-LABEL: func.func @held
// CHECK-SAME: xft.arena_bound = 0
// CHECK: memref.alloc() {xft.held
func.func @held(%x: tensor<10x16xf32> {xf.name = "x"}, %w: tensor<32x16xf32> {xf.name = "w", xf.parameter = "w"}) -> (tensor<10x32xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<10x16xf32>, tensor<32x16xf32>) -> tensor<10x32xf32>
  return %y : tensor<10x32xf32>
}
