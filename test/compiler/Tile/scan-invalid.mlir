// RUN: not xfc %s -o %t.o 2>&1 | FileCheck %s

// CHECK: scan-invalid.mlir:[[@LINE+2]]:{{.*}} error: {{.*}}not implemented: a feature region in a gradient that the program writes itself
func.func @feature(%x: tensor<1x1x50x16xf32>) -> tensor<1x1x50x16xf32> {
  %q, %k, %v = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<16xf32>) {
      %phi = xf.exp %row : tensor<16xf32>
      xf.yield %phi : tensor<16xf32>
    } : (tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>)
      -> (tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>)
  return %q : tensor<1x1x50x16xf32>
}
