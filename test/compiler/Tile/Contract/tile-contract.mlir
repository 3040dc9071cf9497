// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// Rows of all batches are one dimension; the weight is read as W^T; the bias is a row that repeats.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[X:.*]]: memref<2x50x16xf32> {{.*}}, %[[W:.*]]: memref<32x16xf32> {{.*}}, %[[B:.*]]: memref<32xf32> {{.*}}, %[[Y:.*]]: memref<2x50x32xf32>
// CHECK-DAG: %[[X2:.*]] = memref.reinterpret_cast %[[X]] to {{.*}} to memref<100x16xf32
// CHECK-DAG: %[[WT:.*]] = memref.reinterpret_cast %[[W]] to {{.*}} to memref<16x32xf32, strided<[1, 16]>>
// CHECK-DAG: %[[B2:.*]] = memref.reinterpret_cast %[[B]] to {{.*}} to memref<100x32xf32, strided<[0, 1]>>
// CHECK-DAG: %[[Y2:.*]] = memref.reinterpret_cast %[[Y]] to {{.*}} to memref<100x32xf32
// CHECK: xft.launch @[[LINEAR:.*]] tiles(%{{.*}}) (%[[X2]], %[[WT]], %[[B2]], %[[Y2]]
func.func @linear(%x: tensor<2x50x16xf32> {xf.name = "x"}, %w: tensor<32x16xf32> {xf.name = "w"}, %b: tensor<32xf32> {xf.name = "b"}) -> (tensor<2x50x32xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<32xf32>) : (tensor<2x50x16xf32>, tensor<32x16xf32>) -> tensor<2x50x32xf32>
  return %y : tensor<2x50x32xf32>
}

// Sizes are scalars of the launch: another shape, the same kernel, unless rows are few.
// CHECK-LABEL: func.func @other_sizes
// CHECK: xft.launch @[[LINEAR]] tiles
func.func @other_sizes(%x: tensor<100x7xf32> {xf.name = "x"}, %w: tensor<3x7xf32> {xf.name = "w"}, %b: tensor<3xf32> {xf.name = "b"}) -> (tensor<100x3xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<3xf32>) : (tensor<100x7xf32>, tensor<3x7xf32>) -> tensor<100x3xf32>
  return %y : tensor<100x3xf32>
}

