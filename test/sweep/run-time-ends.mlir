// Rows whose last key a run-time number bounds: tasks pack the keys that they see, a block after the other, and what lies
// behind them is not observable.
// RUN: xf-sweep %s --except=dynamic Q=70 N=300,1201 D=64 V=40 T=f32 A=f32
// RUN: xf-sweep %s --except=dynamic Q=131 N=769 D=33 V=80 T=f64 A=f64
// RUN: xf-sweep %s --only=dynamic Q=? N=? D=24 V=16 T=f32,bf16 A=f32 --seed=2
// RUN: xf-sweep %s --except=dynamic --cpu=x86-64-v3+emulated-avx512bf16 Q=70 N=769 D=33 V=24 T=bf16 A=f32 --seed=3
// RUN: xf-sweep %s --except=dynamic --vector-bits=512 Q=103 N=700 D=64 V=48 T=f32,bf16 A=f32 --seed=4

func.func @dynamic$$(%q: tensor<2x2x$Qx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Vx$T>, %n: tensor<2xi64> {xf.range = array<i64: -40, 7>}) -> tensor<2x2x$Qx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk, n] : (i - j + n ge 0)>) symbols(%n : tensor<2xi64>) : (tensor<2x2x$Qx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Vx$T>) -> tensor<2x2x$Qx$Vx$T>
  return %o : tensor<2x2x$Qx$Vx$T>
}
// Keys and values from number 300 on are NaN.
func.func @hidden$$(%q: tensor<2x2x$Qx$Dx$T>, %x: tensor<2x1x300x$Dx$T>, %y: tensor<2x1x300x$Vx$T>, %n: tensor<2xi64> {xf.range = array<i64: 500, 700>}) -> tensor<2x2x$Qx$Vx$T> {
  %no_keys = arith.constant dense<0.0> : tensor<2x1x501x$Dx$T>
  %no_values = arith.constant dense<0.0> : tensor<2x1x501x$Vx$T>
  %hidden_keys = xf.div %no_keys, %no_keys : (tensor<2x1x501x$Dx$T>, tensor<2x1x501x$Dx$T>) -> tensor<2x1x501x$Dx$T>
  %hidden_values = xf.div %no_values, %no_values : (tensor<2x1x501x$Vx$T>, tensor<2x1x501x$Vx$T>) -> tensor<2x1x501x$Vx$T>
  %k = xf.concat %x, %hidden_keys axis 2 : (tensor<2x1x300x$Dx$T>, tensor<2x1x501x$Dx$T>) -> tensor<2x1x801x$Dx$T>
  %v = xf.concat %y, %hidden_values axis 2 : (tensor<2x1x300x$Vx$T>, tensor<2x1x501x$Vx$T>) -> tensor<2x1x801x$Vx$T>
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk, n] : (i - j - n - 1 ge 0)>) symbols(%n : tensor<2xi64>) : (tensor<2x2x$Qx$Dx$T>, tensor<2x1x801x$Dx$T>, tensor<2x1x801x$Vx$T>) -> tensor<2x2x$Qx$Vx$T>
  return %o : tensor<2x2x$Qx$Vx$T>
}
func.func @two_intervals$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Vx$T>, %n: tensor<1xi64> {xf.range = array<i64: -200, 60>}, %m: tensor<1xi64> {xf.range = array<i64: 0, 200>}) -> tensor<1x2x$Qx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk, n, m] : (i - j + n ge 0, j - i - n + 30 ge 0)>, #xf.affine<(i, j)[Nq, Nk, n, m] : (j - i - n - 40 ge 0, i + n + m - j ge 0)>]>) symbols(%n, %m : tensor<1xi64>, tensor<1xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Vx$T>) -> tensor<1x2x$Qx$Vx$T>
  return %o : tensor<1x2x$Qx$Vx$T>
}
func.func @score$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Vx$T>, %n: tensor<1xi64> {xf.range = array<i64: -200, 60>}) -> tensor<1x2x$Qx$Vx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk, n] : (i - j + n ge 0)>) symbols(%n : tensor<1xi64>) score(%s : $A, %b, %h, %i, %j) {
    %x = math.tanh %s : $A
    xf.yield %x : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Vx$T>) -> tensor<1x2x$Qx$Vx$T>
  return %o : tensor<1x2x$Qx$Vx$T>
}
