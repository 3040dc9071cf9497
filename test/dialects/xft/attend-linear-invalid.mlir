// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @linear(%q: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf64>, %n: index, %keys: memref<?x?x1x?x1024xf32>) {
  // expected-error @below {{expected a score region with linear, without lse and dropout}}
  xft.attend %q to %q, %lse blocks %n nk %n keys(%keys : memref<?x?x1x?x1024xf32>) values(%q : memref<?x?x?x64xf32>)
      scale 1.0 {pieces = [#all], buffers = array<i64: 0>, queries = #xf.index_map<>, linear,
                 tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf64>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @linear_gradient(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected a score region with linear, without dropout}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n piece #all scale 1.0
      {linear, tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
