// RUN: xf-opt %s -split-input-file -xf-gradient=entry=f -canonicalize -cse | FileCheck %s

// Arguments, then cotangents; results, then gradients; names and other attributes stay.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {xf.name = "x", xf.parameter = "model.x"}, %{{.*}}: tensor<4xi64>, %[[DY:.*]]: tensor<4xf32> {xf.name = "d_y"}
// CHECK-SAME: -> (tensor<4xf32> {xf.name = "y"}, tensor<4xi64>, tensor<4xf32> {xf.name = "d_x"})
func.func @f(%x: tensor<4xf32> {xf.name = "x", xf.parameter = "model.x"}, %n: tensor<4xi64>)
    -> (tensor<4xf32> {xf.name = "y"}, tensor<4xi64>) {
  %y = xf.neg %x : tensor<4xf32>
  return %y, %n : tensor<4xf32>, tensor<4xi64>
}

// -----

// Names count over all arguments and results where the user gave none.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: {xf.name = "d_result1"}
// CHECK-SAME: {xf.name = "d_arg1"}
func.func @f(%n: tensor<2xi32>, %x: tensor<4xf32>) -> (tensor<2xi32>, tensor<4xf32>) {
  return %n, %x : tensor<2xi32>, tensor<4xf32>
}

// -----

// What the results do not depend on has a gradient of zeros.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<4xf32>, %{{.*}}: tensor<2xf32>, %[[DY:[^ :]*]]: tensor<4xf32>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK: return %[[X]], %[[DY]], %[[ZERO]]
func.func @f(%x: tensor<4xf32>, %unused: tensor<2xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Zeros of a size that is known when the program runs come from a map.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %{{[^ :]*}}: tensor<4xf32>, %[[UNUSED:[^ :]*]]: tensor<?xf32>
// CHECK: %[[ZERO:.*]] = xf.map (%{{.*}} = %[[UNUSED]] : tensor<?xf32>) -> tensor<?xf32>
// CHECK: return %{{.*}}, %{{.*}}, %[[ZERO]]
func.func @f(%x: tensor<4xf32>, %unused: tensor<?xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// A value with three uses gets the sum of three gradients, the last use first.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<4xf32>, %[[D1:[^ :]*]]: tensor<4xf32> {{{.*}}}, %[[D2:[^ :]*]]: tensor<4xf32> {{{.*}}}, %[[D3:[^ :]*]]: tensor<4xf32> {{{.*}}})
// CHECK: %[[SUM2:.*]] = xf.add %[[D1]], %[[D2]]
// CHECK: %[[SUM3:.*]] = xf.add %[[SUM2]], %[[D3]]
// CHECK: return %[[X]], %[[X]], %[[X]], %[[SUM3]]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  return %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Ops off the path need no gradient of their own.
// CHECK-LABEL: func.func @f_vjp
// CHECK: xf.compare
// CHECK: xf.map
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %c = xf.compare gt %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %y = xf.where %c, %x, %zero : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A function may ask for its derivative itself; asked for twice, it is made once.
// CHECK-LABEL: func.func @f(
// CHECK-NOT: xf.vjp
// CHECK: func.func @f_vjp(
// CHECK-LABEL: func.func @g(
// CHECK-NOT: xf.vjp
// CHECK: func.func @g_vjp(
// CHECK-NOT: func.func
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xf.vjp} {
  return %x : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xf.vjp} {
  return %x : tensor<4xf32>
}
