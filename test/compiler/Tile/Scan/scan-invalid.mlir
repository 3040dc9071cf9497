// RUN: not xfc %s -o %t.o 2>&1 | FileCheck %s

// CHECK: scan-invalid.mlir:[[@LINE+2]]:{{.*}} error: {{.*}}expected static head sizes above 0, got 'tensor<1x1x50x?xf32>'
func.func @sizes(%x: tensor<1x1x50x?xf32>) -> tensor<1x1x50x?xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) : (tensor<1x1x50x?xf32>, tensor<1x1x50x?xf32>, tensor<1x1x50x?xf32>) -> tensor<1x1x50x?xf32>
  return %o : tensor<1x1x50x?xf32>
}
