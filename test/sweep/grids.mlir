// Patterns over grids and blocks, where queries are the last rows: positions i + Nk - Nq, blocks of positions.
// RUN: xf-sweep %s --vjp A=? B=9 D=8 T=f64
// RUN: xf-sweep %s --vjp A=7,5,1,15 B=7 D=12 T=f32

// Q of 12 queries, 7, .. on 12 keys. In P, Nq is the number of blocks that the queries' positions lie in.
func.func @blocks_of_queries$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.block<size = 5, of = #xf.affine<(i, j)[Nq, Nk] : (i - j - Nk + Nq ge 0)>>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
func.func @blocks_of_segments$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>, %s: tensor<1x$Axi32> {xf.range = array<i64: 0, 1>}, %t: tensor<1x12xi32> {xf.range = array<i64: 0, 1>}) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.block<size = 5, of = #xf.segments>) segments(%s, %t : tensor<1x$Axi32>, tensor<1x12xi32>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
func.func @window_nd$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [3, 4], radius = [1, 1]>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @clamped$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [3, 4], radius = [1, 1], clamp = true>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @clamped_to_columns$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [3, 4], radius = [0, 1], clamp = true>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @lift$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.lift<extents = [3, 4], axis = 1, of = #xf.causal>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @swin$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.swin<extents = [6, 4], window = [3, 2], shift = [2, 1]>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @short_windows$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x35x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.swin<extents = [7, 5], window = [3, 2], shift = [2, 1]>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x35x$Dx$T>, tensor<1x1x35x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @grid_of_blocks$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.block<size = 2, of = #xf.window_nd<extents = [2, 3], radius = [0, 1]>>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @permuted$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.permute<[3, 1, 0, 7, 9, 2, 8, 4, 10, 6, 5, 11], of = #xf.causal>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}

// Layers as one sequence: g = 3 n + l, or g = 4 l + n.
func.func @layers_by_token$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.affine<(i, j)[Nq, Nk] : (i - j - Nk + Nq ge 0)>>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @layers_by_position$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.affine<(i, j)[Nq, Nk] : (i - j - Nk + Nq ge 0)>, granularity = position>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @depth$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.dense, factorised = true>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @depth_causal$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.causal, factorised = true>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @top$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.causal, queries = top>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x30x$Dx$T>, tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @top_by_position$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.window<left = 2, right = 1>, granularity = position, queries = top>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x30x$Dx$T>, tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}
func.func @top_depth$$(%q: tensor<1x1x$Ax$Dx$T>, %k: tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.dense, queries = top, factorised = true>) : (tensor<1x1x$Ax$Dx$T>, tensor<1x1x30x$Dx$T>, tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Ax$Dx$T>
  return %o : tensor<1x1x$Ax$Dx$T>
}

// Layer by layer, where no size may be dynamic.
func.func @layer_by_token$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.window<left = 5, right = 4>, order = layer>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}
func.func @layer_by_position$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.causal, granularity = position, order = layer>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}
func.func @layer_by_position_window$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.strided<stride = 2>, granularity = position, order = layer>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}
func.func @layer_depth$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.dense, order = layer, factorised = true>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}
func.func @layer_top$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.window<left = 6, right = 2>, order = layer, queries = top>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x30x$Dx$T>, tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}
func.func @layer_top_position$$(%q: tensor<1x1x$Bx$Dx$T>, %k: tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.causal, granularity = position, order = layer, queries = top>) : (tensor<1x1x$Bx$Dx$T>, tensor<1x1x30x$Dx$T>, tensor<1x1x30x$Dx$T>) -> tensor<1x1x$Bx$Dx$T>
  return %o : tensor<1x1x$Bx$Dx$T>
}

// Heads that differ within a pattern.
func.func @nested_heads$$(%q: tensor<1x6x$Bx$Dx$T>, %k: tensor<1x1x12x$Dx$T>) -> tensor<1x6x$Bx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.union<[#xf.heads<[#xf.window<left = 1>, #xf.heads<[#xf.keys<[0 : 2]>, #xf.dense, #xf.causal]>]>, #xf.block<size = 3, of = #xf.heads<[#xf.window<left = 0>, #xf.window<left = 1>]>>]>) : (tensor<1x6x$Bx$Dx$T>, tensor<1x1x12x$Dx$T>, tensor<1x1x12x$Dx$T>) -> tensor<1x6x$Bx$Dx$T>
  return %o : tensor<1x6x$Bx$Dx$T>
}
// In index order the last position may lack layers.
func.func @layers_of_some$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x16x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.heads<[#xf.grid<layers = 5, of = #xf.causal>, #xf.grid<layers = 5, of = #xf.causal, granularity = position>]>) : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x16x$Dx$T>, tensor<1x1x16x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
