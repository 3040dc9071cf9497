// RUN: xf-opt %s -xf-gradient=entry=reshape,transpose,slice,pad,concat,broadcast,split_heads,merge_heads,stack_layers,pool_max,pool_mean,pool_last -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reshape_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<2x6xf32>
// CHECK: xf.reshape %[[DY]] : tensor<2x6xf32> to tensor<3x4xf32>
func.func @reshape(%x: tensor<3x4xf32>) -> tensor<2x6xf32> {
  %y = xf.reshape %x : tensor<3x4xf32> to tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @transpose_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<4x2x3xf32>
// CHECK: xf.transpose %[[DY]] permutation [1, 2, 0]
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %y = xf.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  return %y : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @slice_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<2x4xf32>
// CHECK: xf.pad %[[DY]] low [1, 0] strides [3, 1] : tensor<2x4xf32> to tensor<7x4xf32>
func.func @slice(%x: tensor<7x4xf32>) -> tensor<2x4xf32> {
  %y = xf.slice %x offsets [1, 0] strides [3, 1] : tensor<7x4xf32> to tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @pad_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<7x4xf32>
// CHECK: xf.slice %[[DY]] offsets [1, 0] strides [3, 1] : tensor<7x4xf32> to tensor<2x4xf32>
func.func @pad(%x: tensor<2x4xf32>) -> tensor<7x4xf32> {
  %y = xf.pad %x low [1, 0] strides [3, 1] : tensor<2x4xf32> to tensor<7x4xf32>
  return %y : tensor<7x4xf32>
}

// CHECK-LABEL: func.func @concat_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<3x6xf32>
// CHECK: %[[DA:.*]] = xf.slice %[[DY]] offsets [0, 0] strides [1, 1] : tensor<3x6xf32> to tensor<3x4xf32>
// CHECK: %[[DB:.*]] = xf.slice %[[DY]] offsets [0, 4] strides [1, 1] : tensor<3x6xf32> to tensor<3x2xf32>
// CHECK: return %{{.*}}, %[[DA]], %[[DB]]
func.func @concat(%a: tensor<3x4xf32>, %b: tensor<3x2xf32>) -> tensor<3x6xf32> {
  %y = xf.concat %a, %b axis 1 : (tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x6xf32>
  return %y : tensor<3x6xf32>
}

// CHECK-LABEL: func.func @broadcast_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<5x3x4xf32>
// CHECK: %[[SUM:.*]] = xf.reduce sum %[[DY]] axes [0, 1] : tensor<5x3x4xf32> -> tensor<4xf32>
// CHECK: xf.reshape %[[SUM]] : tensor<4xf32> to tensor<1x4xf32>
func.func @broadcast(%x: tensor<1x4xf32>) -> tensor<5x3x4xf32> {
  %y = xf.broadcast %x : tensor<1x4xf32> to tensor<5x3x4xf32>
  return %y : tensor<5x3x4xf32>
}

// CHECK-LABEL: func.func @split_heads_vjp
// CHECK: xf.merge_heads %{{.*}} : (tensor<?x2x?x4xf32>) -> tensor<?x?x8xf32>
func.func @split_heads(%x: tensor<?x?x8xf32>) -> tensor<?x2x?x4xf32> {
  %y = xf.split_heads %x heads 2 : (tensor<?x?x8xf32>) -> tensor<?x2x?x4xf32>
  return %y : tensor<?x2x?x4xf32>
}

// CHECK-LABEL: func.func @merge_heads_vjp
// CHECK: xf.split_heads %{{.*}} heads 2 : (tensor<1x3x8xf32>) -> tensor<1x2x3x4xf32>
func.func @merge_heads(%x: tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32> {
  %y = xf.merge_heads %x : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
  return %y : tensor<1x3x8xf32>
}

// CHECK-LABEL: func.func @stack_layers_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<1x6x4xf32>
// CHECK: xf.slice %[[DY]] offsets [0, 0, 0] strides [1, 2, 1] : tensor<1x6x4xf32> to tensor<1x3x4xf32>
// CHECK: xf.slice %[[DY]] offsets [0, 1, 0] strides [1, 2, 1] : tensor<1x6x4xf32> to tensor<1x3x4xf32>
func.func @stack_layers(%a: tensor<1x3x4xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x6x4xf32> {
  %y = xf.stack_layers %a, %b : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x6x4xf32>
  return %y : tensor<1x6x4xf32>
}

// CHECK-LABEL: func.func @pool_max_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<1x6x4xf32>, %[[DY:[^ :]*]]: tensor<1x3x4xf32>
// CHECK: %[[GROUPS:.*]] = xf.reshape %[[X]] : tensor<1x6x4xf32> to tensor<1x3x2x4xf32>
// CHECK: %[[D:.*]] = xf.reduce_max_vjp %[[GROUPS]], %[[DY]] axes [2]
// CHECK: xf.reshape %[[D]] : tensor<1x3x2x4xf32> to tensor<1x6x4xf32>
func.func @pool_max(%x: tensor<1x6x4xf32>) -> tensor<1x3x4xf32> {
  %y = xf.pool_layers %x layers 2 kind max : (tensor<1x6x4xf32>) -> tensor<1x3x4xf32>
  return %y : tensor<1x3x4xf32>
}

// CHECK-LABEL: func.func @pool_mean_vjp
// CHECK: %[[LAYERS:.*]] = arith.constant 2.0
// CHECK: arith.divf %{{.*}}, %[[LAYERS]]
// CHECK: %[[D:.*]] = xf.broadcast %{{.*}} : tensor<1x3x1x4xf32> to tensor<1x3x2x4xf32>
// CHECK: xf.reshape %[[D]] : tensor<1x3x2x4xf32> to tensor<1x6x4xf32>
func.func @pool_mean(%x: tensor<1x6x4xf32>) -> tensor<1x3x4xf32> {
  %y = xf.pool_layers %x layers 2 kind mean : (tensor<1x6x4xf32>) -> tensor<1x3x4xf32>
  return %y : tensor<1x3x4xf32>
}

// CHECK-LABEL: func.func @pool_last_vjp
// CHECK: xf.pad %{{.*}} low [0, 1, 0] strides [1, 2, 1] : tensor<1x3x4xf32> to tensor<1x6x4xf32>
func.func @pool_last(%x: tensor<1x6x4xf32>) -> tensor<1x3x4xf32> {
  %y = xf.pool_layers %x layers 2 kind last : (tensor<1x6x4xf32>) -> tensor<1x3x4xf32>
  return %y : tensor<1x3x4xf32>
}

// Parts of dynamic dimensions: what an operand's sizes are is known by name.
// CHECK-LABEL: func.func @dynamic_parts_vjp(
// CHECK: xf.slice %{{.*}} offsets [0, 0] strides [1, 1] sizes [n - 1] : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK: xf.slice %{{.*}} offsets [n - 1, 0] strides [1, 1] sizes [n] : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK: xf.pad %{{.*}} low [1, 0] strides [1, 1] sizes [n] : tensor<?x4xf32> to tensor<?x4xf32>
func.func @dynamic_parts(%x: tensor<?x4xf32> {xf.dims = [#xf.dim<name = "n", min = 1, max = 9>]}) -> tensor<?x4xf32> attributes {xf.vjp} {
  %part = xf.slice %x offsets [1, 0] strides [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %y = xf.concat %part, %x axis 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
