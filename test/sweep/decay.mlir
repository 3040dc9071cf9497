// Kernelised attention whose keys lose weight, head by head and key by key.
// RUN: xf-sweep %s --vjp N=7,50,131 D=8 T=f32 A=f32
// RUN: xf-sweep %s --vjp N=? D=5 T=f64 A=f64 --seed=2
// RUN: xf-sweep %s --vjp N=61 D=16 T=f16,bf16 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=61 D=7 T=bf16 A=f32 --seed=4

func.func @decay$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<6x$Dx$T>, %a: tensor<2x2x$Nx$A>) -> tensor<2x2x$Nx$Dx$T> {
  %d = xf.sigmoid %a : tensor<2x2x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) decay(%d : tensor<2x2x$Nx$A>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @running$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %w: tensor<9x$Dx$T>, %a: tensor<1x1x$Nx$A>) -> tensor<1x1x$Nx$Dx$T> {
  %d = xf.sigmoid %a : tensor<1x1x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<9x$Dx$T>) decay(%d : tensor<1x1x$Nx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// The last queries of a longer sequence, of which some keys are padding: decays go on. They are near 1: what is left of
// 100 others is below the smallest number.
func.func @padded$$(%q: tensor<2x1x3x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %a: tensor<2x1x$Nx$A>, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}) -> tensor<2x1x3x$Dx$T> {
  %s = xf.sigmoid %a : tensor<2x1x$Nx$A>
  %s2 = xf.sqrt %s : tensor<2x1x$Nx$A>
  %s4 = xf.sqrt %s2 : tensor<2x1x$Nx$A>
  %d = xf.sqrt %s4 : tensor<2x1x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = sigmoid, of = #xf.causal>) decay(%d : tensor<2x1x$Nx$A>) lengths(%n : tensor<2xi64>) : (tensor<2x1x3x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x1x3x$Dx$T>
  return %o : tensor<2x1x3x$Dx$T>
}
// Documents: a state of each, whose decays go on where others have their tokens.
func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<6x$Dx$T>, %a: tensor<2x2x$Nx$A>, %i: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}) -> tensor<2x2x$Nx$Dx$T> {
  %s = xf.sigmoid %a : tensor<2x2x$Nx$A>
  %d = xf.sqrt %s : tensor<2x2x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%w : tensor<6x$Dx$T>) decay(%d : tensor<2x2x$Nx$A>) segments(%i, %i : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @running_segments$$(%q: tensor<2x1x5x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<9x$Dx$T>, %a: tensor<2x1x$Nx$A>, %i: tensor<2x5xi32> {xf.range = array<i64: 0, 0>}, %j: tensor<2x$Nxi32> {xf.range = array<i64: 0, 1>}, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}) -> tensor<2x1x5x$Dx$T> {
  %s = xf.sigmoid %a : tensor<2x1x$Nx$A>
  %d = xf.sqrt %s : tensor<2x1x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%w : tensor<9x$Dx$T>) decay(%d : tensor<2x1x$Nx$A>) query_lengths(%n : tensor<2xi64>) segments(%i, %j : tensor<2x5xi32>, tensor<2x$Nxi32>) : (tensor<2x1x5x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x1x5x$Dx$T>
  return %o : tensor<2x1x5x$Dx$T>
}
// Decays of 0 and 1 that have a gradient all the same: what is added to a large number is lost.
func.func @shut$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %a: tensor<1x2x$Nx$A>, %i: tensor<1x2x$Nxi32> {xf.range = array<i64: 0, 1>}) -> tensor<1x2x$Nx$Dx$T> {
  %large = arith.constant dense<1152921504606846976.0> : tensor<$A>
  %b = xf.add %a, %large : (tensor<1x2x$Nx$A>, tensor<$A>) -> tensor<1x2x$Nx$A>
  %zero = xf.sub %b, %large : (tensor<1x2x$Nx$A>, tensor<$A>) -> tensor<1x2x$Nx$A>
  %bit = xf.cast %i : tensor<1x2x$Nxi32> to tensor<1x2x$Nx$A>
  %d = xf.add %zero, %bit : (tensor<1x2x$Nx$A>, tensor<1x2x$Nx$A>) -> tensor<1x2x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = sigmoid, of = #xf.causal>) decay(%d : tensor<1x2x$Nx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Negative decays, of which none is cut off.
func.func @alternating$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %a: tensor<1x2x$Nx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %d = xf.tanh %a : tensor<1x2x$Nx$A>
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = sigmoid, normalizer = none, of = #xf.causal>) decay(%d : tensor<1x2x$Nx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
