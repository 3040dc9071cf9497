// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_vjp %x, %x, %y, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n piece #all scale 0.125
      {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 4, period = 4, multiplier = 1>
#classes = #xf.piece<queries = #map, keys = #map, residues = 4>
func.func @slices(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one d_q for each slice, and one slice where a piece has residues, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x, %x : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>), %x, %x groups %n
      piece #classes scale 0.125 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @blocks(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n
      piece #all scale 0.125 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 4, period = 4, multiplier = 1>
#classes = #xf.piece<queries = #map, keys = #map, residues = 4>
#third = #xf.tiles<[(i, j)[Nq, Nk] : ((i + j) mod 3 == 0)], reason = "an example">
func.func @tiles(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected identity maps beside tiles, got #xf.piece}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n piece #classes scale 0.125
      {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>, tiles = #third}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
