// RUN: xf-opt %s -xf-gradient=entry=exp,exp2,log,log2,log1p,tanh,erf,sin,cos -canonicalize -cse | FileCheck %s

// One row of the table of scalar derivatives a function: %a the operand, %g the cotangent of the result.

// CHECK-LABEL: func.func @exp_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]] = math.exp %[[A]]
// CHECK: arith.mulf %[[G]], %[[R]]
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.exp %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp2_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]] = math.exp2 %[[A]]
// CHECK: %[[SLOPE:.*]] = arith.mulf %[[R]], %{{cst.*}} :
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
func.func @exp2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.exp2 %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: arith.divf %[[G]], %[[A]]
func.func @log(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.log %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log2_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[SCALED:.*]] = arith.mulf %[[A]], %{{cst.*}} :
// CHECK: arith.divf %[[G]], %[[SCALED]]
func.func @log2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.log2 %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log1p_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %{{cst.*}} :
// CHECK: arith.divf %[[G]], %[[SUM]]
func.func @log1p(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.log1p %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]] = math.tanh %[[A]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[R]], %[[R]]
// CHECK: %[[SLOPE:.*]] = arith.subf %{{cst.*}}, %[[SQUARE]]
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.tanh %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erf_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: %[[NEGATIVE:.*]] = arith.negf %[[SQUARE]]
// CHECK: math.exp %[[NEGATIVE]]
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.erf %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sin_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[SLOPE:.*]] = math.cos %[[A]]
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
func.func @sin(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.sin %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @cos_vjp
// CHECK: xf.map
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[G:.*]] = %{{.*}} : tensor<4xf32>)
// CHECK: %[[SIN:.*]] = math.sin %[[A]]
// CHECK: %[[SLOPE:.*]] = arith.negf %[[SIN]]
// CHECK: arith.mulf %[[G]], %[[SLOPE]]
func.func @cos(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = math.cos %a : f32
    xf.yield %r : f32
  }
  return %y : tensor<4xf32>
}
