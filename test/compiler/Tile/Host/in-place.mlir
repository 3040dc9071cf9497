// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// The last reader of a tensor, element by element, writes to its memory ..
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @chain(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = xf.softmax %x : tensor<64x64xf32>
  %b = xf.exp %a : tensor<64x64xf32>
  %c = xf.softmax %b : tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// .. but not one that reads other elements, nor one that is not the last, or sees the memory through a view.
// CHECK-LABEL: func.func @apart
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: return
func.func @apart(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a = xf.softmax %x : tensor<64x64xf32>
  %t = xf.transpose %a permutation [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
  %b = xf.add %a, %t : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = xf.exp %b : tensor<64x64xf32>
  %d = xf.softmax %b : tensor<64x64xf32>
  %e = xf.softmax %c : tensor<64x64xf32>
  return %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
}

// An epilogue adds to the memory of what it adds to.
// CHECK-LABEL: func.func @epilogue
// CHECK: %[[S:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: xft.launch @softmax{{.*}}(%{{.*}}, %[[S]]
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @epilogue(%x: tensor<64x8xf32>, %w: tensor<8x64xf32>, %r: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = xf.softmax %r : tensor<64x64xf32>
  %y = xf.product %x, %w epilogue(%p : f32, %e = %s : tensor<64x64xf32>) {
    %t = arith.addf %p, %e : f32
    xf.yield %t : f32
  } : (tensor<64x8xf32>, tensor<8x64xf32>) -> (tensor<64x64xf32>)
  %z = xf.softmax %y : tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}
