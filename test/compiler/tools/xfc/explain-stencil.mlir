// A box of a grid around each query has a kernel of its own, whose tiles are lines; its gradient, too.
// RUN: xfc explain %s --vjp=f --mcpu=x86-64-v3 | FileCheck %s
// CHECK: backward attention
// CHECK: pairs 89888
// CHECK-NEXT: executed 103488 (1.151 of the pairs)
// CHECK-NEXT: tiles 24 x 4 in blocks of 96 x 288
// CHECK-NEXT: lines of 32: 7 x 7 keys around each query, 8 neighbouring queries in lanes, 3 lines at a time
// RUN: xfc explain %s --mcpu=x86-64-v3 --json | FileCheck %s --check-prefix=JSON
// JSON: "executed_pairs": 103488

func.func @f(%x: tensor<1x2x1024x32xf32>) -> tensor<1x2x1024x32xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window_nd<extents = [32, 32], radius = [3, 3]>)
    : (tensor<1x2x1024x32xf32>, tensor<1x2x1024x32xf32>, tensor<1x2x1024x32xf32>) -> tensor<1x2x1024x32xf32>
  return %o : tensor<1x2x1024x32xf32>
}
