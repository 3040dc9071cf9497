// RUN: xf-sweep %s N=1,7,67 D=1,33,256 T=f32,f64
// RUN: xf-sweep %s N=13 D=17,80 T=bf16,f16 --seed=2

// Optimisers: new parameters and state.

func.func @adamw$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %m: tensor<$Nx$Dx$T>, %u: tensor<$Nx$Dx$T>, %rate: tensor<f32>, %step: tensor<i64> {xf.range = array<i64: 1, 9>}, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) {
  %v = xf.square %u : tensor<$Nx$Dx$T>
  %p1, %m1, %v1 = xf.adamw %p, %g, %m, %v rate %rate step %step clip %clip betas 0.9, 0.95 eps 1.0e-8 decay 0.1 : tensor<$Nx$Dx$T>, tensor<f32>, tensor<i64>, tensor<f32>
  return %p1, %m1, %v1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>
}
func.func @sgd$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %v: tensor<$Nx$Dx$T>, %rate: tensor<f32>, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) {
  %p1, %v1 = xf.sgd %p, %g, %v rate %rate clip %clip momentum 0.9 decay 0.1 : tensor<$Nx$Dx$T>, tensor<f32>, tensor<f32>
  return %p1, %v1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>
}
func.func @clip_scale$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>, %c: tensor<$T>) -> tensor<f32> {
  %y = xf.clip_scale %a, %b, %c max_norm 0.5 : (tensor<$Nx$Dx$T>, tensor<$Dx$T>, tensor<$T>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @clip_scale_large$$(%a: tensor<$Nx$Dx$T>) -> tensor<f32> {
  %y = xf.clip_scale %a max_norm 1000.0 : (tensor<$Nx$Dx$T>) -> tensor<f32>
  return %y : tensor<f32>
}
