// Code for 512-bit registers on any processor: LLVM splits its vectors.
// RUN: xf-sweep %s --vjp --vector-bits=512 N=67 D=48 T=f32
// RUN: xf-sweep %s --vjp --vector-bits=512 N=? D=17 T=bf16 --seed=2
// RUN: xf-sweep %s --vector-bits=512 N=67 D=33 T=f16 --seed=5
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=67 D=17 T=bf16 --seed=3
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16 --vector-bits=512 N=67 D=33 T=bf16 --seed=4

func.func @dense$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @window$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @strided$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Queries before the first key are in no first block, with global blocks and without.
func.func @before_blocks$$(%q: tensor<1x1x70x$Dx$T>, %k: tensor<1x1x31x$Dx$T>, %v: tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 4, window = 5, global = 0, random = 3, seed = 22>) : (tensor<1x1x70x$Dx$T>, tensor<1x1x31x$Dx$T>, tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T>
  return %o : tensor<1x1x70x$Dx$T>
}
func.func @before_global_blocks$$(%q: tensor<1x1x70x$Dx$T>, %k: tensor<1x1x31x$Dx$T>, %v: tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 4, window = 1, global = 1, random = 2, seed = 22>) : (tensor<1x1x70x$Dx$T>, tensor<1x1x31x$Dx$T>, tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T>
  return %o : tensor<1x1x70x$Dx$T>
}
// A permutation asks for draws of rows before the first query: they avoid what those rows see.
func.func @permuted_draw$$(%q: tensor<1x2x6x$Dx$T>, %k: tensor<1x2x16x$Dx$T>, %v: tensor<1x2x16x$Dx$T>) -> tensor<1x2x6x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[9, 4, 15, 0, 12, 7, 2, 11, 5, 14, 1, 8, 3, 13, 6, 10], of = #xf.random<count = 3, seed = 80, outside = #xf.affine<(i, j)[Nq, Nk] : (i - j + 2 ge 0, j - i + Nq ge 0)>>>) : (tensor<1x2x6x$Dx$T>, tensor<1x2x16x$Dx$T>, tensor<1x2x16x$Dx$T>) -> tensor<1x2x6x$Dx$T>
  return %o : tensor<1x2x6x$Dx$T>
}
// Tasks gather the keys and values of a residue: shared heads, lengths, fewer queries than keys, residues without rows.
func.func @residues$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 9, part = column>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @residues_and_window$$(%q: tensor<2x2x5x$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %v: tensor<2x2x70x7x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}) -> tensor<2x2x5x7x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 11>) lengths(%n : tensor<2xi64>) : (tensor<2x2x5x$Dx$T>, tensor<2x2x70x$Dx$T>, tensor<2x2x70x7x$T>) -> tensor<2x2x5x7x$T>
  return %o : tensor<2x2x5x7x$T>
}
func.func @residues_of_two_blocks$$(%q: tensor<1x1x530x$Dx$T>, %k: tensor<1x1x530x$Dx$T>, %v: tensor<1x1x530x$Dx$T>) -> tensor<1x1x530x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 300, right = 40, step = 8>) : (tensor<1x1x530x$Dx$T>, tensor<1x1x530x$Dx$T>, tensor<1x1x530x$Dx$T>) -> tensor<1x1x530x$Dx$T>
  return %o : tensor<1x1x530x$Dx$T>
}
// Tasks pack the keys of short heads: several blocks of queries, heads that share keys, batch entries without keys.
func.func @short_heads$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x100x$Dx$T>, %v: tensor<2x2x100x16x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 101>}) -> tensor<2x4x$Nx16x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) lengths(%n : tensor<2xi64>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x100x$Dx$T>, tensor<2x2x100x16x$T>) -> tensor<2x4x$Nx16x$T>
  return %o : tensor<2x4x$Nx16x$T>
}
// The largest score grows from tile to tile, until what was gathered before is nothing.
func.func @growing$$(%q: tensor<1x2x$Nx$Dxf32>, %k: tensor<1x2x140x$Dxf32>, %v: tensor<1x2x140x$Dxf32>) -> tensor<1x2x$Nx$Dxf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) {
    %width = arith.constant 32 : index
    %last = arith.constant 3 : index
    %step = arith.constant 30.0 : f32
    %block = arith.divui %j, %width : index
    %reached = arith.minui %block, %last : index
    %missing = arith.subi %last, %reached : index
    %count = arith.index_cast %missing : index to i32
    %times = arith.sitofp %count : i32 to f32
    %distance = arith.mulf %times, %step : f32
    %x = arith.subf %s, %distance : f32
    xf.yield %x : f32
  } : (tensor<1x2x$Nx$Dxf32>, tensor<1x2x140x$Dxf32>, tensor<1x2x140x$Dxf32>) -> tensor<1x2x$Nx$Dxf32>
  return %o : tensor<1x2x$Nx$Dxf32>
}
func.func @residues_with_table$$(%q: tensor<1x2x70x$Dxf32>, %k: tensor<1x1x70x$Dxf32>, %t: tensor<2x70xf32>) -> tensor<1x2x70x$Dxf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.strided<stride = 9, part = column>) score(%x : f32, %b, %h, %i, %j) captures(%c = %t : tensor<2x70xf32>) {
    %y = tensor.extract %c[%h, %j] : tensor<2x70xf32>
    %z = arith.addf %x, %y : f32
    xf.yield %z : f32
  } : (tensor<1x2x70x$Dxf32>, tensor<1x1x70x$Dxf32>, tensor<1x1x70x$Dxf32>) -> tensor<1x2x70x$Dxf32>
  return %o : tensor<1x2x70x$Dxf32>
}
// Rows between others that see no key of theirs, in groups of their own.
func.func @rows_apart$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 32 - 2 le 0, i - j ge 0, j - 3 * (i mod 32) ge 0)>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
