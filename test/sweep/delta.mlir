// Kernelised attention by the delta rule: each key corrects what the state says of it.
// RUN: xf-sweep %s --vjp N=7,50,131 D=8 T=f32 A=f32
// RUN: xf-sweep %s --vjp N=? D=5 T=f64 A=f64 --seed=2
// RUN: xf-sweep %s --vjp N=61 D=16 T=bf16 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=61 D=7 T=bf16 A=f32 --seed=4

func.func @delta$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x2x$Nx9x$T>, %b: tensor<2x2x$Nx$A>) -> tensor<2x2x$Nx9x$T> {
  %s = xf.sigmoid %b : tensor<2x2x$Nx$A>
  %n = xf.softmax %k : tensor<2x1x$Nx$Dx$T>
  %o = xf.attention %q, %n, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) beta(%s : tensor<2x2x$Nx$A>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x2x$Nx9x$T>) -> tensor<2x2x$Nx9x$T>
  return %o : tensor<2x2x$Nx9x$T>
}
// With decay, a feature map and a divisor, which goes by the same rule.
func.func @gated$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %w: tensor<6x$Dx$T>, %a: tensor<1x1x$Nx$A>, %b: tensor<1x1x$Nx$A>) -> tensor<1x1x$Nx$Dx$T> {
  %d = xf.sigmoid %a : tensor<1x1x$Nx$A>
  %s = xf.sigmoid %b : tensor<1x1x$Nx$A>
  %n = xf.softmax %k : tensor<1x1x$Nx$Dx$T>
  %m = xf.softmax %w : tensor<6x$Dx$T>
  %o = xf.attention %q, %n, %k pattern(#xf.kernelized<feature = sigmoid, guard = 0.5, of = #xf.causal>) params(%m : tensor<6x$Dx$T>) decay(%d : tensor<1x1x$Nx$A>) beta(%s : tensor<1x1x$Nx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Features whose products have a factor 1/m, which predictions of the state have too.
func.func @exponential$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>, %w: tensor<6x$Dx$T>, %b: tensor<1x2x$Nx$A>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) {
  %s = xf.sigmoid %b : tensor<1x2x$Nx$A>
  %n = xf.softmax %k : tensor<1x2x$Nx$Dx$T>
  %m = xf.softmax %w : tensor<6x$Dx$T>
  %0 = xf.attention %q, %n, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, stabilizer = row, normalizer = none, of = #xf.causal>) params(%m : tensor<6x$Dx$T>) beta(%s : tensor<1x2x$Nx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %1 = xf.attention %n, %n, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = none, guard = 0.5, of = #xf.causal>) params(%m : tensor<6x$Dx$T>) beta(%s : tensor<1x2x$Nx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %2 = xf.attention %n, %n, %v pattern(#xf.kernelized<feature = trigonometric, stabilizer = row, normalizer = count, of = #xf.causal>) params(%m : tensor<6x$Dx$T>) beta(%s : tensor<1x2x$Nx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %0, %1, %2 : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>
}
// The last queries of a longer sequence, of which some keys are padding.
func.func @padded$$(%q: tensor<2x1x3x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %b: tensor<2x1x$Nx$A>, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}) -> tensor<2x1x3x$Dx$T> {
  %s = xf.sigmoid %b : tensor<2x1x$Nx$A>
  %m = xf.softmax %k : tensor<2x1x$Nx$Dx$T>
  %o = xf.attention %q, %m, %k pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) beta(%s : tensor<2x1x$Nx$A>) lengths(%n : tensor<2xi64>) : (tensor<2x1x3x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x1x3x$Dx$T>
  return %o : tensor<2x1x3x$Dx$T>
}
// Documents: each has a state of its own.
func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x2x$Nx9x$T>, %b: tensor<2x2x$Nx$A>, %i: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}) -> tensor<2x2x$Nx9x$T> {
  %s = xf.sigmoid %b : tensor<2x2x$Nx$A>
  %n = xf.softmax %k : tensor<2x1x$Nx$Dx$T>
  %o = xf.attention %q, %n, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.intersection<[#xf.causal, #xf.segments]>>) beta(%s : tensor<2x2x$Nx$A>) segments(%i, %i : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x2x$Nx9x$T>) -> tensor<2x2x$Nx9x$T>
  return %o : tensor<2x2x$Nx9x$T>
}
func.func @gated_segments$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %w: tensor<6x$Dx$T>, %a: tensor<1x1x$Nx$A>, %b: tensor<1x1x$Nx$A>, %i: tensor<1x$Nxi32>) -> tensor<1x1x$Nx$Dx$T> {
  %d = xf.sigmoid %a : tensor<1x1x$Nx$A>
  %s = xf.sigmoid %b : tensor<1x1x$Nx$A>
  %n = xf.softmax %k : tensor<1x1x$Nx$Dx$T>
  %m = xf.softmax %w : tensor<6x$Dx$T>
  %o = xf.attention %q, %n, %k pattern(#xf.kernelized<feature = sigmoid, guard = 0.5, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%m : tensor<6x$Dx$T>) decay(%d : tensor<1x1x$Nx$A>) beta(%s : tensor<1x1x$Nx$A>) segments(%i, %i : tensor<1x$Nxi32>, tensor<1x$Nxi32>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Decays of 0 and 1 that have a gradient: what is added to a large number is lost.
func.func @shut$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %a: tensor<1x1x$Nx$A>, %b: tensor<1x1x$Nx$A>, %i: tensor<1x1x$Nxi32> {xf.range = array<i64: 0, 1>}) -> tensor<1x1x$Nx$Dx$T> {
  %large = arith.constant dense<1152921504606846976.0> : tensor<$A>
  %sum = xf.add %a, %large : (tensor<1x1x$Nx$A>, tensor<$A>) -> tensor<1x1x$Nx$A>
  %zero = xf.sub %sum, %large : (tensor<1x1x$Nx$A>, tensor<$A>) -> tensor<1x1x$Nx$A>
  %bit = xf.cast %i : tensor<1x1x$Nxi32> to tensor<1x1x$Nx$A>
  %d = xf.add %zero, %bit : (tensor<1x1x$Nx$A>, tensor<1x1x$Nx$A>) -> tensor<1x1x$Nx$A>
  %s = xf.sigmoid %b : tensor<1x1x$Nx$A>
  %n = xf.softmax %k : tensor<1x1x$Nx$Dx$T>
  %o = xf.attention %q, %n, %k pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) decay(%d : tensor<1x1x$Nx$A>) beta(%s : tensor<1x1x$Nx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
