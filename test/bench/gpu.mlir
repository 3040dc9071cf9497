// Families of attention that gpu.sh compares on a GPU with the CPU: a template as those of test/sweep, whose files hold
// the other families. gpu_programs.py says with which sizes ($N, $D; $P is a third of N, $W twice D) and types ($T).

func.func @smoke$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @dense$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
func.func @dense_cross$$(%q: tensor<2x2x77x$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx24x$T>) -> tensor<2x2x77x24x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<2x2x77x$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx24x$T>) -> tensor<2x2x77x24x$T>
  return %o : tensor<2x2x77x24x$T>
}
func.func @causal$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
func.func @causal_decode$$(%q: tensor<2x4x5x$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>) -> tensor<2x4x5x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x4x5x$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x4x5x$Dx$T>
  return %o : tensor<2x4x5x$Dx$T>
}

func.func @window$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 100>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @window_narrow$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 4, right = 2>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @window_dilated$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 9, right = 6, step = 3>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

func.func @strided$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 17>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @strided_column$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 4, part = column>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @fixed$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 8>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @fixed_column$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 8, summary = 3, part = column>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %a: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}, %b: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @segments_causal$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %a: tensor<2x$Nxi32> {xf.range = array<i64: 0, 1>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %a : tensor<2x$Nxi32>, tensor<2x$Nxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @lengths$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 33>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 33>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}

func.func @bigbird$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 16, random = 1, seed = 7>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @random$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = 4, seed = 7>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @sets_union$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 2>, #xf.prefix<length = 5>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @sets_difference$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.difference<[#xf.causal, #xf.window<left = 3>]>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @sets_by_head$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.causal, #xf.union<[#xf.window<left = 9>, #xf.global<[0, -1]>]>]>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

func.func @score_bias$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>, %table: tensor<2x$Nxf32>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x$Nxf32>) {
    %distance = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %distance] : tensor<2x$Nxf32>
    %sum = arith.addf %s, %bias : f32
    xf.yield %sum : f32
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @score_softcap$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) {
    %cap = arith.constant 5.0 : f32
    %fraction = arith.divf %s, %cap : f32
    %bounded = math.tanh %fraction : f32
    %capped = arith.mulf %bounded, %cap : f32
    xf.yield %capped : f32
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @dropout$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(2.0e-1, %seed : tensor<2xi64>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

func.func @grid_by_token$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 3, of = #xf.causal>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @grid_by_position$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 3, of = #xf.causal, granularity = position>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @grid_pooled$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x$Px$Wx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 3, of = #xf.dense>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %tokens = xf.merge_heads %o : (tensor<1x2x$Nx$Dx$T>) -> tensor<1x$Nx$Wx$T>
  %pooled = xf.pool_layers %tokens layers 3 kind mean : (tensor<1x$Nx$Wx$T>) -> tensor<1x$Px$Wx$T>
  return %pooled : tensor<1x$Px$Wx$T>
}
