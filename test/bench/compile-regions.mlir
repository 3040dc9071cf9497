// Programs to time the compiler with (compile.py), continued: score regions, kernelised and low rank, what once took longest.

func.func @score_sin(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       score(%s : f32, %b, %h, %i, %j) {
         %y = math.sin %s : f32
         xf.yield %y : f32
       }
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @score_tanh(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       score(%s : f32, %b, %h, %i, %j) {
         %y = math.tanh %s : f32
         xf.yield %y : f32
       }
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @score_erf_exp(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense)
       score(%s : f32, %b, %h, %i, %j) {
         %y = math.erf %s : f32
         %e = math.exp %y : f32
         %z = arith.addf %e, %s : f32
         xf.yield %z : f32
       }
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @score_alibi(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       score(%s : f32, %b, %h, %i, %j) {
         %d = arith.subi %j, %i : index
         %n = arith.index_cast %d : index to i64
         %f = arith.sitofp %n : i64 to f32
         %c = arith.constant 1.250000e-01 : f32
         %g = arith.mulf %f, %c : f32
         %z = arith.addf %s, %g : f32
         xf.yield %z : f32
       }
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @score_documents_bias(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %sq: tensor<1x96xi32> {xf.name = "sq"}, %sk: tensor<1x96xi32> {xf.name = "sk"}, %t: tensor<2x96xf32> {xf.name = "t"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>)
       segments(%sq, %sk : tensor<1x96xi32>, tensor<1x96xi32>)
       score(%s : f32, %b, %h, %i, %j) captures(%u = %t : tensor<2x96xf32>) {
         %d = arith.subi %i, %j : index
         %a = tensor.extract %u[%h, %d] : tensor<2x96xf32>
         %z = arith.addf %s, %a : f32
         xf.yield %z : f32
       }
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @favor(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"}, %v: tensor<1x2x100x32xf32> {xf.name = "v"}, %w: tensor<64x32xf32> {xf.name = "w"})
    -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>)
       params(%w : tensor<64x32xf32>)
     : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}

func.func @relu_linear(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"}, %v: tensor<1x2x100x32xf32> {xf.name = "v"})
    -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.dense>)
     : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}

func.func @retention(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"}, %v: tensor<1x2x100x32xf32> {xf.name = "v"})
    -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>)
     : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}

func.func @low_rank_mean(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 8, projection = mean>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @grid_layer_order(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 3, of = #xf.fixed<block = 8, summary = 2>, granularity = position, order = layer>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @staircase_of_rows(%q: tensor<1x2x60x32xf32> {xf.name = "q"}, %k: tensor<1x2x60x32xf32> {xf.name = "k"}, %v: tensor<1x2x60x32xf32> {xf.name = "v"})
    -> (tensor<1x2x60x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 20 - j mod 20 ge 0, i floordiv 20 - j floordiv 20 ge 0)>)
     : (tensor<1x2x60x32xf32>, tensor<1x2x60x32xf32>, tensor<1x2x60x32xf32>) -> tensor<1x2x60x32xf32>
  return %o : tensor<1x2x60x32xf32>
}

func.func @natten_5x5(%q: tensor<1x1x72x16xf32> {xf.name = "q"}, %k: tensor<1x1x72x16xf32> {xf.name = "k"}, %v: tensor<1x1x72x16xf32> {xf.name = "v"})
    -> (tensor<1x1x72x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [8, 9], radius = [2, 2], clamp = true>)
     : (tensor<1x1x72x16xf32>, tensor<1x1x72x16xf32>, tensor<1x1x72x16xf32>) -> tensor<1x1x72x16xf32>
  return %o : tensor<1x1x72x16xf32>
}

func.func @score_sin_global(%q: tensor<1x2x70x32xf32> {xf.name = "q"}, %k: tensor<1x2x70x32xf32> {xf.name = "k"}, %v: tensor<1x2x70x32xf32> {xf.name = "v"})
    -> (tensor<1x2x70x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.global<[-21, -19, 24]>)
       score(%s : f32, %b, %h, %i, %j) {
         %y = math.sin %s : f32
         xf.yield %y : f32
       }
     : (tensor<1x2x70x32xf32>, tensor<1x2x70x32xf32>, tensor<1x2x70x32xf32>) -> tensor<1x2x70x32xf32>
  return %o : tensor<1x2x70x32xf32>
}
