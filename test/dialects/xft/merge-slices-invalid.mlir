// RUN: xf-opt %s -split-input-file -verify-diagnostics

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.merge_slices C1
func.func @result(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?x?xf32>, %o: memref<?x?x?x?x64xf32>, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.merge_slices to %y sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) accumulator(%o : memref<?x?x?x?x64xf32>) : memref<?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>
// xft.merge_slices C2
func.func @parts(%q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?x?xf32>, %o: memref<?x?x?x?x32xf32>) {
  // expected-error @below {{expected m and l SxBxHxN and an accumulator SxBxHxNxDv, got}}
  xft.merge_slices to %q sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) accumulator(%o : memref<?x?x?x?x32xf32>) : memref<?x?x4x64xf32>
  return
}
