// Dropout of all pairs leaves zeros, not 0 times the infinite factor of pairs that are kept.
// RUN: xf-sweep %s --vjp N=7,70 T=f32,f64,bf16,f16 --seed=1

func.func @dense$$(%q: tensor<1x1x$Nx16x$T>, %k: tensor<1x1x40x16x$T>, %v: tensor<1x1x40x16x$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 99>}) -> tensor<1x1x$Nx16x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) dropout(1.0, %seed : tensor<2xi64>) : (tensor<1x1x$Nx16x$T>, tensor<1x1x40x16x$T>, tensor<1x1x40x16x$T>) -> tensor<1x1x$Nx16x$T>
  return %o : tensor<1x1x$Nx16x$T>
}
