// Kernelised attention with weights by distance, of R = 2N - 1 distances.
// RUN: xf-sweep %s --vjp N=7 R=13 D=2 T=f32 A=f32
// RUN: xf-sweep %s --vjp N=97 R=193 D=33 T=f32 A=f32 --seed=5
// RUN: xf-sweep %s --vjp N=? R=9 D=8 T=f64 A=f64 --seed=2
// RUN: xf-sweep %s --vjp N=50 R=99 D=20 T=f16,bf16 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --vector-bits=512 N=131 R=261 D=24 T=f32 A=f32 --seed=4

func.func @elu$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x1x$Nx9x$T>, %t: tensor<4x$Rx$A>) -> tensor<2x4x$Nx9x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<4x$Rx$A>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx9x$T>) -> tensor<2x4x$Nx9x$T>
  return %o : tensor<2x4x$Nx9x$T>
}
func.func @elu_causal$$(%q: tensor<1x2x5x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>) -> tensor<1x2x5x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) : (tensor<1x2x5x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x5x$Dx$T>
  return %o : tensor<1x2x5x$Dx$T>
}
func.func @relu$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) relative(%t : tensor<2x$Rx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @relu_with_weights_of_0$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, epsilon = 0.0, guard = 0.5>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @exp$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = exp, normalizer = count, of = #xf.causal>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @square$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = square, epsilon = 0.1, normalizer = none>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @abs$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>, %w: tensor<5x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = abs, epsilon = 0.1>) params(%w : tensor<5x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @sigmoid$$(%q: tensor<1x1x3x$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>) -> tensor<1x1x3x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, of = #xf.causal>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x3x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x3x$Dx$T>
  return %o : tensor<1x1x3x$Dx$T>
}
// Weights of both signs.
func.func @identity$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx3x$T>, %t: tensor<1x$Rx$A>) -> tensor<1x1x$Nx3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx3x$T>) -> tensor<1x1x$Nx3x$T>
  return %o : tensor<1x1x$Nx3x$T>
}
func.func @softmax$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>, %w: tensor<5x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, of = #xf.causal, normalizer = norm>) params(%w : tensor<5x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @favor$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<20x$Dx$T>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<20x$Dx$T>) relative(%t : tensor<2x$Rx$A>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @favor_row$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>, %w: tensor<8x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, epsilon = 0.01, guard = 0.1, of = #xf.causal>) params(%w : tensor<8x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @favor_causal$$(%q: tensor<2x4x5x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<4x$Rx$A>, %w: tensor<19x$Dx$T>) -> tensor<2x4x5x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<19x$Dx$T>) relative(%t : tensor<4x$Rx$A>) : (tensor<2x4x5x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x4x5x$Dx$T>
  return %o : tensor<2x4x5x$Dx$T>
}
func.func @hyperbolic$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>, %w: tensor<7x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic>) params(%w : tensor<7x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @hyperbolic_causal$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx3x$T>, %t: tensor<1x$Rx$A>, %w: tensor<7x$Dx$T>) -> tensor<1x1x$Nx3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, of = #xf.causal>) params(%w : tensor<7x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx3x$T>) -> tensor<1x1x$Nx3x$T>
  return %o : tensor<1x1x$Nx3x$T>
}
func.func @trigonometric$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x$Rx$A>, %w: tensor<40x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, normalizer = none>) params(%w : tensor<40x$Dx$T>) relative(%t : tensor<1x$Rx$A>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @lengths$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, guard = 0.0>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) lengths(%n : tensor<2xi64>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @padded_sequence$$(%q: tensor<2x2x5x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 5>}) -> tensor<2x2x5x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x5x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x5x$Dx$T>
  return %o : tensor<2x2x5x$Dx$T>
}
func.func @padded_running$$(%q: tensor<2x2x5x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}) -> tensor<2x2x5x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) lengths(%n : tensor<2xi64>) : (tensor<2x2x5x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x5x$Dx$T>
  return %o : tensor<2x2x5x$Dx$T>
}
func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %a: tensor<2x$Nxi32>, %b: tensor<2x$Nxi32>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, normalizer = count, of = #xf.segments>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @causal_segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %a: tensor<2x$Nxi32>, %b: tensor<2x$Nxi32>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @segments_of_one_sequence$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<6x$Dx$T>, %a: tensor<2x$Nxi32>, %b: tensor<2x$Nxi32>) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = sequence, of = #xf.segments>) params(%w : tensor<6x$Dx$T>) relative(%t : tensor<2x$Rx$A>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @window$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<2x$Rx$A>, %w: tensor<4x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.window<left = 3>>) params(%w : tensor<4x$Dx$T>) relative(%t : tensor<2x$Rx$A>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
