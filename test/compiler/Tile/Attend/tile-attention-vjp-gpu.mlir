// On a GPU a gradient has two kernels for each piece, one for each side.
// RUN: xfc %s --vjp=attend --target=cuda --gpu-arch=sm_80 --stop-after=tile | FileCheck %s
// CHECK-DAG: xft.attend_vjp_rows {{.*}} grid(%{{.*}})
// CHECK-DAG: xft.attend_vjp_keys {{.*}} grid(%{{.*}}, %{{.*}})
func.func @attend(%q: tensor<1x2x100x64xf32>, %k: tensor<1x1x100x64xf32>, %v: tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}
