// Gradients of few heads, whose keys are cut into slices of consecutive keys: neighbours share a halo of rows of d_q.
// Slices have at least two blocks of keys, of 96 keys for D = 256.
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 N=773 D=256 T=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --vector-bits=512 --only='window|around' N=770 D=250 T=f32 --seed=2
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 --only='window|around' N=770 D=256 T=bf16 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --only='window|fewer' N=400 D=256 T=f64 --seed=4

func.func @window$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 40>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @around$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx32x$T>) -> tensor<1x2x$Nx32x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 11, right = 30>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx32x$T>) -> tensor<1x2x$Nx32x$T>
  return %o : tensor<1x2x$Nx32x$T>
}
// Rows begin behind the first keys, or before them.
func.func @fewer$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x810x$Dx$T>, %v: tensor<1x1x810x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 60, right = 5>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x810x$Dx$T>, tensor<1x1x810x$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @more$$(%q: tensor<1x1x850x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x850x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 60>) : (tensor<1x1x850x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x850x$Dx$T>
  return %o : tensor<1x1x850x$Dx$T>
}
// A second launch adds to what the first one has written; rows and keys behind lengths take part in neither.
func.func @union$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 24>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @lengths$$(%q: tensor<2x1x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 770>}) -> tensor<2x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 21>) lengths(%n : tensor<2xi64>) : (tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x1x$Nx$Dx$T>
  return %o : tensor<2x1x$Nx$Dx$T>
}
