// RUN: xf-opt %s -split-input-file -verify-diagnostics

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_lanes %x, %y, %x to %x piece #column scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>}
      : memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @lanes(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 32 residues, got}}
  xft.attend_lanes %x, %x, %x to %x piece #column scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 32, queries = 12, ranks = 32>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#rows = #xf.piece<queries = #map, keys = #xf.index_map<>, residues = 16>
func.func @keys(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 8 residues, got}}
  xft.attend_lanes %x, %x, %x to %x piece #rows scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 3>
#turned = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @turned(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected queries and keys r, r + R, .. of at least 8 residues, got}}
  xft.attend_lanes %x, %x, %x to %x piece #turned scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @blocks(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got}}
  xft.attend_lanes %x, %x, %x to %x piece #column scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 33>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @state(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected two buffers of state, m and l, got 0}}
  xft.attend_lanes %x, %x, %x to %x piece #column scale 0.125 {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>, save}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @assigned(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_lanes_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n piece #column scale 0.125
      {tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>, head_step = 2 : i64, assigns}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
func.func @kept(%x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>) {
  // expected-error @below {{expected kept with the last stage of a softmax, got save}}
  xft.attend_lanes %x, %x, %x to %x sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) kept(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>)
      piece #column scale 0.125 {save, tile = #xft.lane_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
