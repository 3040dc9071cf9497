// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// Weights by distance run pair by pair, and nothing divides; those of plain products need no table.
// CHECK-LABEL: func.func @weights
// CHECK: xft.launch @[[TABLE:attend_[0-9a-f]+]]
// CHECK: xft.launch @[[PLAIN:attend_[0-9a-f]+]]
// CHECK: func.func private @[[TABLE]](
// CHECK: xft.attend {{.*}} captures({{.*}} weights <scale = 1.000000e+00 : f64, linear = true>{{.*}} score
// CHECK: %[[T:.*]] = tensor.extract
// CHECK: %[[FACTOR:.*]] = math.exp %[[T]]
// CHECK: %[[WEIGHT:.*]] = arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK: xf.yield %[[WEIGHT]]
// CHECK: func.func private @[[PLAIN]](
// CHECK: xft.attend {{.*}} weights <scale = 1.000000e+00 : f64, linear = true>{{.*}} score
func.func @weights(%x: tensor<1x1x64x16xf32> {xf.name = "x"}, %t: tensor<1x127xf32> {xf.name = "t"}) -> (tensor<1x1x64x16xf32> {xf.name = "o"}, tensor<1x1x64x16xf32> {xf.name = "p"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) relative(%t : tensor<1x127xf32>)
    : (tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32>
  %p = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.window<left = 7>>)
    : (tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32>
  return %o, %p : tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>
}
