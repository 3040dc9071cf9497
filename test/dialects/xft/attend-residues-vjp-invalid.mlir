// RUN: xf-opt %s -split-input-file -verify-diagnostics

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues_vjp C1
func.func @gradient_rank(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_residues_vjp %x, %y, %x, %x, %l, %l to %x, %x, %x groups %n order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues_vjp C2
func.func @gradient_lanes(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 32 residues, got}}
  xft.attend_residues_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n order #order weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 32, queries = 12, ranks = 32>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues_vjp C3
func.func @gradient_blocks(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got}}
  xft.attend_residues_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n order #order weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 33>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues_vjp C4
func.func @assigned(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_residues_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n order <queries = #map, residues = 16, pieces = [#column], head_step = 2> weights <scale = 0.125> tile #tile assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues_vjp C5
func.func @gradient_seed(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index, %s: memref<2xi64>) {
  // expected-error @below {{expected neither data, captures, seed nor part, and a softmax without dropout}}
  xft.attend_residues_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n seed(%s : memref<2xi64>) order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
