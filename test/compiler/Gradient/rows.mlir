// RUN: xf-opt %s -xf-gradient=entry=softmax,layer_norm,layer_norm_plain,rms_norm,sum,mean,dynamic_mean,max -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @softmax_vjp
// CHECK: %[[Y:.*]] = xf.softmax
// CHECK: xf.softmax_vjp %[[Y]], %{{.*}} : tensor<3x4xf32>
func.func @softmax(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = xf.softmax %x : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @layer_norm_vjp
// CHECK: %[[DX:.*]], %[[DW:.*]], %[[DB:.*]] = xf.layer_norm_vjp
// CHECK-SAME: -> tensor<3x4xf32> weight(tensor<4xf32>) bias(tensor<4xf32>)
// CHECK: return %{{.*}}, %[[DX]], %[[DW]], %[[DB]]
func.func @layer_norm(%x: tensor<3x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = xf.layer_norm %x weight(%w : tensor<4xf32>) bias(%b : tensor<4xf32>) eps 1.0e-5 : tensor<3x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @layer_norm_plain_vjp
// CHECK: xf.layer_norm_vjp
// CHECK-SAME: -> tensor<3x4xf32>{{$}}
func.func @layer_norm_plain(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = xf.layer_norm %x eps 1.0e-5 : tensor<3x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @rms_norm_vjp
// CHECK: %[[DX:.*]], %[[DW:.*]] = xf.rms_norm_vjp
// CHECK: return %{{.*}}, %[[DX]], %[[DW]]
func.func @rms_norm(%x: tensor<3x4xf32>, %w: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = xf.rms_norm %x weight(%w : tensor<4xf32>) eps 1.0e-5 : tensor<3x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @sum_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<3xf32>
// CHECK: %[[COLUMN:.*]] = xf.reshape %[[DY]] : tensor<3xf32> to tensor<3x1xf32>
// CHECK: xf.broadcast %[[COLUMN]] : tensor<3x1xf32> to tensor<3x4xf32>
func.func @sum(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = xf.reduce sum %x axes [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// Divided where it is small.
// CHECK-LABEL: func.func @mean_vjp
// CHECK: %[[SHARE:.*]] = xf.map (%[[G:.*]] = %{{.*}} : tensor<3xf32>) -> tensor<3xf32>
// CHECK: %[[COUNT:.*]] = arith.constant 4.0
// CHECK: arith.divf %[[G]], %[[COUNT]]
// CHECK: %[[COLUMN:.*]] = xf.reshape %[[SHARE]]
// CHECK: xf.broadcast %[[COLUMN]]
func.func @mean(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = xf.reduce mean %x axes [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @dynamic_mean_vjp
// CHECK: %[[ONES:.*]] = xf.map {{.*}} -> tensor<3x?xf32>
// CHECK: %[[COUNT:.*]] = xf.reduce sum %[[ONES]] axes [1]
// CHECK: xf.map (%[[G:.*]] = %{{.*}} : tensor<3xf32>, %[[N:.*]] = %[[COUNT]] : tensor<3xf32>) -> tensor<3xf32>
// CHECK: arith.divf %[[G]], %[[N]]
// CHECK: xf.mul %{{.*}}, %{{.*}} : (tensor<3x1xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
func.func @dynamic_mean(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %y = xf.reduce mean %x axes [1] : tensor<3x?xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @max_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<3x4xf32>, %[[DY:[^ :]*]]: tensor<3xf32>
// CHECK: xf.reduce_max_vjp %[[X]], %[[DY]] axes [1] : tensor<3x4xf32>, tensor<3xf32>
func.func @max(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = xf.reduce max %x axes [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}
