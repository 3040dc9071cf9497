// RUN: xf-opt %s -xf-gradient=entry=add,broadcast,relu,stop_gradient,tanh,gelu,mul_overflow,maximum,where,cast,map,constant_map -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @add_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<4xf32> {xf.name = "d_result0"}
// CHECK-NOT: xf.map
// CHECK: return %{{.*}}, %[[DY]], %[[DY]]
func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// An operand that was stretched gets the sum over its copies.
// CHECK-LABEL: func.func @broadcast_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<2x3x4xf32> {xf.name = "d_result0"}
// CHECK: %[[SUM:.*]] = xf.reduce sum %[[DY]] axes [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
// CHECK: xf.reshape %[[SUM]] : tensor<3xf32> to tensor<3x1xf32>
func.func @broadcast(%a: tensor<2x3x4xf32>, %b: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  %y = xf.add %a, %b : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// From the result, so that the operand need not be kept; nothing at 0.
// CHECK-LABEL: func.func @relu_vjp
// CHECK: %[[Y:.*]] = xf.relu
// CHECK: xf.map (%[[A:.*]] = %[[Y]] : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[POSITIVE:.*]] = arith.cmpf ogt, %[[A]], %[[ZERO]]
// CHECK: arith.select %[[POSITIVE]], %[[G]], %[[ZERO]]
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// Only the other factor has a gradient.
// CHECK-LABEL: func.func @stop_gradient_vjp
// CHECK: %[[S:.*]] = xf.stop_gradient
// CHECK: xf.map
// CHECK: arith.mulf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @stop_gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = xf.stop_gradient %x : tensor<4xf32>
  %y = xf.mul %x, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh_vjp
// CHECK: %[[Y:.*]] = xf.tanh
// CHECK: xf.map (%[[A:.*]] = %[[Y]] : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: %[[SLOPE:.*]] = arith.subf %[[ONE]], %[[SQUARE]]
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// The slope of the inner polynomial is cut off where it could overflow: the gate is 0 or 1 there.
// CHECK-LABEL: func.func @gelu_vjp
// CHECK: xf.map
// CHECK-DAG: %[[LOW:.*]] = arith.constant -3.000000e+01
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 3.000000e+01
// CHECK: arith.maximumf %{{.*}}, %[[LOW]]
// CHECK: arith.minimumf %{{.*}}, %[[HIGH]]
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.gelu %x form tanh : tensor<4xf32>
  return %y : tensor<4xf32>
}

// A zero cotangent stays zero beside an infinite factor.
// CHECK-LABEL: func.func @mul_overflow_vjp
// CHECK: xf.map (%{{.*}}, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[PRODUCT:.*]] = arith.mulf
// CHECK: %[[NONE:.*]] = arith.cmpf oeq, %[[G]], %[[ZERO:.*]] :
// CHECK: arith.select %[[NONE]], %[[ZERO]], %[[PRODUCT]]
func.func @mul_overflow(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @maximum_vjp
// CHECK: xf.map
// CHECK: %[[FIRST:.*]] = arith.cmpf oeq
// CHECK: arith.select %[[FIRST]], %[[G:.*]], %[[ZERO:.*]] :
// CHECK: xf.map
// CHECK: %[[FIRST:.*]] = arith.cmpf oeq
// CHECK: arith.select %[[FIRST]], %{{cst.*}}, %{{.*}} :
func.func @maximum(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.maximum %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @where_vjp
// CHECK-SAME: %[[C:[^ :]*]]: tensor<4xi1>, %{{[^ :]*}}: tensor<4xf32>, %{{[^ :]*}}: tensor<f32>, %[[DY:[^ :]*]]: tensor<4xf32>
// CHECK: xf.map (%[[SC:.*]] = %[[C]] : tensor<4xi1>, %[[G:.*]] = %[[DY]] : tensor<4xf32>)
// CHECK: arith.select %[[SC]], %[[G]], %{{cst.*}} :
// CHECK: %[[REST:.*]] = xf.map (%[[SC:.*]] = %[[C]] : tensor<4xi1>, %[[G:.*]] = %[[DY]] : tensor<4xf32>)
// CHECK: arith.select %[[SC]], %{{cst.*}}, %[[G]] :
// CHECK: xf.reduce sum %[[REST]] axes [0] : tensor<4xf32> -> tensor<f32>
func.func @where(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %y = xf.where %c, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @cast_vjp
// CHECK: xf.map (%[[G:.*]] = %{{.*}} : tensor<4xbf16>) -> tensor<4xf32>
// CHECK: arith.extf %[[G]] : bf16 to f32
func.func @cast(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %y = xf.cast %x : tensor<4xf32> to tensor<4xbf16>
  return %y : tensor<4xbf16>
}

// CHECK-LABEL: func.func @map_vjp
// CHECK: math.sin
// CHECK: %[[DA:.*]] = xf.map (%{{.*}} = %{{.*}} : tensor<4xf32>, %{{.*}} = %{{.*}} : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: math.cos
// CHECK: xf.reduce sum %[[DA]] axes [0]
func.func @map(%a: tensor<4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = xf.map (%s = %a : tensor<4xf32>, %t = %b : tensor<2x4xf32>) -> tensor<2x4xf32> {
    %u = math.sin %s : f32
    %v = arith.addf %u, %t : f32
    xf.yield %v : f32
  }
  return %y : tensor<2x4xf32>
}

// A region that does not read its input.
// CHECK-LABEL: func.func @constant_map_vjp
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: return %{{.*}}, %[[ZERO]]
func.func @constant_map(%a: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%s = %a : tensor<4xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    xf.yield %one : f32
  }
  return %y : tensor<4xf32>
}
