// RUN: xf-opt %s -xf-expand-low-rank -canonicalize -cse | FileCheck %s

// One product for each of keys and values; rows of E beyond the keys are cut off.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[Q:[^ :]*]]: tensor<2x4x6x8xf32>, %[[K:[^ :]*]]: tensor<2x2x6x8xf32>, %[[V:[^ :]*]]: tensor<2x2x6x5xf32>, %[[E:[^ :]*]]: tensor<9x3xf32>
// CHECK: %[[ROWS:.*]] = xf.slice %[[E]] offsets [0, 0] strides [1, 1] : tensor<9x3xf32> to tensor<6x3xf32>
// CHECK: %[[KR:.*]] = xf.matmul %[[ROWS]] transposed, %[[K]] : (tensor<6x3xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK: %[[VR:.*]] = xf.matmul %[[ROWS]] transposed, %[[V]] : (tensor<6x3xf32>, tensor<2x2x6x5xf32>) -> tensor<2x2x3x5xf32>
// CHECK: %[[O:.*]]:2 = xf.attention %[[Q]], %[[KR]], %[[VR]] pattern(#xf.dense) scale
// CHECK: return %[[O]]#0, %[[O]]#1
func.func @shared(%q: tensor<2x4x6x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x5xf32>, %e: tensor<9x3xf32>) -> (tensor<2x4x6x5xf32>, tensor<2x4x6xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) scale 0.5 params(%e : tensor<9x3xf32>)
      : (tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x5xf32>) -> (tensor<2x4x6x5xf32>, tensor<2x4x6xf32>)
  return %o, %lse : tensor<2x4x6x5xf32>, tensor<2x4x6xf32>
}

// The same tensor under the same matrix is projected once.
// CHECK-LABEL: func.func @one_tensor
// CHECK: %[[KR:.*]] = xf.matmul
// CHECK-NOT: xf.matmul
// CHECK: xf.attention %{{.*}}, %[[KR]], %[[KR]] pattern(#xf.dense)
func.func @one_tensor(%x: tensor<1x2x6x8xf32>, %e: tensor<6x3xf32>) -> tensor<1x2x6x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf32>) : (tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x6x8xf32>
  return %o : tensor<1x2x6x8xf32>
}

// A matrix for each head.
// CHECK-LABEL: func.func @per_head
// CHECK: xf.matmul %{{.*}} transposed, %{{.*}} : (tensor<2x6x3xf32>, tensor<5x2x6x8xf32>) -> tensor<5x2x3x8xf32>
// CHECK: xf.matmul %{{.*}} transposed, %{{.*}} : (tensor<6x3xf32>, tensor<5x2x6x8xf32>) -> tensor<5x2x3x8xf32>
func.func @per_head(%x: tensor<5x2x6x8xf32>, %e: tensor<2x6x3xf32>, %f: tensor<6x3xf32>) -> tensor<5x2x6x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<2x6x3xf32>, tensor<6x3xf32>) : (tensor<5x2x6x8xf32>, tensor<5x2x6x8xf32>, tensor<5x2x6x8xf32>) -> tensor<5x2x6x8xf32>
  return %o : tensor<5x2x6x8xf32>
}

// Keys beyond the length are not read: a zero is selected in their place.
// CHECK-LABEL: func.func @lengths
// CHECK-SAME: %[[X:[^ :]*]]: tensor<?x2x4x8xf32>, %{{[^ :]*}}: tensor<4x3xf32>, %[[N:[^ :]*]]: tensor<?xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[POSITIONS:.*]] = arith.constant dense<{{.*}}0], [1], [2], [3]{{.*}}> : tensor<1x1x4x1xi32>
// CHECK: %[[ENDS:.*]] = xf.reshape %[[N]]
// CHECK: %[[IS_KEY:.*]] = xf.compare {{ *}}lt %[[POSITIONS]], %[[ENDS]]
// CHECK: %[[KEYS:.*]] = xf.where %[[IS_KEY]], %[[X]], %[[ZERO]]
// CHECK: %[[KR:.*]] = xf.matmul %{{.*}} transposed, %[[KEYS]]
// CHECK: xf.attention %[[X]], %[[KR]], %[[KR]] pattern(#xf.dense) :
func.func @lengths(%x: tensor<?x2x4x8xf32>, %e: tensor<4x3xf32>, %n: tensor<?xi32>) -> tensor<?x2x4x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<4x3xf32>) lengths(%n : tensor<?xi32>) : (tensor<?x2x4x8xf32>, tensor<?x2x4x8xf32>, tensor<?x2x4x8xf32>) -> tensor<?x2x4x8xf32>
  return %o : tensor<?x2x4x8xf32>
}

