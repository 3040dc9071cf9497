// Updates of 16-bit parameters that have an f32 master: one that rounds to the parameter, and one of other numbers.
// RUN: xf-sweep %s N=1,67 D=1,33,256 T=bf16,f16
// RUN: xf-sweep %s N=? D=17 T=bf16,f16 --seed=2

func.func @adamw$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %m: tensor<$Nx$Dxf32>, %u: tensor<$Nx$Dxf32>, %rate: tensor<f32>, %step: tensor<i64> {xf.range = array<i64: 1, 9>}, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>) {
  %v = xf.square %u : tensor<$Nx$Dxf32>
  %wide = xf.cast %p : tensor<$Nx$Dx$T> to tensor<$Nx$Dxf32>
  %little = arith.constant dense<1.0001> : tensor<f32>
  %w = xf.mul %wide, %little : (tensor<$Nx$Dxf32>, tensor<f32>) -> tensor<$Nx$Dxf32>
  %p1, %m1, %v1, %w1 = xf.adamw %p, %g, %m, %v master %w rate %rate step %step clip %clip betas 0.9, 0.95 eps 1.0e-8 decay 0.1 : tensor<$Nx$Dx$T> master tensor<$Nx$Dxf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %p1, %m1, %v1, %w1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>
}
func.func @adamw_other$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %m: tensor<$Nx$Dxf32>, %u: tensor<$Nx$Dxf32>, %w: tensor<$Nx$Dxf32>, %rate: tensor<f32>, %step: tensor<i64> {xf.range = array<i64: 1, 9>}, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>) {
  %v = xf.square %u : tensor<$Nx$Dxf32>
  %p1, %m1, %v1, %w1 = xf.adamw %p, %g, %m, %v master %w rate %rate step %step clip %clip betas 0.9, 0.95 eps 1.0e-8 decay 0.1 : tensor<$Nx$Dx$T> master tensor<$Nx$Dxf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %p1, %m1, %v1, %w1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>
}
func.func @sgd$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %v: tensor<$Nx$Dxf32>, %rate: tensor<f32>, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>) {
  %wide = xf.cast %p : tensor<$Nx$Dx$T> to tensor<$Nx$Dxf32>
  %little = arith.constant dense<1.0001> : tensor<f32>
  %w = xf.mul %wide, %little : (tensor<$Nx$Dxf32>, tensor<f32>) -> tensor<$Nx$Dxf32>
  %p1, %v1, %w1 = xf.sgd %p, %g, %v master %w rate %rate clip %clip momentum 0.9 decay 0.1 : tensor<$Nx$Dx$T> master tensor<$Nx$Dxf32>, tensor<f32>, tensor<f32>
  return %p1, %v1, %w1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>
}
func.func @sgd_other$$(%p: tensor<$Nx$Dx$T>, %g: tensor<$Nx$Dx$T>, %v: tensor<$Nx$Dxf32>, %w: tensor<$Nx$Dxf32>, %rate: tensor<f32>, %clip: tensor<f32>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>) {
  %p1, %v1, %w1 = xf.sgd %p, %g, %v master %w rate %rate clip %clip momentum 0.9 decay 0.1 : tensor<$Nx$Dx$T> master tensor<$Nx$Dxf32>, tensor<f32>, tensor<f32>
  return %p1, %v1, %w1 : tensor<$Nx$Dx$T>, tensor<$Nx$Dxf32>, tensor<$Nx$Dxf32>
}
