// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C1
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend %y to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #packed weights <scale = 0.125> : memref<?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C2
func.func @buffers(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected a buffer for each of 1 pieces, got 0}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order <queries = #xf.index_map<>, pieces = [#all]> schedule #packed weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C2
func.func @buffer_number(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected buffers of keys and values, got number 1 of 1 and 1}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order <queries = #xf.index_map<>, pieces = [#all], buffers = [1]> schedule #packed weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C3
func.func @state(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected two buffers of state, m and l, got 0}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #packed weights <scale = 0.125> save : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C4
func.func @kept(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %m: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected kept with the last query order of a softmax, got save}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>) sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) kept(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>)
      order #order schedule #packed weights <scale = 0.125> save : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C4
func.func @kept_linear(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %m: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected kept with the last query order of a softmax, got linear}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>) kept(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>)
      order #order schedule #packed weights <scale = 1.0, linear = true> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C5
func.func @blocks(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 50, keys = 256>}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 50, keys = 256>> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C6
func.func @linear(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected linear weights with a score region and without lse}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #packed weights <scale = 1.0, linear = true> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
