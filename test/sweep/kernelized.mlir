// Kernelised attention: feature maps, stabilisers, normalisers, sets, GQA, both directions.
// Here and below each size is in a line or two, not with every other.
// RUN: xf-sweep %s --vjp N=7 D=2 T=f32
// RUN: xf-sweep %s --vjp N=97 D=33 T=f32
// One key, or one feature: y does not depend on q, whose gradient is rounding alone.
// RUN: xf-sweep %s N=1 D=16 T=f32
// RUN: xf-sweep %s N=64 D=1 T=f32
// RUN: xf-sweep %s --vjp N=? D=8 T=f64 --seed=2
// RUN: xf-sweep %s --vjp N=50 D=20 T=f16,bf16 --seed=3
// Code for 512-bit registers on any processor: LLVM splits its vectors.
// RUN: xf-sweep %s --vjp --vector-bits=512 N=131 D=24 T=f32 --seed=4
// Products of pairs of bf16: odd columns and features, chunks behind the first one.
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=1 D=33 T=bf16 --seed=5
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=37 D=1,33 T=bf16 --seed=5
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=131 D=24 T=bf16 --seed=6
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 N=97 D=80 T=bf16 --seed=7

func.func @favor$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x2x$Nx9x$T>, %w: tensor<20x$Dx$T>) -> tensor<1x2x$Nx9x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<20x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x2x$Nx9x$T>) -> tensor<1x2x$Nx9x$T>
  return %o : tensor<1x2x$Nx9x$T>
}
func.func @favor_causal$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %w: tensor<19x$Dx$T>) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<19x$Dx$T>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
func.func @hyperbolic$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<7x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = hyperbolic>) params(%w : tensor<7x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @hyperbolic_causal$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<7x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = hyperbolic, stabilizer = sequence, epsilon = 0.0, of = #xf.causal>) params(%w : tensor<7x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @running$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<8x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = hyperbolic, stabilizer = running, epsilon = 0.0, guard = 0.0>) params(%w : tensor<8x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @row$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<8x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = favor, stabilizer = row, epsilon = 0.01, guard = 0.1, of = #xf.causal>) params(%w : tensor<8x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @elu_offset$$(%q: tensor<1x1x5x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x5x$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x5x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x5x$Dx$T>
  return %o : tensor<1x1x5x$Dx$T>
}
func.func @relu$$(%q: tensor<1x3x$Nx$Dx$T>, %k: tensor<1x3x$Nx$Dx$T>) -> tensor<1x3x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = relu, normalizer = count>) : (tensor<1x3x$Nx$Dx$T>, tensor<1x3x$Nx$Dx$T>, tensor<1x3x$Nx$Dx$T>) -> tensor<1x3x$Nx$Dx$T>
  return %o : tensor<1x3x$Nx$Dx$T>
}
func.func @exp$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = exp, of = #xf.causal, normalizer = count>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @square$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<5x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = square, of = #xf.causal, epsilon = 0.1>) params(%w : tensor<5x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @abs$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<6x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = abs, epsilon = 0.1>) params(%w : tensor<6x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @sigmoid$$(%q: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = sigmoid, of = #xf.causal>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @identity$$(%q: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx3x$T>) -> tensor<1x1x$Nx3x$T> {
  %o = xf.attention %q, %q, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx3x$T>) -> tensor<1x1x$Nx3x$T>
  return %o : tensor<1x1x$Nx3x$T>
}
func.func @trigonometric$$(%q: tensor<1x1x$Nx$Dx$T>, %w: tensor<40x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = trigonometric, normalizer = none>) params(%w : tensor<40x$Dx$T>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// A sequence has one largest exponent for all segments, over the keys that some query sees.
func.func @segments_of_one_sequence$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<8x$Dx$T>, %a: tensor<2x$Nxi32>, %b: tensor<2x$Nxi32>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, stabilizer = sequence, normalizer = count, of = #xf.segments>) params(%w : tensor<8x$Dx$T>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @causal_segments_of_one_sequence$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<8x$Dx$T>, %a: tensor<2x$Nxi32>, %b: tensor<2x$Nxi32>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = hyperbolic, stabilizer = sequence, epsilon = 0.0, normalizer = count, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%w : tensor<8x$Dx$T>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @sequence_of_seen_keys$$(%q: tensor<2x2x5x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %w: tensor<8x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 1, 4>}) -> tensor<2x2x5x$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, stabilizer = sequence, epsilon = 0.0, normalizer = count, of = #xf.causal>) params(%w : tensor<8x$Dx$T>) query_lengths(%n : tensor<2xi64>) : (tensor<2x2x5x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x5x$Dx$T>
  return %o : tensor<2x2x5x$Dx$T>
}
// Sizes that tiles of warps fill.
func.func @even$$(%q: tensor<1x2x$Nx16x$T>, %w: tensor<32x16x$T>) -> tensor<1x2x$Nx16x$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = favor>) params(%w : tensor<32x16x$T>) : (tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>) -> tensor<1x2x$Nx16x$T>
  return %o : tensor<1x2x$Nx16x$T>
}
func.func @even_causal$$(%q: tensor<1x2x$Nx16x$T>, %w: tensor<32x16x$T>) -> tensor<1x2x$Nx16x$T> {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = hyperbolic, of = #xf.causal>) params(%w : tensor<32x16x$T>) : (tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>) -> tensor<1x2x$Nx16x$T>
  return %o : tensor<1x2x$Nx16x$T>
}
// Features of both signs, whose sums are divided by: rows of short queries and keys have weights that add up to something.
func.func @even_signed$$(%q: tensor<1x2x$Nx16x$T>, %w: tensor<32x16x$T>) -> tensor<1x2x$Nx16x$T> {
  %tenth = arith.constant dense<0.1> : tensor<1x1x1x1x$T>
  %s = xf.mul %q, %tenth : (tensor<1x2x$Nx16x$T>, tensor<1x1x1x1x$T>) -> tensor<1x2x$Nx16x$T>
  %o = xf.attention %s, %s, %q pattern(#xf.kernelized<feature = trigonometric, of = #xf.causal>) params(%w : tensor<32x16x$T>) : (tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>) -> tensor<1x2x$Nx16x$T>
  return %o : tensor<1x2x$Nx16x$T>
}
// Long keys, of which one outweighs all others of a row: what d_phi is a difference of must not be rounded.
func.func @outweighed$$(%q: tensor<1x2x$Nx16x$T>, %k: tensor<1x2x$Nx16x$T>, %v: tensor<1x2x$Nx16x$T>, %w: tensor<20x16x$T>) -> tensor<1x2x$Nx16x$T> {
  %four = arith.constant dense<4.0> : tensor<1x1x1x1x$T>
  %l = xf.mul %k, %four : (tensor<1x2x$Nx16x$T>, tensor<1x1x1x1x$T>) -> tensor<1x2x$Nx16x$T>
  %o = xf.attention %q, %l, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<20x16x$T>) : (tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>, tensor<1x2x$Nx16x$T>) -> tensor<1x2x$Nx16x$T>
  return %o : tensor<1x2x$Nx16x$T>
}
