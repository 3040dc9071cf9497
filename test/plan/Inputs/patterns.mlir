// The patterns of the tests of plans; plans see their pieces alone, which patterns.py compares with the .pieces files.

func.func @axial(%x: tensor<1x1x512x4xf32>) -> tensor<1x1x512x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.lift<extents = [16, 32], axis = 0, of = #xf.window<left = 0>>, #xf.lift<extents = [16, 32], axis = 1, of = #xf.window<left = 0>>]>) : (tensor<1x1x512x4xf32>, tensor<1x1x512x4xf32>, tensor<1x1x512x4xf32>) -> tensor<1x1x512x4xf32>
  return %o : tensor<1x1x512x4xf32>
}

func.func @bigbird(%x: tensor<1x1x1024x4xf32>) -> tensor<1x1x1024x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.bigbird<block = 16, random = 2, seed = 7>) : (tensor<1x1x1024x4xf32>, tensor<1x1x1024x4xf32>, tensor<1x1x1024x4xf32>) -> tensor<1x1x1024x4xf32>
  return %o : tensor<1x1x1024x4xf32>
}

func.func @bigbird_large(%x: tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.bigbird<global = 2, random = 0>) : (tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>, tensor<1x1x1048576x4xf32>) -> tensor<1x1x1048576x4xf32>
  return %o : tensor<1x1x1048576x4xf32>
}

func.func @causal(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @comb(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>, #xf.window<left = 5>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @dense(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @dilated(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dilated<left = 120, step = 4>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @fixed(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 32, summary = 8>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @fixed_large(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 1024, summary = 32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @global_large(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.intersection<[#xf.keys<[0 : 64]>, #xf.dense]>, #xf.intersection<[#xf.queries<[0 : 64]>, #xf.dense]>, #xf.window<left = 512, right = 512>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @global_tokens(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.global<[0, 1, 2, 3]>, #xf.window<left = 32, right = 32>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @prefix(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.prefix<length = 100>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @strided(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @strided_column(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 32, part = column>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @strided_large(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 1024>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @window(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 64>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @window2d(%x: tensor<1x1x512x4xf32>) -> tensor<1x1x512x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window_nd<extents = [16, 32], radius = [2, 3]>) : (tensor<1x1x512x4xf32>, tensor<1x1x512x4xf32>, tensor<1x1x512x4xf32>) -> tensor<1x1x512x4xf32>
  return %o : tensor<1x1x512x4xf32>
}

func.func @window_large(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 4096>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

func.func @window_symmetric(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 40, right = 40>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}
