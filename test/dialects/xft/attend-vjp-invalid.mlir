// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C1
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_vjp %x, %x, %y, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C2
func.func @no_keys(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one d_k and one d_v, got 0 and 1}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C3
func.func @blocks(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>> weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C4
func.func @assigns_some_heads(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order <queries = #xf.index_map<>, pieces = [#all], head_step = 2> schedule #tiles weights <scale = 0.125> assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#datum = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>>
// xft.attend_vjp C5
func.func @data(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two operands for each of 1 data, got 0}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #datum schedule #tiles weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C6
func.func @linear(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected a score region with linear weights}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 1.0, linear = true>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C7
func.func @warps(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected register tiles that gather nothing, got #xft.warp_tiles}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp C8
func.func @pieces(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one piece, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order <queries = #xf.index_map<>, pieces = [#all, #all]> schedule #tiles weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>
// xft.attend_vjp C9
func.func @operand(%x: memref<?x?x?x64xf16>, %g: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected operands of products of a 16-bit float, that of q, got 'bf16' and q of 'f16'}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%g : memref<?x?x?x64xf32>) d_k(%g : memref<?x?x?x64xf32>) d_v(%g : memref<?x?x?x64xf32>) groups %n
      order <queries = #xf.index_map<>, pieces = [#all]> schedule #xft.register_tiles<tile = #tile, operand = bf16> weights <scale = 0.125>
      : memref<?x?x?x64xf16>, memref<?x?x?x64xf16>, memref<?x?x?x64xf16>, memref<?x?x?x64xf16>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}
