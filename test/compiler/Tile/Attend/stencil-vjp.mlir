// On CPUs the gradient of a box of a grid puts neighbouring queries, then neighbouring keys, in lanes: one launch for all lines of the box.
// RUN: xf-opt %s -xf-gradient=entry=box -xf-gradient=entry=short -xf-gradient=entry=causal -xf-gradient=entry=natten -xf-solve-patterns -xf-tile-program=machine=x86-64-v4 | FileCheck %s

// Tasks own strips of groups of three lines: the 64 lines of queries, and three more that complete lines of keys, are 23 groups, of which
// two are computed again before a strip. Each of the two heads has as many strips as there may be.
// CHECK-LABEL: func.func @box_vjp
// CHECK: %[[STRIPS:.*]] = arith.constant 12 : index
// CHECK: xft.launch @attend_stencil_vjp_{{[0-9a-f]+}} tiles(%[[STRIPS]])
// CHECK-NOT: xft.launch
// CHECK: return
func.func @box(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [64, 64], radius = [3, 3]>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
// Lines shorter than a register, boxes that are cut off, and boxes that stay in the grid take register tiles.
// CHECK-LABEL: func.func @short_vjp
// CHECK-NOT: lines_vjp
// CHECK: xft.launch @attend_vjp_
// CHECK: return
func.func @short(%q: tensor<1x2x240x64xf32> {xf.name = "q"}, %k: tensor<1x2x240x64xf32> {xf.name = "k"}, %v: tensor<1x2x240x64xf32> {xf.name = "v"}) -> (tensor<1x2x240x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 12], radius = [3, 3]>) : (tensor<1x2x240x64xf32>, tensor<1x2x240x64xf32>, tensor<1x2x240x64xf32>) -> tensor<1x2x240x64xf32>
  return %o : tensor<1x2x240x64xf32>
}
// CHECK-LABEL: func.func @causal_vjp
// CHECK-NOT: lines_vjp
// CHECK: xft.launch @attend_vjp_
// CHECK: return
func.func @causal(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window_nd<extents = [64, 64], radius = [3, 3]>, #xf.causal]>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
// CHECK-LABEL: func.func @natten_vjp
// CHECK-NOT: lines_vjp
// CHECK: xft.launch @attend_vjp_
// CHECK: return
func.func @natten(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [64, 64], radius = [3, 3], clamp = true>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
// CHECK: xft.attend_stencil_vjp {{.*}} strip 4 {{.*}} tile <rows = 3, columns = 8, lanes = 16, length = 64, first_line = -3, lines = 7, first_shift = -3, shifts = 7> assigns
