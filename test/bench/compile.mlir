// Programs to time the compiler with (compile.py): the textual ones that a user meets first, then families of
// patterns in ordinary uses, then what once took longest.

func.func @contract_affine(%q: tensor<1x2x96x64xf32> {xf.name = "q"}, %k: tensor<1x2x96x64xf32> {xf.name = "k"},
                  %v: tensor<1x2x96x64xf32> {xf.name = "v"}) -> (tensor<1x2x96x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v
       pattern(#xf.union<[#xf.window<left = 5>,
                          #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>)
     : (tensor<1x2x96x64xf32>, tensor<1x2x96x64xf32>, tensor<1x2x96x64xf32>) -> tensor<1x2x96x64xf32>
  return %o : tensor<1x2x96x64xf32>
}

func.func @contract_bigbird(%q: tensor<1x2x200x32xf32> {xf.name = "q"}, %k: tensor<1x2x200x32xf32> {xf.name = "k"},
                  %v: tensor<1x2x200x32xf32> {xf.name = "v"}) -> (tensor<1x2x200x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 16, window = 3, global = 1, random = 2, seed = 7>)
     : (tensor<1x2x200x32xf32>, tensor<1x2x200x32xf32>, tensor<1x2x200x32xf32>) -> tensor<1x2x200x32xf32>
  return %o : tensor<1x2x200x32xf32>
}

func.func @contract_causal_gqa(%q: tensor<1x8x?x64xf32> {xf.name = "q"}, %k: tensor<1x2x?x64xf32> {xf.name = "k"},
                  %v: tensor<1x2x?x64xf32> {xf.name = "v"})
    -> (tensor<1x8x?x64xf32> {xf.name = "o"}, tensor<1x8x?xf32> {xf.name = "lse"}) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) scale 1.250000e-01
     : (tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>) -> (tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
  return %o, %lse : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
}

func.func @contract_dense_cross(%q: tensor<2x4x33x64xf32> {xf.name = "q"}, %k: tensor<2x4x100x64xf32> {xf.name = "k"},
                  %v: tensor<2x4x100x48xf32> {xf.name = "v"}) -> (tensor<2x4x33x48xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense)
     : (tensor<2x4x33x64xf32>, tensor<2x4x100x64xf32>, tensor<2x4x100x48xf32>) -> tensor<2x4x33x48xf32>
  return %o : tensor<2x4x33x48xf32>
}

func.func @contract_fixed_heads(%q: tensor<1x4x100x32xf32> {xf.name = "q"}, %k: tensor<1x4x100x32xf32> {xf.name = "k"},
                  %v: tensor<1x4x100x32xf32> {xf.name = "v"}) -> (tensor<1x4x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v
       pattern(#xf.heads<[#xf.fixed<block = 8, summary = 3, part = local>, #xf.fixed<block = 8, summary = 3, part = column>]>)
     : (tensor<1x4x100x32xf32>, tensor<1x4x100x32xf32>, tensor<1x4x100x32xf32>) -> tensor<1x4x100x32xf32>
  return %o : tensor<1x4x100x32xf32>
}

func.func @contract_grid(%x1: tensor<2x50x64xf32> {xf.name = "x1"}, %x2: tensor<2x50x64xf32> {xf.name = "x2"},
                %x3: tensor<2x50x64xf32> {xf.name = "x3"}) -> (tensor<2x50x64xf32> {xf.name = "o"}) {
  %z = xf.stack_layers %x1, %x2, %x3
     : (tensor<2x50x64xf32>, tensor<2x50x64xf32>, tensor<2x50x64xf32>) -> tensor<2x150x64xf32>
  %h = xf.split_heads %z heads 4 : (tensor<2x150x64xf32>) -> tensor<2x4x150x16xf32>
  %a = xf.attention %h, %h, %h pattern(#xf.grid<layers = 3, of = #xf.causal, granularity = position>)
     : (tensor<2x4x150x16xf32>, tensor<2x4x150x16xf32>, tensor<2x4x150x16xf32>) -> tensor<2x4x150x16xf32>
  %m = xf.merge_heads %a : (tensor<2x4x150x16xf32>) -> tensor<2x150x64xf32>
  %o = xf.pool_layers %m layers 3 kind max : (tensor<2x150x64xf32>) -> tensor<2x50x64xf32>
  return %o : tensor<2x50x64xf32>
}

func.func @contract_kernelized_favor(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"},
                  %v: tensor<1x2x100x32xf32> {xf.name = "v"}, %w: tensor<64x32xf32> {xf.name = "w"})
    -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v
       pattern(#xf.kernelized<feature = favor, stabilizer = running, of = #xf.causal>)
       params(%w : tensor<64x32xf32>)
     : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}

func.func @contract_low_rank(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"},
                  %v: tensor<1x2x100x32xf32> {xf.name = "v"}, %e: tensor<128x24xf32> {xf.name = "e"})
    -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 24>) params(%e : tensor<128x24xf32>)
     : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}

