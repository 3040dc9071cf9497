// RUN: xf-sweep %s --vjp N=1 D=17 T=f32,f64
// RUN: xf-sweep %s --vjp N=7 D=1,64 T=f32,f64
// RUN: xf-sweep %s --vjp N=67 D=1,17 T=f32,f64
// RUN: xf-sweep %s --vjp N=67 D=33 T=bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=130 D=17 T=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=130 D=17 T=bf16

// Low-rank attention: learned projections in every sharing, pooled keys and values, lengths. Unit normals in E make keys
// of length sqrt(N): the scale brings scores back to about 1.

func.func @shared$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %e: tensor<$Nx8x$T>) -> tensor<2x2x7x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 8>) scale 0.05 params(%e : tensor<$Nx8x$T>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T>
  return %o : tensor<2x2x7x$Dx$T>
}
func.func @cut$$(%q: tensor<2x4x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %e: tensor<700x20x$T>, %f: tensor<900x20x$T>) -> tensor<2x4x7x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 20>) scale 0.05 params(%e, %f : tensor<700x20x$T>, tensor<900x20x$T>) : (tensor<2x4x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x4x7x$Dx$T>
  return %o : tensor<2x4x7x$Dx$T>
}
func.func @per_head$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %e: tensor<2x$Nx8x$T>, %f: tensor<2x$Nx8x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 67>}) -> tensor<2x2x7x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 8>) scale 0.05 params(%e, %f : tensor<2x$Nx8x$T>, tensor<2x$Nx8x$T>) lengths(%n : tensor<2xi64>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T>
  return %o : tensor<2x2x7x$Dx$T>
}
func.func @mean$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 8, projection = mean>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T>
  return %o : tensor<2x2x7x$Dx$T>
}
func.func @mean_lengths$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx3x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 67>}) -> tensor<2x2x7x3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 5, projection = mean>) lengths(%n : tensor<2xi64>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx3x$T>) -> tensor<2x2x7x3x$T>
  return %o : tensor<2x2x7x3x$T>
}
func.func @max$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 8, projection = max>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x7x$Dx$T>
  return %o : tensor<2x2x7x$Dx$T>
}
func.func @max_lengths$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx3x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 67>}) -> tensor<2x2x7x3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 5, projection = max>) lengths(%n : tensor<2xi64>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx3x$T>) -> tensor<2x2x7x3x$T>
  return %o : tensor<2x2x7x3x$T>
}
func.func @strided_conv$$(%q: tensor<2x2x7x$Dx$T>, %k: tensor<2x2x13x$Dx$T>, %v: tensor<2x2x13x3x$T>, %wk: tensor<3x$Dx$T>, %wv: tensor<3x3x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 13>}) -> tensor<2x2x7x3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 5, projection = strided_conv>) params(%wk, %wv : tensor<3x$Dx$T>, tensor<3x3x$T>) lengths(%n : tensor<2xi64>) : (tensor<2x2x7x$Dx$T>, tensor<2x2x13x$Dx$T>, tensor<2x2x13x3x$T>) -> tensor<2x2x7x3x$T>
  return %o : tensor<2x2x7x3x$T>
}
func.func @dynamic$$(%q: tensor<?x2x7x$Dx$T>, %k: tensor<?x2x?x$Dx$T>, %e: tensor<?x4x$T>) -> tensor<?x2x7x$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.low_rank<rank = 4>) scale 0.05 params(%e : tensor<?x4x$T>) : (tensor<?x2x7x$Dx$T>, tensor<?x2x?x$Dx$T>, tensor<?x2x?x$Dx$T>) -> tensor<?x2x7x$Dx$T>
  return %o : tensor<?x2x7x$Dx$T>
}
