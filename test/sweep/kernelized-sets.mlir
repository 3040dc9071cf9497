// Kernelised attention over sets in which no state carries sums from query to query: it runs over the set's pairs.
// RUN: xf-sweep %s --vjp A=12,5 D=8 T=f32
// RUN: xf-sweep %s --vjp A=12 D=3 T=f64 --seed=2
// RUN: xf-sweep %s --vjp A=7 D=4 T=bf16 --seed=3

func.func @window$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.window<left = 3, right = 1>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
// Causal by its form: the default stabiliser is running.
func.func @window_running$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>, %w: tensor<6x$Dx$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.window<left = 3>>) params(%w : tensor<6x$Dx$T>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @window_sequence$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>, %w: tensor<6x$Dx$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, of = #xf.window<left = 2, right = 2>>) params(%w : tensor<6x$Dx$T>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @strided$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, normalizer = count, of = #xf.strided<stride = 3>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
// Block-diagonal.
func.func @blocks$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = square, epsilon = 0.1, of = #xf.block<size = 5, of = #xf.window<left = 0>>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
// Layers as one sequence (docs/specification.md, section 5).
func.func @by_position$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.grid<layers = 3, of = #xf.causal, granularity = position>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @over_depth$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.grid<layers = 3, of = #xf.dense, factorised = true>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @softmax_by_position$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, normalizer = norm, of = #xf.grid<layers = 3, of = #xf.causal, granularity = position>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @from_top$$(%q: tensor<1x2x4x$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x4x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.grid<layers = 3, of = #xf.causal, queries = top>>) : (tensor<1x2x4x$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x4x5x$T>
  return %o : tensor<1x2x4x5x$T>
}
// Draws, and other data that no formula gives.
func.func @bigbird$$(%q: tensor<1x2x12x$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>) -> tensor<1x2x12x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = exp, of = #xf.bigbird<block = 1, random = 2, seed = 7>>) : (tensor<1x2x12x$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x12x5x$T>
  return %o : tensor<1x2x12x5x$T>
}
func.func @table$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>, %s: tensor<1x$Axi32> {xf.range = array<i64: 0, 2>}, %u: tensor<1x12xi32> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, of = #xf.segments<relation = [[1, 0, 1], [0, 1, 0], [0, 0, 0]]>>) segments(%s, %u : tensor<1x$Axi32>, tensor<1x12xi32>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @prefix$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>, %w: tensor<6x$Dx$T>, %p: tensor<1xi64> {xf.range = array<i64: 0, 12>}) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, stabilizer = row, of = #xf.prefix>) params(%w : tensor<6x$Dx$T>) symbols(%p : tensor<1xi64>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
func.func @lengths$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %v: tensor<1x1x12x5x$T>, %n: tensor<1xi64> {xf.range = array<i64: 0, 12>}) -> tensor<1x2x$Ax5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.window<left = 3>>) lengths(%n : tensor<1xi64>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x5x$T>) -> tensor<1x2x$Ax5x$T>
  return %o : tensor<1x2x$Ax5x$T>
}