func.func @contract_score_bias(%q: tensor<1x2x40x32xf32> {xf.name = "q"}, %k: tensor<1x2x40x32xf32> {xf.name = "k"},
                  %v: tensor<1x2x40x32xf32> {xf.name = "v"}, %table: tensor<2x40xf32> {xf.name = "table"})
    -> (tensor<1x2x40x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x40xf32>) {
         %d = arith.subi %i, %j : index
         %bias = tensor.extract %t[%h, %d] : tensor<2x40xf32>
         %x = arith.addf %s, %bias : f32
         %c = arith.constant 3.0e+01 : f32
         %r = arith.divf %x, %c : f32
         %y = math.tanh %r : f32
         %z = arith.mulf %y, %c : f32
         xf.yield %z : f32
       }
     : (tensor<1x2x40x32xf32>, tensor<1x2x40x32xf32>, tensor<1x2x40x32xf32>) -> tensor<1x2x40x32xf32>
  return %o : tensor<1x2x40x32xf32>
}

func.func @contract_strided(%q: tensor<1x2x100x64xf32> {xf.name = "q"}, %k: tensor<1x2x100x64xf32> {xf.name = "k"},
                  %v: tensor<1x2x100x64xf32> {xf.name = "v"}) -> (tensor<1x2x100x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8>)
     : (tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}

func.func @contract_window_lengths(%q: tensor<3x2x70x16xf32> {xf.name = "q"}, %k: tensor<3x2x70x16xf32> {xf.name = "k"},
                  %v: tensor<3x2x70x16xf32> {xf.name = "v"}, %n: tensor<3xi64> {xf.name = "lengths"})
    -> (tensor<3x2x70x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 7, right = 3>) lengths(%n : tensor<3xi64>)
     : (tensor<3x2x70x16xf32>, tensor<3x2x70x16xf32>, tensor<3x2x70x16xf32>) -> tensor<3x2x70x16xf32>
  return %o : tensor<3x2x70x16xf32>
}

func.func @causal(%q: tensor<1x2x512x64xf32> {xf.name = "q"}, %k: tensor<1x2x512x64xf32> {xf.name = "k"}, %v: tensor<1x2x512x64xf32> {xf.name = "v"})
    -> (tensor<1x2x512x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
     : (tensor<1x2x512x64xf32>, tensor<1x2x512x64xf32>, tensor<1x2x512x64xf32>) -> tensor<1x2x512x64xf32>
  return %o : tensor<1x2x512x64xf32>
}

func.func @causal_dynamic(%q: tensor<1x4x?x64xf32> {xf.name = "q"}, %k: tensor<1x2x?x64xf32> {xf.name = "k"}, %v: tensor<1x2x?x64xf32> {xf.name = "v"})
    -> (tensor<1x4x?x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
     : (tensor<1x4x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>) -> tensor<1x4x?x64xf32>
  return %o : tensor<1x4x?x64xf32>
}

