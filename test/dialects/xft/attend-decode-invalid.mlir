// RUN: xf-opt %s -split-input-file -verify-diagnostics

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C1
func.func @rank(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_decode %q, %y, %x to %q order #order weights <scale = 0.125> tile #tile
      : memref<?x?x4x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C1
func.func @short(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %y: memref<?x?x?x7xf32>) {
  // expected-error @below {{expected rows of at least 8 elements, got 'memref<?x?x?x7xf32>'}}
  xft.attend_decode %q, %x, %y to %q order #order weights <scale = 0.125> tile #tile
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x7xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C1
func.func @rows(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected a static number of rows, got 'memref<?x?x?x64xf32>'}}
  xft.attend_decode %x, %x, %x to %q order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
// xft.attend_decode C2
func.func @keys(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected pieces with identity maps, got}}
  xft.attend_decode %q, %x, %x to %q order <queries = #map, residues = 16, pieces = [#xf.piece<queries = #map, keys = #map, residues = 16>]>
      weights <scale = 0.125> tile #tile : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C2
func.func @tiles(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected pieces without tiles, got}}
  xft.attend_decode %q, %x, %x to %q order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>],
      tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>>
      weights <scale = 0.125> tile #tile : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C3
func.func @blocks(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected blocks of whole registers and slices of whole blocks, got}}
  xft.attend_decode %q, %x, %x to %q order #order weights <scale = 0.125> tile <sums = 8, lanes = 8, keys = 60, slice = 600>
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C3
func.func @slices(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected blocks of whole registers and slices of whole blocks, got}}
  xft.attend_decode %q, %x, %x to %q order #order weights <scale = 0.125> tile <sums = 8, lanes = 8, keys = 64, slice = 1000>
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C4
func.func @state(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected m, l and an accumulator of slices, got 0 and none}}
  xft.attend_decode %q, %x, %x to %q order #order weights <scale = 0.125> tile #tile save : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C4
func.func @ranks(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>) {
  // expected-error @below {{expected m and l SxBxHxN and an accumulator SxBxHxNxDv, got}}
  xft.attend_decode %q, %x, %x to %q sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) accumulator(%x : memref<?x?x?x64xf32>)
      order #order weights <scale = 0.125> tile #tile save : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C4
func.func @results(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?x?xf32>, %o: memref<?x?x?x?x64xf32>, %lse: memref<?x?x?xf32>) {
  // expected-error @below {{expected state of slices with save, results of rows without}}
  xft.attend_decode %q, %x, %x to %q lse(%lse : memref<?x?x?xf32>) sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>)
      accumulator(%o : memref<?x?x?x?x64xf32>) order #order weights <scale = 0.125> tile #tile save : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.attend_decode C5
func.func @dropout(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected neither data, captures, seed nor part, and a softmax without dropout}}
  xft.attend_decode %q, %x, %x to %q order #order weights <scale = 0.125, dropout = 0.5> tile #tile : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024, operand = bf16>
// xft.attend_decode C6
func.func @operand(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected a 16-bit operand, the element type of q, k and v, got 'bf16'}}
  xft.attend_decode %q, %x, %x to %q order #order weights <scale = 0.125> tile #tile
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}
