// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// Dimensions that lie as one are one row, which is cut into blocks of columns.
// CHECK-LABEL: func.func @merged_dimensions
// CHECK: memref.reinterpret_cast %{{.*}} to memref<1x983040xf32, strided<[0, 1]>>
// CHECK: xft.launch @[[EXP:exp_[0-9a-f]+]] tiles(%[[TILES:.*]]) ({{.*}}, %[[TILES]] : {{.*}})
// CHECK-NOT: xft.launch
func.func @merged_dimensions(%x: tensor<2x640x768xf32> {xf.name = "x"}) -> (tensor<2x640x768xf32> {xf.name = "y"}) {
  %y = xf.exp %x : tensor<2x640x768xf32>
  return %y : tensor<2x640x768xf32>
}

// Sizes are scalars of the launch: another shape, the same kernel.
// CHECK-LABEL: func.func @shared_kernel
// CHECK: xft.launch @[[EXP]] tiles
func.func @shared_kernel(%x: tensor<3x5000xf32> {xf.name = "x"}) -> (tensor<3x5000xf32> {xf.name = "y"}) {
  %y = xf.exp %x : tensor<3x5000xf32>
  return %y : tensor<3x5000xf32>
}

// Broadcasting is a stride of 0.
// CHECK-LABEL: func.func @broadcast
// CHECK: memref.reinterpret_cast %{{.*}} to memref<6x4xf32, strided<[0, 1]>>
// CHECK: xft.launch @add
func.func @broadcast(%x: tensor<2x3x4xf32> {xf.name = "x"}, %b: tensor<4xf32> {xf.name = "b"}) -> (tensor<2x3x4xf32> {xf.name = "y"}) {
  %y = xf.add %x, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// The columns of a transposed operand are apart; the output's are contiguous.
// CHECK-LABEL: func.func @transposed
// CHECK: memref.reinterpret_cast %{{.*}} to memref<200x100xf32, strided<[1, 200]>>
// CHECK: xft.launch @exp{{.*}} : memref<200x100xf32>, memref<200x100xf32, strided<[1, 200]>>
// CHECK-NOT: xft.launch
func.func @transposed(%x: tensor<100x200xf32> {xf.name = "x"}) -> (tensor<200x100xf32> {xf.name = "y"}) {
  %t = xf.transpose %x permutation [1, 0] : tensor<100x200xf32> to tensor<200x100xf32>
  %y = xf.exp %t : tensor<200x100xf32>
  return %y : tensor<200x100xf32>
}

// A parameter is replaced in its own memory.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[P:[^:]*]]: memref<8xf32> {xf.name = "p"}
// CHECK-NOT: memref.alloc
// CHECK: xft.launch @adamw
// CHECK-NOT: xft.launch
func.func @in_place(%p: tensor<8xf32> {xf.name = "p"}, %g: tensor<8xf32> {xf.name = "g"}, %m: tensor<8xf32> {xf.name = "m"},
                    %v: tensor<8xf32> {xf.name = "v"}, %rate: tensor<f32> {xf.name = "rate"}, %step: tensor<i64> {xf.name = "step"},
                    %clip: tensor<f32> {xf.name = "clip"})
    -> (tensor<8xf32> {xf.name = "new_p", xf.updates = "p"}, tensor<8xf32> {xf.name = "new_m", xf.updates = "m"},
        tensor<8xf32> {xf.name = "new_v", xf.updates = "v"}) {
  %np, %nm, %nv = xf.adamw %p, %g, %m, %v rate %rate step %step clip %clip betas 0.9, 0.999 eps 1.0e-8 decay 0.1
    : tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %np, %nm, %nv : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A master is one more tensor of the one pass, and is replaced in place like the others.
// CHECK-LABEL: func.func @master
// CHECK-SAME: %[[P:[^:]*]]: memref<8xbf16> {xf.name = "p"}
// CHECK-NOT: memref.alloc
// CHECK: xft.launch @adamw{{.*}} : memref<1x8xbf16{{.*}}>, memref<1x8xbf16{{.*}}>, memref<1x8xf32{{.*}}>
// CHECK-NOT: xft.launch
// CHECK: return
func.func @master(%p: tensor<8xbf16> {xf.name = "p"}, %g: tensor<8xbf16> {xf.name = "g"}, %m: tensor<8xf32> {xf.name = "m"},
                  %v: tensor<8xf32> {xf.name = "v"}, %w: tensor<8xf32> {xf.name = "w"}, %rate: tensor<f32> {xf.name = "rate"},
                  %step: tensor<i64> {xf.name = "step"}, %clip: tensor<f32> {xf.name = "clip"})
    -> (tensor<8xbf16> {xf.name = "new_p", xf.updates = "p"}, tensor<8xf32> {xf.name = "new_m", xf.updates = "m"},
        tensor<8xf32> {xf.name = "new_v", xf.updates = "v"}, tensor<8xf32> {xf.name = "new_w", xf.updates = "w"}) {
  %np, %nm, %nv, %nw = xf.adamw %p, %g, %m, %v master %w rate %rate step %step clip %clip betas 0.9, 0.999 eps 1.0e-8 decay 0.1
    : tensor<8xbf16> master tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %np, %nm, %nv, %nw : tensor<8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Gradients of the weight are sums of 8 slices of 64 rows, added by a second launch.
// CHECK-LABEL: func.func @weight_gradients
// CHECK-COUNT-2: memref.alloc() : memref<8x768xf32>
// CHECK: xft.launch @layer_norm_vjp
// CHECK-COUNT-2: xft.launch @reduce_rows
// CHECK-NOT: xft.launch
func.func @weight_gradients(%x: tensor<512x768xf32> {xf.name = "x"}, %w: tensor<768xf32> {xf.name = "w"}, %g: tensor<512x768xf32> {xf.name = "g"})
    -> (tensor<512x768xf32> {xf.name = "dx"}, tensor<768xf32> {xf.name = "dw"}, tensor<768xf32> {xf.name = "db"}) {
  %dx, %dw, %db = xf.layer_norm_vjp %x weight(%w : tensor<768xf32>), %g eps 1.0e-5
    : tensor<512x768xf32>, tensor<512x768xf32> -> tensor<512x768xf32> weight(tensor<768xf32>) bias(tensor<768xf32>)
  return %dx, %dw, %db : tensor<512x768xf32>, tensor<768xf32>, tensor<768xf32>
}

// Few rows are one slice, whose accumulators are the result.
// CHECK-LABEL: func.func @one_slice
// CHECK-NOT: memref.alloc
// CHECK: xft.launch @reduce_rows
// CHECK-NOT: xft.launch
func.func @one_slice(%x: tensor<100x768xf32> {xf.name = "x"}) -> (tensor<768xf32> {xf.name = "y"}) {
  %y = xf.reduce sum %x axes [0] : tensor<100x768xf32> -> tensor<768xf32>
  return %y : tensor<768xf32>
}

// Sums over the columns are one launch, a mean's division included.
// CHECK-LABEL: func.func @mean_of_columns
// CHECK: xft.launch @reduce_columns
// CHECK-NOT: xft.launch
func.func @mean_of_columns(%x: tensor<100x768xf32> {xf.name = "x"}) -> (tensor<100xf32> {xf.name = "y"}) {
  %y = xf.reduce mean %x axes [1] : tensor<100x768xf32> -> tensor<100xf32>
  return %y : tensor<100xf32>
}

// f16 is computed in f32; a softmax does not keep its exponentials in f16.
// CHECK-LABEL: func.func @half
// CHECK: xft.launch @[[HALF:softmax_[0-9a-f]+]]
func.func @half(%x: tensor<4x9xf16> {xf.name = "x"}) -> (tensor<4x9xf16> {xf.name = "y"}) {
  %y = xf.softmax %x : tensor<4x9xf16>
  return %y : tensor<4x9xf16>
}

// Sizes that are known at call time only; the sum of two requires that they agree.
// CHECK-LABEL: func.func @dynamic
// CHECK-DAG: %[[N:.*]] = memref.dim %arg0
// CHECK-DAG: %[[M:.*]] = memref.dim %arg1
// CHECK: xft.require_equal
// CHECK: xft.launch @add
func.func @dynamic(%x: tensor<?x8xf32> {xf.name = "x"}, %y: tensor<?x8xf32> {xf.name = "y"}) -> (tensor<?x8xf32> {xf.name = "z"}) {
  %z = xf.add %x, %y : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}

// CHECK: func.func private @[[EXP]]
// CHECK-SAME: attributes {xft.kernel}
// CHECK: xft.rows
// CHECK: math.exp

// CHECK: func.func private @[[HALF]]
// CHECK: xft.cols ins(%{{.*}} : memref<?x?xf16, {{.*}}>) combine(max) -> f32
// CHECK: xft.cols ins(%{{.*}} : memref<?x?xf16, {{.*}}>) combine(add) -> f32
// CHECK: xft.cols ins(%{{.*}} : memref<?x?xf16, {{.*}}>) outs(%{{.*}} : memref<?x?xf16, {{.*}}>)
