// RUN: not xfc %s -o %t.o 2>&1 | FileCheck %s

// CHECK: scan-invalid.mlir:[[@LINE+2]]:{{.*}} error: {{.*}}not implemented: decay or beta within segments for the CPU target
func.func @decay(%q: tensor<1x1x50x16xf32>, %a: tensor<1x1x50xf32>, %s: tensor<1x50xi32>) -> tensor<1x1x50x16xf32> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.intersection<[#xf.segments, #xf.causal]>>) decay(%a : tensor<1x1x50xf32>) segments(%s, %s : tensor<1x50xi32>, tensor<1x50xi32>) : (tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>, tensor<1x1x50x16xf32>) -> tensor<1x1x50x16xf32>
  return %o : tensor<1x1x50x16xf32>
}