// A transposed left factor is read in place: no copy, no second launch.
// CHECK-LABEL: func.func @transposed_left
// CHECK: memref.reinterpret_cast %{{.*}} to memref<5x9xf32, strided<[1, 5]>>
// CHECK: xft.launch
// CHECK-NOT: xft.launch
// CHECK: return
func.func @transposed_left(%a: tensor<9x5xf32> {xf.name = "a"}, %b: tensor<9x4xf32> {xf.name = "b"}) -> (tensor<5x4xf32> {xf.name = "y"}) {
  %y = xf.matmul %a transposed, %b : (tensor<9x5xf32>, tensor<9x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// A result that is wanted transposed is computed as B^T A^T.
// CHECK-LABEL: func.func @transposed_result
// CHECK-SAME: %[[A:.*]]: memref<5x9xf32> {{.*}}, %[[B:.*]]: memref<9x4xf32> {{.*}}, %[[Y:.*]]: memref<4x5xf32>
// CHECK-DAG: %[[BT:.*]] = memref.reinterpret_cast %[[B]] to {{.*}} to memref<4x9xf32, strided<[1, 4]>>
// CHECK-DAG: %[[AT:.*]] = memref.reinterpret_cast %[[A]] to {{.*}} to memref<9x5xf32, strided<[1, 9]>>
// CHECK: xft.launch @{{.*}} tiles(%{{.*}}) (%[[BT]], %[[AT]], %[[Y]]
// CHECK-NOT: xft.launch
// CHECK: return
func.func @transposed_result(%a: tensor<5x9xf32> {xf.name = "a"}, %b: tensor<9x4xf32> {xf.name = "b"}) -> (tensor<4x5xf32> {xf.name = "y"}) {
  %0 = xf.matmul %a, %b : (tensor<5x9xf32>, tensor<9x4xf32>) -> tensor<5x4xf32>
  %y = xf.transpose %0 permutation [1, 0] : tensor<5x4xf32> to tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// An epilogue moves into the kernel's region; a residual is an operand with C's strides.
// CHECK-LABEL: func.func @epilogue
// CHECK: xft.launch @[[EPILOGUE:.*]] tiles
// CHECK-NOT: xft.launch
// CHECK: return
func.func @epilogue(%x: tensor<5x16xf32> {xf.name = "x"}, %w: tensor<32x16xf32> {xf.name = "w"}, %r: tensor<5x32xf32> {xf.name = "r"}) -> (tensor<5x32xf32> {xf.name = "y"}, tensor<5x32xf32> {xf.name = "u"}) {
  %y:2 = xf.product %x, %w transposed epilogue(%p : f32, %e = %r : tensor<5x32xf32>) {
    %s = arith.addf %p, %e : f32
    %t = math.tanh %s : f32
    xf.yield %t, %s : f32, f32
  } : (tensor<5x16xf32>, tensor<32x16xf32>) -> (tensor<5x32xf32>, tensor<5x32xf32>)
  return %y#0, %y#1 : tensor<5x32xf32>, tensor<5x32xf32>
}

// A parameter has two products: one packs it in every call, one reads panels that the handle keeps and fills once.
// CHECK-LABEL: func.func @parameter
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<10x16xf32> {{.*}}, %[[W:[a-z0-9]+]]: memref<32x16xf32>
// CHECK: %[[PANELS:.*]] = memref.alloc() {xft.held = "fc.weight 16 32 1 16 0 panels of 16 f32"} : memref<2x16x16xf32>
// CHECK: %[[WT:.*]] = memref.reinterpret_cast %[[W]] to {{.*}} to memref<16x32xf32, strided<[1, 16]>>
// CHECK: xft.launch @[[PACK:pack_panels.*]] tiles(%{{.*}}) (%[[WT]], %[[PANELS]] {{.*}}) {xft.fills_held}
// CHECK: xft.launch @contract_{{.*}} {xft.if_not_held}
// CHECK: xft.launch @contract_{{.*}} {xft.if_held}
func.func @parameter(%x: tensor<10x16xf32> {xf.name = "x"}, %w: tensor<32x16xf32> {xf.name = "w", xf.parameter = "fc.weight"}) -> (tensor<10x32xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<10x16xf32>, tensor<32x16xf32>) -> tensor<10x32xf32>
  return %y : tensor<10x32xf32>
}

// An entry that changes the parameter reads it itself.
// CHECK-LABEL: func.func @updated_parameter
// CHECK-NOT: xft.held
// CHECK: return
func.func @updated_parameter(%x: tensor<10x16xf32> {xf.name = "x"}, %w: tensor<32x16xf32> {xf.name = "w", xf.parameter = "fc.weight"})
    -> (tensor<10x32xf32> {xf.name = "y"}, tensor<32x16xf32> {xf.name = "w", xf.updates = "w"}) {
  %y = xf.linear %x, %w : (tensor<10x16xf32>, tensor<32x16xf32>) -> tensor<10x32xf32>
  %w1 = xf.neg %w : tensor<32x16xf32>
  return %y, %w1 : tensor<10x32xf32>, tensor<32x16xf32>
}

// CHECK: func.func private @[[LINEAR]]({{.*}}memref<?x?xf32, strided<[?, 1]>>, {{.*}}memref<?x?xf32, strided<[1, ?]>>, {{.*}}memref<?x?xf32, strided<[0, 1]>>
// CHECK: xft.contract {{.*}} rows 6 columns 16
// CHECK: arith.addf
// CHECK: func.func private @[[EPILOGUE]]
// Five rows are one tile of five.
// CHECK: xft.contract {{.*}} ins(%{{.*}}) outs(%{{.*}}, %{{.*}}) rows 5 columns 16
// CHECK: math.tanh
