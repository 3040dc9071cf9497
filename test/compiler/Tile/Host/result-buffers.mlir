// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v3 | FileCheck %s
// RUN: xf-run %s --entry=parts --target=reference --input=x=random\(1\) --input=w=random\(2\) --output=y=@%t.npy
// RUN: xf-run %s --entry=parts --input=x=random\(1\) --input=w=random\(2\) --expected-output=y=@%t.npy --rtol=1e-5 --atol=1e-6
// RUN: xf-run %s --entry=heads --target=reference --input=q=random\(1\) --output=y=@%t.y.npy --output=s=@%t.s.npy
// RUN: xf-run %s --entry=heads --input=q=random\(1\) --expected-output=y=@%t.y.npy --expected-output=s=@%t.s.npy --rtol=1e-5 --atol=1e-6

// Operands of a concatenation are computed into their parts of it; copied are one that is there twice, and one that is
// an argument.
// CHECK-LABEL: func.func @parts
// CHECK: %[[Y:.*]] = memref.alloc() : memref<6x28xf32>
// CHECK: %[[B:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0]
// CHECK: xft.launch @contract{{.*}} %[[B]] :
// CHECK: %[[SHARED:.*]] = memref.alloc() : memref<6x4xf32>
// CHECK: xft.launch @contract{{.*}} %[[SHARED]] :
// CHECK: %[[D:.*]] = memref.reinterpret_cast %[[Y]] to offset: [8]
// CHECK: xft.launch @softmax{{.*}} %[[D]],
// CHECK-COUNT-3: xft.launch @copy
// CHECK-NOT: xft.launch @copy
// CHECK: xft.launch @exp
func.func @parts(%x: tensor<6x8xf32> {xf.name = "x"}, %w: tensor<4x8xf32> {xf.name = "w"}) -> (tensor<6x28xf32> {xf.name = "y"}) {
  %a = xf.softmax %x : tensor<6x8xf32>
  %b = xf.linear %x, %w : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
  %c = xf.linear %a, %w : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
  %d = xf.softmax %x : tensor<6x8xf32>
  %y = xf.concat %b, %c, %d, %c, %x axis 1 : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x8xf32>, tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<6x28xf32>
  %z = xf.exp %y : tensor<6x28xf32>
  return %z : tensor<6x28xf32>
}

// What merges heads decides the order of the heads in memory, whoever else reads them.
// CHECK-LABEL: func.func @heads
// CHECK: memref.alloc() : memref<2x5x12xf32>
// CHECK-NOT: memref.alloc() : memref<2x3x5x4xf32>
// CHECK-NOT: xft.launch @copy
// CHECK: return
func.func @heads(%q: tensor<2x3x5x4xf32> {xf.name = "q"}) -> (tensor<2x5x12xf32> {xf.name = "y"}, tensor<2x3xf32> {xf.name = "s"}) {
  %o = xf.attention %q, %q, %q pattern(#xf.dense) : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  %m = xf.merge_heads %o : (tensor<2x3x5x4xf32>) -> tensor<2x5x12xf32>
  %y = xf.softmax %m : tensor<2x5x12xf32>
  %s = xf.reduce sum %o axes [2, 3] : tensor<2x3x5x4xf32> -> tensor<2x3xf32>
  return %y, %s : tensor<2x5x12xf32>, tensor<2x3xf32>
}
