// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func @weights
// CHECK: xf.attention %{{.*}} pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%arg1 : tensor<1x2x4xf32>) relative(%arg2 : tensor<2x7xf32>) lengths(%arg3 : tensor<1xi64>) :
func.func @weights(%x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>, %t: tensor<2x7xf32>, %n: tensor<1xi64>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>)
       decay(%a : tensor<1x2x4xf32>) relative(%t : tensor<2x7xf32>) lengths(%n : tensor<1xi64>)
     : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// Weights of 16-bit attention are f32.
// CHECK-LABEL: func.func @delta_rule
// CHECK: pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>) params(%arg1 : tensor<5x3xbf16>) decay(%arg2 : tensor<1x2x?xf32>) beta(%arg2 : tensor<1x2x?xf32>) :
func.func @delta_rule(%x: tensor<1x2x?x3xbf16>, %w: tensor<5x3xbf16>, %a: tensor<1x2x?xf32>) -> tensor<1x2x?x3xbf16> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, stabilizer = row, of = #xf.causal>)
       params(%w : tensor<5x3xbf16>) decay(%a : tensor<1x2x?xf32>) beta(%a : tensor<1x2x?xf32>)
     : (tensor<1x2x?x3xbf16>, tensor<1x2x?x3xbf16>, tensor<1x2x?x3xbf16>) -> tensor<1x2x?x3xbf16>
  return %o : tensor<1x2x?x3xbf16>
}

// CHECK-LABEL: func.func @feature
// CHECK: pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) captures(%c0 = %arg1 : tensor<5x3xf32>) {
// CHECK-NEXT: %[[U:.*]] = xf.linear %row, %c0
// CHECK-NEXT: %[[PHI:.*]] = xf.softmax %[[U]]
// CHECK-NEXT: xf.yield %[[PHI]] : tensor<5xf32>
// CHECK-NEXT: } :
func.func @feature(%x: tensor<1x2x4x3xf32>, %w: tensor<5x3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>)
       feature(%row : tensor<3xf32>) captures(%w = %w : tensor<5x3xf32>) {
         %u = xf.linear %row, %w : (tensor<3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
         %phi = xf.softmax %u : tensor<5xf32>
         xf.yield %phi : tensor<5xf32>
       }
     : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// The gradient has no lse, and results for the weights that are there.
// CHECK-LABEL: func.func @gradient
// CHECK: xf.attention_vjp %arg0, %arg0, %arg0, %arg0, %arg0 pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%arg1 : tensor<1x2x4xf32>) beta(%arg1 : tensor<1x2x4xf32>) :
// CHECK-SAME: -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) decay(tensor<1x2x4xf32>) beta(tensor<1x2x4xf32>)
func.func @gradient(%x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %dq, %dk, %dv, %da, %db = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>)
       decay(%a : tensor<1x2x4xf32>) beta(%a : tensor<1x2x4xf32>)
     : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
    -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) decay(tensor<1x2x4xf32>) beta(tensor<1x2x4xf32>)
  return %db : tensor<1x2x4xf32>
}