// Two blocks of 2, one of what is left, and one of nothing.
// CHECK-LABEL: func.func @max
// CHECK-DAG: %[[WHOLE:.*]] = xf.slice %{{.*}} offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x5x8xf32> to tensor<1x1x4x8xf32>
// CHECK-DAG: %[[BLOCKS:.*]] = xf.reshape %[[WHOLE]] : tensor<1x1x4x8xf32> to tensor<1x1x2x2x8xf32>
// CHECK-DAG: %[[PAIRS:.*]] = xf.reduce {{ *}}max %[[BLOCKS]] axes [3]
// CHECK-DAG: %[[REST:.*]] = xf.slice %{{.*}} offsets [0, 0, 4, 0]
// CHECK: %[[ROWS:.*]] = xf.concat %[[PAIRS]], %{{.*}} axis 2
// CHECK: %[[ALL:.*]] = xf.pad %[[ROWS]] low [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x3x8xf32> to tensor<1x1x4x8xf32>
// CHECK: xf.attention %{{.*}}, %[[ALL]], %[[ALL]] pattern(#xf.dense)
func.func @max(%x: tensor<1x1x5x8xf32>) -> tensor<1x1x5x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4, projection = max>) : (tensor<1x1x5x8xf32>, tensor<1x1x5x8xf32>, tensor<1x1x5x8xf32>) -> tensor<1x1x5x8xf32>
  return %o : tensor<1x1x5x8xf32>
}

// Everything between 16-bit operands and results is f32.
// CHECK-LABEL: func.func @strided_conv
// CHECK-SAME: %[[ARG:[^ :]*]]: tensor<1x1x5x8xbf16>, %[[W16:[^ :]*]]: tensor<3x8xbf16>
// CHECK-DAG: %[[X:.*]] = xf.cast %[[ARG]] : tensor<1x1x5x8xbf16> to tensor<1x1x5x8xf32>
// CHECK-DAG: %[[W:.*]] = xf.cast %[[W16]]
// CHECK-DAG: %[[PADDED:.*]] = xf.pad %[[X]] {{.*}} : tensor<1x1x5x8xf32> to tensor<1x1x6x8xf32>
// CHECK-DAG: %[[BLOCKS:.*]] = xf.reshape %[[PADDED]] : tensor<1x1x6x8xf32> to tensor<1x1x2x3x8xf32>
// CHECK: %[[TERMS:.*]] = xf.mul %[[BLOCKS]], %[[W]] : (tensor<1x1x2x3x8xf32>, tensor<3x8xf32>)
// CHECK: %[[ROWS:.*]] = xf.reduce {{ *}}sum %[[TERMS]] axes [3]
// CHECK: %[[O:.*]] = xf.attention %[[X]], %[[ROWS]], %[[ROWS]]
// CHECK: xf.cast %[[O]] : tensor<1x1x5x8xf32> to tensor<1x1x5x8xbf16>
func.func @strided_conv(%x: tensor<1x1x5x8xbf16>, %w: tensor<3x8xbf16>) -> tensor<1x1x5x8xbf16> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 2, projection = strided_conv>) params(%w : tensor<3x8xbf16>) : (tensor<1x1x5x8xbf16>, tensor<1x1x5x8xbf16>, tensor<1x1x5x8xbf16>) -> tensor<1x1x5x8xbf16>
  return %o : tensor<1x1x5x8xbf16>
}

// A score sees the query's position on the axis of the 6 keys, not of the 2 rows.
// CHECK-LABEL: func.func @score
// CHECK: score(%[[S:.*]] : f32, %{{.*}}, %{{.*}}, %[[I:.*]], %{{.*}})
// CHECK: %[[OFFSET:.*]] = arith.constant 4 : index
// CHECK: %[[POSITION:.*]] = arith.addi %[[I]], %[[OFFSET]]
// CHECK: arith.index_cast %[[POSITION]]
func.func @score(%x: tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 2, projection = mean>) score(%s : f32, %b, %h, %i, %j) {
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f32
    %t = arith.addf %s, %f : f32
    xf.yield %t : f32
  } : (tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  return %o : tensor<1x1x6x8xf32>
}

// Other attention stays.
// CHECK-LABEL: func.func @causal
// CHECK: xf.attention %[[X:.*]], %[[X]], %[[X]] pattern(#xf.causal)
func.func @causal(%x: tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  return %o : tensor<1x1x6x8xf32>
}

// Factors of 16 bits are converted where the product reads them, behind the cut.
// CHECK-LABEL: func.func @half
// CHECK: %[[ROWS:.*]] = xf.slice %{{.*}} : tensor<9x3xbf16> to tensor<6x3xbf16>
// CHECK-DAG: %[[E:.*]] = xf.cast %[[ROWS]] : tensor<6x3xbf16> to tensor<6x3xf32>
// CHECK-DAG: %[[K:.*]] = xf.cast %{{.*}} : tensor<1x2x6x8xbf16> to tensor<1x2x6x8xf32>
// CHECK: xf.matmul %[[E]] transposed, %[[K]] : (tensor<6x3xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x3x8xf32>
func.func @half(%x: tensor<1x2x6x8xbf16>, %e: tensor<9x3xbf16>) -> tensor<1x2x6x8xbf16> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<9x3xbf16>) : (tensor<1x2x6x8xbf16>, tensor<1x2x6x8xbf16>, tensor<1x2x6x8xbf16>) -> tensor<1x2x6x8xbf16>
  return %o : tensor<1x2x6x8xbf16>
}
