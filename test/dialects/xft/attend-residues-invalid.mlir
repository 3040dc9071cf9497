// RUN: xf-opt %s -split-input-file -verify-diagnostics

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C1
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_residues %x, %y, %x to %x order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C2
func.func @lanes(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 32 residues, got}}
  xft.attend_residues %x, %x, %x to %x order #order weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 32, queries = 12, ranks = 32>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
#rows = #xft.query_order<queries = #map, residues = 16, pieces = [#xf.piece<queries = #map, keys = #xf.index_map<>, residues = 16>]>
// xft.attend_residues C2
func.func @keys(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 8 residues, got}}
  xft.attend_residues %x, %x, %x to %x order #rows weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
#three = #xf.index_map<residues = 16, period = 16, multiplier = 3>
#turned = #xft.query_order<queries = #three, residues = 16, pieces = [#xf.piece<queries = #three, keys = #three, residues = 16>]>
// xft.attend_residues C2
func.func @turned(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 8 residues, got}}
  xft.attend_residues %x, %x, %x to %x order #turned weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C2
func.func @pieces(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected one piece without tiles, got}}
  xft.attend_residues %x, %x, %x to %x order <queries = #map, residues = 16, pieces = [#column, #column]> weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C3
func.func @blocks(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got}}
  xft.attend_residues %x, %x, %x to %x order #order weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 33>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C4
func.func @state(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected two buffers of state, m and l, got 0}}
  xft.attend_residues %x, %x, %x to %x order #order weights <scale = 0.125> tile #tile save
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C4
func.func @kept(%x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>) {
  // expected-error @below {{expected kept with the last query order of a softmax, got save}}
  xft.attend_residues %x, %x, %x to %x sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) kept(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) order #order weights <scale = 0.125> tile #tile save
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
// xft.attend_residues C5
func.func @dropout(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected neither data, captures, seed nor part, and a softmax without dropout}}
  xft.attend_residues %x, %x, %x to %x order #order weights <scale = 0.125, dropout = 0.5> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
