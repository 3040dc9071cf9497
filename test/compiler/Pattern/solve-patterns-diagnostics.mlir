// RUN: xf-opt --xf-solve-patterns -split-input-file -verify-diagnostics %s

func.func @empty(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a pattern with pairs, got the statically empty pattern #xf.}}
  %o = xf.attention %x, %x, %x pattern(#xf.intersection<[#xf.causal, #xf.window<left = -1, right = 4>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @empty_rows(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-remark @+1 {{some queries may see no key: their output is 0 and their lse -inf}}
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 8, summary = 2, part = column>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @tiles(%x: tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32> {
  // expected-remark @+2 {{some queries may see no key: their output is 0 and their lse -inf}}
  // expected-remark @+1 {{pattern runs tile by tile, each tile with a pair in it computed whole: no interval of keys in any order of queries; 4096 pairs in tiles of 64 x 64 for 170}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 8 - j floordiv 8) mod 8 == 0, (i - 2 * j) mod 3 == 0)>) : (tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32>
  return %o : tensor<1x1x64x4xf32>
}

// -----

// Every query sees itself.
func.func @tiles_with_diagonal(%x: tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32> {
  // expected-remark @+1 {{pattern runs tile by tile}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 8 - j floordiv 8) mod 8 == 0, (i - j) mod 3 == 0)>) : (tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32>
  return %o : tensor<1x1x64x4xf32>
}

// -----

func.func @segments(%x: tensor<1x1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x1x?x4xf32> {
  // expected-remark @+2 {{some queries may see no key}}
  // expected-remark @+1 {{pattern runs tile by tile, each tile with a pair in it computed whole: asks for data that no formula gives; how many there are depends on the data}}
  %o = xf.attention %x, %x, %x pattern(#xf.segments) segments(%ids, %ids : tensor<1x?xi32>, tensor<1x?xi32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @random(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected static numbers of queries, keys and heads, got a dynamic one beside #xf.random<count = 3, seed = 1>}}
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.causal, #xf.random<count = 3, seed = 1>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// Nothing is drawn, whatever the sizes.
func.func @random_none(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a pattern with pairs, got the statically empty pattern #xf.random<count = 0, seed = 1>}}
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 0, seed = 1>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// No segment sees another one.
func.func @no_relation(%x: tensor<1x1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a pattern with pairs, got the statically empty pattern #xf.segments<relation = }}
  %o = xf.attention %x, %x, %x pattern(#xf.segments<relation = [[0, 0], [0, 0]]>) segments(%ids, %ids : tensor<1x?xi32>, tensor<1x?xi32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// What is drawn is drawn when the program is compiled.
func.func @random_outside(%x: tensor<1x1x16x4xf32>, %ids: tensor<1x16xi32>) -> tensor<1x1x16x4xf32> {
  // expected-error @+1 {{expected random keys outside a pattern that is known when a program is compiled, got #xf.segments}}
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 3, seed = 1, outside = #xf.segments>) segments(%ids, %ids : tensor<1x16xi32>, tensor<1x16xi32>) : (tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>) -> tensor<1x1x16x4xf32>
  return %o : tensor<1x1x16x4xf32>
}

// -----

func.func @many_rows(%x: tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32> {
  // expected-error @+1 {{expected at most 262144 rows that draw keys outside a pattern, got 1048576 rows of 1 heads}}
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 1, seed = 1, outside = #xf.window<left = 3>>) : (tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32>
  return %o : tensor<1x1x1048576x4xf32>
}

// -----

func.func @many_draws(%x: tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32> {
  // expected-error @+1 {{expected at most 16777216 random keys for all rows and heads, got 65 in each of 1048576 rows of 1 heads}}
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 65, seed = 1>) : (tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32>
  return %o : tensor<1x1x1048576x4xf32>
}

// -----

func.func @kernelized(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{not implemented: kernelised attention over #xf.window<left = 3>; expected all pairs, the causal ones, or those within segments}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.window<left = 3>>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @low_rank(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected a set of pairs, got #xf.low_rank}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4, projection = mean>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

func.func @bigbird(%x: tensor<1x?x16x4xf32>) -> tensor<1x?x16x4xf32> {
  // expected-error @+1 {{expected static numbers of queries, keys and heads, got a dynamic one beside #xf.bigbird<block = 2>}}
  %o = xf.attention %x, %x, %x pattern(#xf.bigbird<block = 2>) : (tensor<1x?x16x4xf32>, tensor<1x?x16x4xf32>, tensor<1x?x16x4xf32>) -> tensor<1x?x16x4xf32>
  return %o : tensor<1x?x16x4xf32>
}

// -----

// Where the layers lie one after the other, their length is no number that divisions may use.
func.func @layer_order(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected static numbers of queries, keys and heads, got a dynamic one beside #xf.grid<layers = 2, of = #xf.causal, granularity = position, order = layer>}}
  %o = xf.attention %x, %x, %x pattern(#xf.grid<layers = 2, of = #xf.causal, granularity = position, order = layer>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// What only the solver sees to be causal.
func.func @leaking_kernel(%x: tensor<1x1x?x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x1x?x4xf32> {
  // expected-error @+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum over the sequence leaks the future; got #xf.kernelized<feature = favor, of = #xf.block<size = 1, of = #xf.causal>>}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.block<size = 1, of = #xf.causal>>) params(%w : tensor<4x4xf32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}
