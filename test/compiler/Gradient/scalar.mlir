// RUN: xf-opt %s -xf-gradient=entry=negf,absf,sqrt,rsqrt,power,quotient_by_constant,maximum_of_constant,floor,from_integer -canonicalize -cse | FileCheck %s

// One row of the table of scalar derivatives a function: %a the operand, %g the cotangent of the result.

// CHECK-LABEL: func.func @negf_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: arith.negf %[[G]]
func.func @negf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = arith.negf %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @absf_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: arith.cmpf ogt, %[[A]]
// CHECK: arith.cmpf olt, %[[A]]
// CHECK-COUNT-2: arith.select
func.func @absf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.absf %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sqrt_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]] = math.sqrt %[[A]]
// CHECK: %[[TWICE:.*]] = arith.mulf %[[R]], %{{cst.*}} :
// CHECK: arith.divf %[[G]], %[[TWICE]]
func.func @sqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.sqrt %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @rsqrt_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]] = math.rsqrt %[[A]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[R]], %[[R]]
// CHECK: %[[CUBE:.*]] = arith.mulf %[[SQUARE]], %[[R]]
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.rsqrt %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// The base alone: a constant exponent has no gradient, so no logarithm.
// CHECK-LABEL: func.func @power_vjp
// CHECK: math.powf
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[POWER:.*]] = math.powf %[[A]], %{{.*}} :
// CHECK: %[[SLOPE:.*]] = arith.mulf %[[POWER]], %{{.*}} :
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
// CHECK-NOT: math.log
func.func @power(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant 3.0 : f32
    %r = math.powf %a, %c : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// No division by a constant's square, no care about its being zero.
// CHECK-LABEL: func.func @quotient_by_constant_vjp
// CHECK: arith.divf
// CHECK: xf.map (%[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[D:.*]] = arith.divf %[[G]], %{{cst.*}} :
// CHECK-NEXT: xf.yield %[[D]]
func.func @quotient_by_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant 3.0 : f32
    %r = arith.divf %a, %c : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// A constant wins its ties: the derivative of max(x, 0) at 0 is 0.
// CHECK-LABEL: func.func @maximum_of_constant_vjp
// CHECK: arith.maximumf
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[LARGER:.*]] = arith.cmpf ogt, %[[A]], %[[ZERO]]
// CHECK: arith.select %[[LARGER]], %[[G]], %[[ZERO]]
func.func @maximum_of_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %c : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// A step has a gradient of zero, which needs no code.
// CHECK-LABEL: func.func @floor_vjp
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: return %{{.*}}, %[[ZERO]]
func.func @floor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.floor %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// The gradient of an integer's float is nobody's.
// CHECK-LABEL: func.func @from_integer_vjp
// CHECK: xf.map (%[[G:.*]] = %{{.*}} : tensor<4xf32>, %[[N:.*]] = %{{.*}} : tensor<4xi64>)
// CHECK: return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
func.func @from_integer(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>, %b = %n : tensor<4xi64>) -> tensor<4xf32> {
    %c = arith.sitofp %b : i64 to f32
    %r = arith.mulf %a, %c : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}
