// Gradients pass through stabilisers, to the first argument that has the maximum: of features with epsilon or guard, of other
// normalisers, of inputs that epsilon outweighs, of equal keys and features.
// RUN: xf-sweep %s --vjp N=7,67 D=5 T=f64
// RUN: xf-sweep %s --vjp N=67 D=24 T=f32 --seed=2
// RUN: xf-sweep %s --vjp --only='^(no|count|segments|causal_none)' N=1 D=1 T=f32 --seed=3
// RUN: xf-sweep %s --vjp --only='^(no|count|segments|causal_none|ties)' N=40 D=8 T=bf16,f16 --seed=4
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 --only='^(no|count|segments|ties)' N=37 D=16 T=bf16 --seed=5
// RUN: xf-sweep %s --vjp --only='^(two|causal)' N=? D=6 T=f32 --seed=6

// The default, of twice and three times unit inputs.
func.func @two$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %c = arith.constant dense<2.0> : tensor<1x1x1x1x$T>
  %a = xf.mul %q, %c : (tensor<2x2x$Nx$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<2x2x$Nx$Dx$T>
  %b = xf.mul %k, %c : (tensor<2x1x$Nx$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<2x1x$Nx$Dx$T>
  %o = xf.attention %a, %b, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @three$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<20x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %c = arith.constant dense<3.0> : tensor<1x1x1x1x$T>
  %a = xf.mul %q, %c : (tensor<2x2x$Nx$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<2x2x$Nx$Dx$T>
  %b = xf.mul %k, %c : (tensor<2x1x$Nx$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<2x1x$Nx$Dx$T>
  %o = xf.attention %a, %b, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<20x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @epsilon$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.3, guard = 0.2>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @no_normalizer$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, normalizer = none, stabilizer = sequence>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @count$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, normalizer = count, stabilizer = row>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @hyperbolic$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, guard = 0.5>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @trigonometric$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, normalizer = none>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @rows_causal$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, epsilon = 0.1, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// Causal sums, without epsilon.
func.func @causal_guard$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = sequence, epsilon = 0.0, guard = 0.5, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @causal_none$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = sequence, normalizer = none, of = #xf.causal>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// A stabiliser that cancels.
func.func @cancels$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, guard = 0.0>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// Keys that no query sees.
func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>, %x: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}, %y: tensor<2x$Nxi32> {xf.range = array<i64: -1, 3>}) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, normalizer = count, of = #xf.segments>) params(%w : tensor<6x$Dx$T>) segments(%x, %y : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @lengths$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 4>}) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, normalizer = count>) params(%w : tensor<6x$Dx$T>) lengths(%n : tensor<2xi64>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// Pair by pair.
func.func @window$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, of = #xf.window<left = 2, right = 1>>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
func.func @window_hyperbolic$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, guard = 0.2, of = #xf.window<left = 2, right = 1>>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// Other numbers of queries and heads.
func.func @fewer_queries$$(%q: tensor<2x4x3x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x4x3x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1>) params(%w : tensor<6x$Dx$T>) : (tensor<2x4x3x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx5x$T>) -> tensor<2x4x3x5x$T>
  return %o : tensor<2x4x3x5x$T>
}
func.func @each_head$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx5x$T>, %w: tensor<6x$Dx$T>) -> tensor<2x2x$Nx5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, guard = 2.0>) params(%w : tensor<6x$Dx$T>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx5x$T>) -> tensor<2x2x$Nx5x$T>
  return %o : tensor<2x2x$Nx5x$T>
}
// The first of equal keys and of equal features.
func.func @ties$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x20x$Dx$T>, %w: tensor<4x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %keys = xf.concat %k, %k axis 2 : (tensor<1x1x20x$Dx$T>, tensor<1x1x20x$Dx$T>) -> tensor<1x1x40x$Dx$T>
  %rows = xf.concat %w, %w axis 0 : (tensor<4x$Dx$T>, tensor<4x$Dx$T>) -> tensor<8x$Dx$T>
  %o = xf.attention %q, %keys, %keys pattern(#xf.kernelized<feature = favor, epsilon = 0.1>) params(%rows : tensor<8x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x40x$Dx$T>, tensor<1x1x40x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @ties_hyperbolic$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x20x$Dx$T>, %w: tensor<4x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %keys = xf.concat %k, %k axis 2 : (tensor<1x1x20x$Dx$T>, tensor<1x1x20x$Dx$T>) -> tensor<1x1x40x$Dx$T>
  %rows = xf.concat %w, %w axis 0 : (tensor<4x$Dx$T>, tensor<4x$Dx$T>) -> tensor<8x$Dx$T>
  %o = xf.attention %q, %keys, %keys pattern(#xf.kernelized<feature = hyperbolic, guard = 0.1>) params(%rows : tensor<8x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x40x$Dx$T>, tensor<1x1x40x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @ties_window$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x20x$Dx$T>, %w: tensor<4x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %keys = xf.concat %k, %k axis 2 : (tensor<1x1x20x$Dx$T>, tensor<1x1x20x$Dx$T>) -> tensor<1x1x40x$Dx$T>
  %rows = xf.concat %w, %w axis 0 : (tensor<4x$Dx$T>, tensor<4x$Dx$T>) -> tensor<8x$Dx$T>
  %o = xf.attention %q, %keys, %keys pattern(#xf.kernelized<feature = favor, epsilon = 0.1, of = #xf.window<left = 30, right = 30>>) params(%rows : tensor<8x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x40x$Dx$T>, tensor<1x1x40x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Rows of zeros have equal features.
func.func @zeros$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x20x$Dx$T>, %w: tensor<4x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %zeros = xf.mul %q, %zero : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<1x2x$Nx$Dx$T>
  %none = xf.mul %k, %zero : (tensor<1x1x20x$Dx$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x20x$Dx$T>
  %a = xf.attention %zeros, %k, %k pattern(#xf.kernelized<feature = favor, epsilon = 0.1>) params(%w : tensor<4x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x20x$Dx$T>, tensor<1x1x20x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %b = xf.attention %q, %none, %k pattern(#xf.kernelized<feature = hyperbolic, guard = 0.1>) params(%w : tensor<4x$Dx$T>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x20x$Dx$T>, tensor<1x1x20x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %o = xf.add %a, %b : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
