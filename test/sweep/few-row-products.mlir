// RUN: xf-sweep %s M=1,2,3 K=1,33,1100 N=5,137 T=f32
// RUN: xf-sweep %s M=4,8,16 K=600 N=137 T=f32,f16 --seed=1
// RUN: xf-sweep %s M=4,8,16 K=1024 N=64 T=f32,f16 --seed=1
// RUN: xf-sweep %s M=5,7,13 K=521 N=33,200 T=f32,f64,bf16 --seed=2
// RUN: xf-sweep %s --cpu=x86-64-v3 M=1,6,11 K=700 N=80 T=f32,f16 --seed=3
// RUN: xf-sweep %s --vector-bits=512 M=1,9,16 K=700 N=80,200 T=f32,f16 --seed=4
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 M=1,8,14 K=65,700 N=137 T=bf16 --seed=5
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 M=8,11,16 K=43,515,1100 N=137 T=f32,bf16 --seed=6

// Products of few rows, with weights that a handle holds and without.

func.func @plain$$(%x: tensor<$Mx$Kx$T> {xf.name = "x"}, %w: tensor<$Nx$Kx$T> {xf.name = "w", xf.parameter = "plain$$"}) -> (tensor<$Mx$Nx$T> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @gelu$$(%x: tensor<$Mx$Kx$T> {xf.name = "x"}, %w: tensor<$Nx$Kx$T> {xf.name = "w", xf.parameter = "gelu$$"}, %b: tensor<$Nx$T> {xf.name = "b"}) -> (tensor<$Mx$Nx$T> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<$Nx$T>) : (tensor<$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<$Mx$Nx$T>
  %y = xf.gelu %h form tanh : tensor<$Mx$Nx$T>
  return %y : tensor<$Mx$Nx$T>
}
func.func @residual$$(%x: tensor<2x$Mx$Kx$T> {xf.name = "x"}, %w: tensor<$Nx$Kx$T> {xf.name = "w", xf.parameter = "residual$$"}, %r: tensor<2x$Mx$Nx$T> {xf.name = "r"}) -> (tensor<2x$Mx$Nx$T> {xf.name = "y"}) {
  %h = xf.linear %x, %w : (tensor<2x$Mx$Kx$T>, tensor<$Nx$Kx$T>) -> tensor<2x$Mx$Nx$T>
  %y = xf.add %h, %r : (tensor<2x$Mx$Nx$T>, tensor<2x$Mx$Nx$T>) -> tensor<2x$Mx$Nx$T>
  return %y : tensor<2x$Mx$Nx$T>
}
func.func @matmul$$(%x: tensor<3x$Mx$Kx$T>, %w: tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T> {
  %y = xf.matmul %x, %w : (tensor<3x$Mx$Kx$T>, tensor<3x$Kx$Nx$T>) -> tensor<3x$Mx$Nx$T>
  return %y : tensor<3x$Mx$Nx$T>
}