func.func @causal_bf16(%q: tensor<1x2x512x64xbf16> {xf.name = "q"}, %k: tensor<1x2x512x64xbf16> {xf.name = "k"}, %v: tensor<1x2x512x64xbf16> {xf.name = "v"})
    -> (tensor<1x2x512x64xbf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
     : (tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16>
  return %o : tensor<1x2x512x64xbf16>
}

func.func @causal_f64(%q: tensor<1x2x96x32xf64> {xf.name = "q"}, %k: tensor<1x2x96x32xf64> {xf.name = "k"}, %v: tensor<1x2x96x32xf64> {xf.name = "v"})
    -> (tensor<1x2x96x32xf64> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
     : (tensor<1x2x96x32xf64>, tensor<1x2x96x32xf64>, tensor<1x2x96x32xf64>) -> tensor<1x2x96x32xf64>
  return %o : tensor<1x2x96x32xf64>
}

func.func @cross_f16(%q: tensor<2x4x33x64xf16> {xf.name = "q"}, %k: tensor<2x4x100x64xf16> {xf.name = "k"}, %v: tensor<2x4x100x48xf16> {xf.name = "v"})
    -> (tensor<2x4x33x48xf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense)
     : (tensor<2x4x33x64xf16>, tensor<2x4x100x64xf16>, tensor<2x4x100x48xf16>) -> tensor<2x4x33x48xf16>
  return %o : tensor<2x4x33x48xf16>
}

func.func @window(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9, right = 9>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @window_lengths(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %n: tensor<1xi64> {xf.name = "n"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 7, right = 3>)
       lengths(%n : tensor<1xi64>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @dilated_heads(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, 15 - i + j ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, 63 - i + j ge 0, (i - j) mod 4 == 0)>]>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @strided_64(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"})
    -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 64>)
     : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}

func.func @strided_column(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"})
    -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 32, part = column>)
     : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}

func.func @strided_bf16(%q: tensor<1x2x256x64xbf16> {xf.name = "q"}, %k: tensor<1x2x256x64xbf16> {xf.name = "k"}, %v: tensor<1x2x256x64xbf16> {xf.name = "v"})
    -> (tensor<1x2x256x64xbf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>)
     : (tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>) -> tensor<1x2x256x64xbf16>
  return %o : tensor<1x2x256x64xbf16>
}

func.func @fixed(%q: tensor<1x2x256x64xf32> {xf.name = "q"}, %k: tensor<1x2x256x64xf32> {xf.name = "k"}, %v: tensor<1x2x256x64xf32> {xf.name = "v"})
    -> (tensor<1x2x256x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 8>)
     : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  return %o : tensor<1x2x256x64xf32>
}

func.func @fixed_local(%q: tensor<1x2x256x64xf32> {xf.name = "q"}, %k: tensor<1x2x256x64xf32> {xf.name = "k"}, %v: tensor<1x2x256x64xf32> {xf.name = "v"})
    -> (tensor<1x2x256x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 8, part = local>)
     : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  return %o : tensor<1x2x256x64xf32>
}

func.func @fixed_column(%q: tensor<1x2x256x64xf32> {xf.name = "q"}, %k: tensor<1x2x256x64xf32> {xf.name = "k"}, %v: tensor<1x2x256x64xf32> {xf.name = "v"})
    -> (tensor<1x2x256x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 8, part = column>)
     : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  return %o : tensor<1x2x256x64xf32>
}

