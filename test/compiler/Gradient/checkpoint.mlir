// RUN: xf-opt %s -split-input-file -xf-gradient=entry=f -canonicalize -cse | FileCheck %s

// The gradient repeats the region on operands that wait for the cotangent, so common-subexpression elimination, which
// runs here too, leaves the copy alone.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<4xf32>, %[[DY:[^ :]*]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = xf.checkpoint (%{{.*}} = %[[X]] : tensor<4xf32>)
// CHECK: %[[AGAIN:.*]] = xf.after %[[X]], %[[DY]]
// CHECK: %[[SIN:.*]] = xf.sin %[[AGAIN]]
// CHECK: %[[EXP:.*]] = xf.exp %[[SIN]]
// CHECK: %[[DSIN:.*]] = xf.map (%{{.*}} = %[[EXP]] : tensor<4xf32>, %{{.*}} = %[[DY]] : tensor<4xf32>)
// CHECK: %[[DX:.*]] = xf.map (%{{.*}} = %[[AGAIN]] : tensor<4xf32>, %{{.*}} = %[[DSIN]] : tensor<4xf32>)
// CHECK: return %[[Y]], %[[DX]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %b = xf.sin %a : tensor<4xf32>
    %c = xf.exp %b : tensor<4xf32>
    xf.yield %c : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Nested: the inner region runs once for the outer copy and once for its own gradient.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<4xf32>, %[[DY:[^ :]*]]: tensor<4xf32>
// CHECK: xf.checkpoint (%{{.*}} = %[[X]] : tensor<4xf32>)
// CHECK: %[[OUTER:.*]] = xf.after %[[X]], %[[DY]]
// CHECK: %[[INNER_Y:.*]] = xf.checkpoint (%{{.*}} = %[[OUTER]] : tensor<4xf32>)
// CHECK: xf.sin
// CHECK: %[[DINNER:.*]] = xf.map
// CHECK: %[[INNER:.*]] = xf.after %[[OUTER]], %[[DINNER]]
// CHECK: xf.map (%{{.*}} = %[[INNER]] : tensor<4xf32>, %{{.*}} = %[[DINNER]] : tensor<4xf32>)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %b = xf.checkpoint (%i = %a : tensor<4xf32>) -> (tensor<4xf32>) {
      %s = xf.sin %i : tensor<4xf32>
      xf.yield %s : tensor<4xf32>
    }
    %c = xf.square %b : tensor<4xf32>
    xf.yield %c : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A region that returns its operand.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[DY:[^ :]*]]: tensor<4xf32> {xf.name = "d_result0"}
// CHECK: return %{{.*}}, %[[DY]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    xf.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
