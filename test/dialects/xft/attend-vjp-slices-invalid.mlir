// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#map = #xf.index_map<residues = 4, period = 4, multiplier = 1>
#classes = #xft.query_order<queries = #map, residues = 4, pieces = [#xf.piece<queries = #map, keys = #map, residues = 4>]>
// xft.attend_vjp C2
func.func @slices(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one d_q for each slice, and one slice where a piece has residues, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x, %x : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #classes schedule #tiles weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
// Slices of consecutive keys
func.func @slices_of_numbers(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected four numbers of slices of keys, got array<i64: 4, 96, 96>}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x, %x : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 0.125> {xft.key_slices = array<i64: 4, 96, 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
// Slices of consecutive keys
func.func @wide_halo(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two slices of keys at least, and a halo of at most as many rows, got array<i64: 4, 96, 96, 97>}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x, %x : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 0.125> {xft.key_slices = array<i64: 4, 96, 96, 97>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
// Slices of consecutive keys
func.func @one_gradient(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two d_q and no residues with slices of consecutive keys, got 1 and 1}}
  xft.attend_vjp %x, %x, %x, %x, %l, %l to d_q(%x : memref<?x?x?x64xf32>) d_k(%x : memref<?x?x?x64xf32>) d_v(%x : memref<?x?x?x64xf32>) groups %n
      order #order schedule #tiles weights <scale = 0.125> {xft.key_slices = array<i64: 4, 96, 96, 32>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}