func.func @prefix(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.prefix<length = 32>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @longformer(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 8, right = 8>, #xf.global<[0, 1]>]>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @union_of_three(%q: tensor<1x2x90x16xf32> {xf.name = "q"}, %k: tensor<1x2x90x16xf32> {xf.name = "k"}, %v: tensor<1x2x90x16xf32> {xf.name = "v"})
    -> (tensor<1x2x90x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.affine<(i, j)[Nq, Nk] : ((i - j) mod 7 == 0)>, #xf.keys<[0 : 1, 40 : 41]>]>)
     : (tensor<1x2x90x16xf32>, tensor<1x2x90x16xf32>, tensor<1x2x90x16xf32>) -> tensor<1x2x90x16xf32>
  return %o : tensor<1x2x90x16xf32>
}

func.func @nested_difference(%q: tensor<1x2x90x16xf32> {xf.name = "q"}, %k: tensor<1x2x90x16xf32> {xf.name = "k"}, %v: tensor<1x2x90x16xf32> {xf.name = "v"})
    -> (tensor<1x2x90x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.difference<[#xf.affine<(i, j)[Nq, Nk] : ((i - j) mod 7 == 0)>, #xf.queries<[10 : 20]>]>]>)
     : (tensor<1x2x90x16xf32>, tensor<1x2x90x16xf32>, tensor<1x2x90x16xf32>) -> tensor<1x2x90x16xf32>
  return %o : tensor<1x2x90x16xf32>
}

func.func @bigbird(%q: tensor<1x2x2048x64xf32> {xf.name = "q"}, %k: tensor<1x2x2048x64xf32> {xf.name = "k"}, %v: tensor<1x2x2048x64xf32> {xf.name = "v"})
    -> (tensor<1x2x2048x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 64>)
     : (tensor<1x2x2048x64xf32>, tensor<1x2x2048x64xf32>, tensor<1x2x2048x64xf32>) -> tensor<1x2x2048x64xf32>
  return %o : tensor<1x2x2048x64xf32>
}

func.func @bigbird_drawn_none(%q: tensor<1x2x256x64xf32> {xf.name = "q"}, %k: tensor<1x2x256x64xf32> {xf.name = "k"}, %v: tensor<1x2x256x64xf32> {xf.name = "v"})
    -> (tensor<1x2x256x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 16, random = 0>)
     : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  return %o : tensor<1x2x256x64xf32>
}

func.func @given_blocks_4(%q: tensor<1x2x64x32xf32> {xf.name = "q"}, %k: tensor<1x2x64x32xf32> {xf.name = "k"}, %v: tensor<1x2x64x32xf32> {xf.name = "v"})
    -> (tensor<1x2x64x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.intersection<[#xf.queries<[0 : 16]>, #xf.keys<[0 : 16, 16 : 32, 32 : 48]>]>,
         #xf.intersection<[#xf.queries<[16 : 32]>, #xf.keys<[0 : 16, 16 : 32, 48 : 64]>]>,
         #xf.intersection<[#xf.queries<[32 : 48]>, #xf.keys<[0 : 16, 32 : 48, 48 : 64]>]>,
         #xf.intersection<[#xf.queries<[48 : 64]>, #xf.keys<[0 : 16, 16 : 32, 32 : 48, 48 : 64]>]>]>)
     : (tensor<1x2x64x32xf32>, tensor<1x2x64x32xf32>, tensor<1x2x64x32xf32>) -> tensor<1x2x64x32xf32>
  return %o : tensor<1x2x64x32xf32>
}

func.func @given_blocks_8(%q: tensor<1x2x128x32xf32> {xf.name = "q"}, %k: tensor<1x2x128x32xf32> {xf.name = "k"}, %v: tensor<1x2x128x32xf32> {xf.name = "v"})
    -> (tensor<1x2x128x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.intersection<[#xf.queries<[0 : 16]>, #xf.keys<[0 : 16, 16 : 32, 32 : 48]>]>,
         #xf.intersection<[#xf.queries<[16 : 32]>, #xf.keys<[0 : 16, 16 : 32, 64 : 80, 112 : 128]>]>,
         #xf.intersection<[#xf.queries<[32 : 48]>, #xf.keys<[0 : 16, 32 : 48, 64 : 80, 112 : 128]>]>,
         #xf.intersection<[#xf.queries<[48 : 64]>, #xf.keys<[0 : 16, 16 : 32, 32 : 48, 48 : 64]>]>,
         #xf.intersection<[#xf.queries<[64 : 80]>, #xf.keys<[0 : 16, 64 : 80, 80 : 96, 96 : 112]>]>,
         #xf.intersection<[#xf.queries<[80 : 96]>, #xf.keys<[0 : 16, 48 : 64, 80 : 96]>]>,
         #xf.intersection<[#xf.queries<[96 : 112]>, #xf.keys<[0 : 16, 48 : 64, 96 : 112]>]>,
         #xf.intersection<[#xf.queries<[112 : 128]>, #xf.keys<[0 : 16, 80 : 96, 96 : 112, 112 : 128]>]>]>)
     : (tensor<1x2x128x32xf32>, tensor<1x2x128x32xf32>, tensor<1x2x128x32xf32>) -> tensor<1x2x128x32xf32>
  return %o : tensor<1x2x128x32xf32>
}

func.func @given_blocks_16(%q: tensor<1x2x256x32xf32> {xf.name = "q"}, %k: tensor<1x2x256x32xf32> {xf.name = "k"}, %v: tensor<1x2x256x32xf32> {xf.name = "v"})
    -> (tensor<1x2x256x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.intersection<[#xf.queries<[0 : 16]>, #xf.keys<[0 : 16, 16 : 32, 32 : 48]>]>,
         #xf.intersection<[#xf.queries<[16 : 32]>, #xf.keys<[0 : 16, 16 : 32, 64 : 80, 112 : 128]>]>,
         #xf.intersection<[#xf.queries<[32 : 48]>, #xf.keys<[0 : 16, 32 : 48, 112 : 128, 192 : 208]>]>,
         #xf.intersection<[#xf.queries<[48 : 64]>, #xf.keys<[0 : 16, 16 : 32, 48 : 64, 160 : 176]>]>,
         #xf.intersection<[#xf.queries<[64 : 80]>, #xf.keys<[0 : 16, 64 : 80, 96 : 112, 208 : 224]>]>,
         #xf.intersection<[#xf.queries<[80 : 96]>, #xf.keys<[0 : 16, 80 : 96, 176 : 192]>]>,
         #xf.intersection<[#xf.queries<[96 : 112]>, #xf.keys<[0 : 16, 48 : 64, 96 : 112]>]>,
         #xf.intersection<[#xf.queries<[112 : 128]>, #xf.keys<[0 : 16, 80 : 96, 96 : 112, 112 : 128]>]>,
         #xf.intersection<[#xf.queries<[128 : 144]>, #xf.keys<[0 : 16, 128 : 144, 144 : 160, 160 : 176]>]>,
         #xf.intersection<[#xf.queries<[144 : 160]>, #xf.keys<[0 : 16, 144 : 160, 192 : 208, 240 : 256]>]>,
         #xf.intersection<[#xf.queries<[160 : 176]>, #xf.keys<[0 : 16, 64 : 80, 160 : 176, 240 : 256]>]>,
         #xf.intersection<[#xf.queries<[176 : 192]>, #xf.keys<[0 : 16, 32 : 48, 144 : 160, 176 : 192]>]>,
         #xf.intersection<[#xf.queries<[192 : 208]>, #xf.keys<[0 : 16, 80 : 96, 192 : 208, 224 : 240]>]>,
         #xf.intersection<[#xf.queries<[208 : 224]>, #xf.keys<[0 : 16, 48 : 64, 128 : 144, 208 : 224]>]>,
         #xf.intersection<[#xf.queries<[224 : 240]>, #xf.keys<[0 : 16, 128 : 144, 176 : 192, 224 : 240]>]>,
         #xf.intersection<[#xf.queries<[240 : 256]>, #xf.keys<[0 : 16, 208 : 224, 224 : 240, 240 : 256]>]>]>)
     : (tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>) -> tensor<1x2x256x32xf32>
  return %o : tensor<1x2x256x32xf32>
}

func.func @random_keys(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = 8, seed = 7>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @table(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %offsets: tensor<7xi32> {xf.name = "offsets"}, %columns: tensor<18xi32> {xf.name = "columns"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 16>)
       table(%offsets, %columns : tensor<7xi32>, tensor<18xi32>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @documents(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %sq: tensor<1x96xi32> {xf.name = "sq"}, %sk: tensor<1x96xi32> {xf.name = "sk"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>)
       segments(%sq, %sk : tensor<1x96xi32>, tensor<1x96xi32>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @relation(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %sq: tensor<1x96xi32> {xf.name = "sq"}, %sk: tensor<1x96xi32> {xf.name = "sk"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0, 0], [0, 1, 0], [1, 1, 1]]>)
       segments(%sq, %sk : tensor<1x96xi32>, tensor<1x96xi32>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @natten(%q: tensor<1x1x99x16xf32> {xf.name = "q"}, %k: tensor<1x1x99x16xf32> {xf.name = "k"}, %v: tensor<1x1x99x16xf32> {xf.name = "v"})
    -> (tensor<1x1x99x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [9, 11], radius = [3, 3], clamp = true>)
     : (tensor<1x1x99x16xf32>, tensor<1x1x99x16xf32>, tensor<1x1x99x16xf32>) -> tensor<1x1x99x16xf32>
  return %o : tensor<1x1x99x16xf32>
}

func.func @natten_clipped(%q: tensor<1x2x256x32xf32> {xf.name = "q"}, %k: tensor<1x2x256x32xf32> {xf.name = "k"}, %v: tensor<1x2x256x32xf32> {xf.name = "v"})
    -> (tensor<1x2x256x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [16, 16], radius = [3, 3]>)
     : (tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>) -> tensor<1x2x256x32xf32>
  return %o : tensor<1x2x256x32xf32>
}

func.func @natten_13(%q: tensor<1x2x784x32xf32> {xf.name = "q"}, %k: tensor<1x2x784x32xf32> {xf.name = "k"}, %v: tensor<1x2x784x32xf32> {xf.name = "v"})
    -> (tensor<1x2x784x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [28, 28], radius = [6, 6], clamp = true>)
     : (tensor<1x2x784x32xf32>, tensor<1x2x784x32xf32>, tensor<1x2x784x32xf32>) -> tensor<1x2x784x32xf32>
  return %o : tensor<1x2x784x32xf32>
}

func.func @space_time(%q: tensor<1x2x144x32xf32> {xf.name = "q"}, %k: tensor<1x2x144x32xf32> {xf.name = "k"}, %v: tensor<1x2x144x32xf32> {xf.name = "v"})
    -> (tensor<1x2x144x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 6, 6], radius = [1, 1, 1]>)
     : (tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>) -> tensor<1x2x144x32xf32>
  return %o : tensor<1x2x144x32xf32>
}

func.func @space_time_clamped(%q: tensor<1x2x144x32xf32> {xf.name = "q"}, %k: tensor<1x2x144x32xf32> {xf.name = "k"}, %v: tensor<1x2x144x32xf32> {xf.name = "v"})
    -> (tensor<1x2x144x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 6, 6], radius = [1, 1, 1], clamp = true>)
     : (tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>) -> tensor<1x2x144x32xf32>
  return %o : tensor<1x2x144x32xf32>
}

func.func @axial(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.lift<extents = [8, 12], axis = 0, of = #xf.dense>, #xf.lift<extents = [8, 12], axis = 1, of = #xf.dense>]>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @axial_causal(%q: tensor<1x2x60x16xf32> {xf.name = "q"}, %k: tensor<1x2x60x16xf32> {xf.name = "k"}, %v: tensor<1x2x60x16xf32> {xf.name = "v"})
    -> (tensor<1x2x60x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.lift<extents = [20, 3], axis = 0, of = #xf.causal>)
     : (tensor<1x2x60x16xf32>, tensor<1x2x60x16xf32>, tensor<1x2x60x16xf32>) -> tensor<1x2x60x16xf32>
  return %o : tensor<1x2x60x16xf32>
}

func.func @grid_of_layers(%q: tensor<1x2x160x32xf32> {xf.name = "q"}, %k: tensor<1x2x160x32xf32> {xf.name = "k"}, %v: tensor<1x2x160x32xf32> {xf.name = "v"})
    -> (tensor<1x2x160x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 5, of = #xf.causal>)
     : (tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>) -> tensor<1x2x160x32xf32>
  return %o : tensor<1x2x160x32xf32>
}

func.func @grid_by_position(%q: tensor<1x2x160x32xf32> {xf.name = "q"}, %k: tensor<1x2x160x32xf32> {xf.name = "k"}, %v: tensor<1x2x160x32xf32> {xf.name = "v"})
    -> (tensor<1x2x160x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 5, of = #xf.causal, granularity = position>)
     : (tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>) -> tensor<1x2x160x32xf32>
  return %o : tensor<1x2x160x32xf32>
}

func.func @grid_of_strided(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 3, of = #xf.strided<stride = 8>, granularity = position>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @grid_layer_major(%q: tensor<1x2x160x32xf32> {xf.name = "q"}, %k: tensor<1x2x160x32xf32> {xf.name = "k"}, %v: tensor<1x2x160x32xf32> {xf.name = "v"})
    -> (tensor<1x2x160x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.lift<extents = [5, 32], axis = 1, of = #xf.causal>)
     : (tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>, tensor<1x2x160x32xf32>) -> tensor<1x2x160x32xf32>
  return %o : tensor<1x2x160x32xf32>
}

func.func @swin(%q: tensor<1x2x256x32xf32> {xf.name = "q"}, %k: tensor<1x2x256x32xf32> {xf.name = "k"}, %v: tensor<1x2x256x32xf32> {xf.name = "v"})
    -> (tensor<1x2x256x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [16, 16], window = [8, 8], shift = [0, 0]>)
     : (tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>, tensor<1x2x256x32xf32>) -> tensor<1x2x256x32xf32>
  return %o : tensor<1x2x256x32xf32>
}

func.func @swin_shifted(%q: tensor<1x2x144x32xf32> {xf.name = "q"}, %k: tensor<1x2x144x32xf32> {xf.name = "k"}, %v: tensor<1x2x144x32xf32> {xf.name = "v"})
    -> (tensor<1x2x144x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [12, 12], window = [4, 4], shift = [2, 2]>)
     : (tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>, tensor<1x2x144x32xf32>) -> tensor<1x2x144x32xf32>
  return %o : tensor<1x2x144x32xf32>
}

func.func @permuted(%q: tensor<1x2x12x16xf32> {xf.name = "q"}, %k: tensor<1x2x12x16xf32> {xf.name = "k"}, %v: tensor<1x2x12x16xf32> {xf.name = "v"})
    -> (tensor<1x2x12x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[3, 1, 0, 7, 9, 2, 8, 4, 10, 6, 5, 11], of = #xf.causal>)
     : (tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x12x16xf32>
  return %o : tensor<1x2x12x16xf32>
}

func.func @comb(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 5>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}

func.func @dropout(%q: tensor<1x2x96x32xf32> {xf.name = "q"}, %k: tensor<1x2x96x32xf32> {xf.name = "k"}, %v: tensor<1x2x96x32xf32> {xf.name = "v"}, %seed: tensor<2xi64> {xf.name = "seed"})
    -> (tensor<1x2x96x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
       dropout(1.000000e-01, %seed : tensor<2xi64>)
     : (tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>, tensor<1x2x96x32xf32>) -> tensor<1x2x96x32xf32>
  return %o : tensor<1x2x96x32xf32>
}
