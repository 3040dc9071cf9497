// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C1
func.func @keys_rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_vjp_keys %x, %x, %y, %x, %l, %l to %x, %x grid(%n, %n)
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C2
func.func @keys_pieces(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one piece, got 2}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order <queries = #xf.index_map<>, pieces = [#all, #all]> schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C3
func.func @keys_blocks(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order #order schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>> weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C4
func.func @keys_grid(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two or three numbers in grid, got 4}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n, %n, %n)
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#datum = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>>
// xft.attend_vjp_keys C5
func.func @keys_data(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two operands for each of 1 data, got 0}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order #datum schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C6
func.func @keys_linear(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected a score region with linear weights}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order #order schedule #warps weights <scale = 1.0, linear = true>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C9
func.func @keys_assigns(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order <queries = #xf.index_map<>, pieces = [#all], head_step = 2> schedule #warps weights <scale = 0.125> assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C1
func.func @keys_rounded(%x: memref<?x?x?x64xbf16>, %l: memref<?x?x?xf32>, %d: memref<?x?x?x64xbf16>, %n: index) {
  // expected-error @below {{expected gradients of 'f32', or assigned ones, got 'bf16'}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %d, %d grid(%n, %n)
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}
