// RUN: xf-opt %s -xf-expand-features | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x3xf32>, %[[K:.*]]: tensor<1x1x4x3xf32>, %[[W:.*]]: tensor<5x3xf32>
// CHECK: %[[UQ:.*]] = xf.linear %[[Q]], %[[W]] : (tensor<1x2x4x3xf32>, tensor<5x3xf32>) -> tensor<1x2x4x5xf32>
// CHECK: %[[FQ:.*]] = xf.softmax %[[UQ]]
// CHECK: %[[UK:.*]] = xf.linear %[[K]], %[[W]]
// CHECK: %[[FK:.*]] = xf.softmax %[[UK]] : tensor<1x1x4x5xf32>
// CHECK: xf.attention %[[FQ]], %[[FK]], %[[K]] pattern(#xf.kernelized<feature = identity, of = #xf.causal>) :
func.func @softmax(%q: tensor<1x2x4x3xf32>, %k: tensor<1x1x4x3xf32>, %w: tensor<5x3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = softmax, of = #xf.causal>) params(%w : tensor<5x3xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// Ops on the shape of a row leave the dimensions before it alone.
// CHECK-LABEL: func.func @shapes
// CHECK-SAME: %[[X:.*]]: tensor<1x2x?x4xf32>
// CHECK: %[[ROWS:.*]] = xf.reshape %[[X]] : tensor<1x2x?x4xf32> to tensor<1x2x?x2x2xf32>
// CHECK: %[[T:.*]] = xf.transpose %[[ROWS]] permutation [0, 1, 2, 4, 3] : tensor<1x2x?x2x2xf32> to tensor<1x2x?x2x2xf32>
// CHECK: %[[PART:.*]] = xf.slice %[[T]] offsets [0, 0, 0, 0, 1] strides [1, 1, 1, 1, 1] : tensor<1x2x?x2x2xf32> to tensor<1x2x?x2x1xf32>
// CHECK: %[[FLAT:.*]] = xf.reshape %[[PART]] : tensor<1x2x?x2x1xf32> to tensor<1x2x?x2xf32>
// CHECK: %[[LINE:.*]] = xf.reshape %[[FLAT]] : tensor<1x2x?x2xf32> to tensor<1x2x?x1x2xf32>
// CHECK: %[[WIDE:.*]] = xf.broadcast %[[LINE]] : tensor<1x2x?x1x2xf32> to tensor<1x2x?x3x2xf32>
// CHECK: %[[PHI:.*]] = xf.reshape %[[WIDE]] : tensor<1x2x?x3x2xf32> to tensor<1x2x?x6xf32>
// CHECK: xf.attention %[[PHI]], %[[PHI]], %[[X]]
func.func @shapes(%x: tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<4xf32>) {
      %rows = xf.reshape %row : tensor<4xf32> to tensor<2x2xf32>
      %t = xf.transpose %rows permutation [1, 0] : tensor<2x2xf32> to tensor<2x2xf32>
      %part = xf.slice %t offsets [0, 1] strides [1, 1] : tensor<2x2xf32> to tensor<2x1xf32>
      %flat = xf.reshape %part : tensor<2x1xf32> to tensor<2xf32>
      %wide = xf.broadcast %flat : tensor<2xf32> to tensor<3x2xf32>
      %phi = xf.reshape %wide : tensor<3x2xf32> to tensor<6xf32>
      xf.yield %phi : tensor<6xf32>
    } : (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  return %o : tensor<1x2x?x4xf32>
}

// Rows get the dimensions of q; what they share stays as it is. One tensor has one feature map.
// CHECK-LABEL: func.func @region
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4x3xf32>, %[[W:.*]]: tensor<5x3xf32>, %[[A:.*]]: tensor<1x2x4xf32>
// CHECK: %[[U:.*]] = xf.linear %[[X]], %[[TWICE:.*]] : (tensor<1x2x4x3xf32>, tensor<5x3xf32>) -> tensor<1x2x4x5xf32>
// CHECK: %[[E:.*]] = xf.exp %[[U]]
// CHECK: %[[SUM:.*]] = xf.reduce sum %[[E]] axes [3] : tensor<1x2x4x5xf32> -> tensor<1x2x4xf32>
// CHECK: %[[COLUMN:.*]] = xf.reshape %[[SUM]] : tensor<1x2x4xf32> to tensor<1x2x4x1xf32>
// CHECK: %[[SHARE:.*]] = xf.div %[[E]], %[[COLUMN]]
// CHECK: %[[PHI:.*]] = xf.concat %[[SHARE]], %[[X]] axis 3
// CHECK-NOT: xf.concat
// CHECK: xf.attention %[[PHI]], %[[PHI]], %[[X]] pattern(#xf.kernelized<feature = identity, of = #xf.causal>) decay(%[[A]] : tensor<1x2x4xf32>) :
func.func @region(%x: tensor<1x2x4x3xf32>, %w: tensor<5x3xf32>, %a: tensor<1x2x4xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity, of = #xf.causal>) decay(%a : tensor<1x2x4xf32>)
    feature(%row : tensor<3xf32>) captures(%m = %w : tensor<5x3xf32>) {
      %twice = xf.add %m, %m : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
      %u = xf.linear %row, %twice : (tensor<3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
      %e = xf.exp %u : tensor<5xf32>
      %sum = xf.reduce sum %e axes [0] : tensor<5xf32> -> tensor<f32>
      %share = xf.div %e, %sum : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
      %phi = xf.concat %share, %row axis 0 : (tensor<5xf32>, tensor<3xf32>) -> tensor<8xf32>
      xf.yield %phi : tensor<8xf32>
    }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// A running maximum cancels before the norm, or is not there where weights have signs.
// CHECK-LABEL: func.func @norms
// CHECK: %[[A:.*]] = xf.attention {{.*}}#xf.kernelized<feature = elu, normalizer = none, guard = {{.*}}>
// CHECK: xf.rms_norm %[[A]] eps 1.000000e-03
// CHECK: %[[B:.*]] = xf.attention {{.*}}#xf.kernelized<feature = favor, of = #xf.causal>
// CHECK: xf.rms_norm %[[B]] eps 1.1754{{.*}}E-38
// CHECK: %[[C:.*]] = xf.attention {{.*}}#xf.kernelized<feature = trigonometric, stabilizer = row, normalizer = none, of = #xf.causal>
// CHECK: xf.rms_norm %[[C]]
func.func @norms(%x: tensor<1x2x4x3xf32>, %w: tensor<5x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) {
  %a = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, normalizer = norm, guard = 1.0e-3>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %b = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, normalizer = norm, of = #xf.causal>) params(%w : tensor<5x3xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %c = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = trigonometric, normalizer = norm, of = #xf.causal>) params(%w : tensor<5x3xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %a, %b, %c : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>
}

// Scalar features are the kernel's.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: xf.attention
// CHECK-NEXT: return
func.func @scalar(%x: tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = relu>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}
