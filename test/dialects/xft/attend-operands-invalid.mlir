// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
#datum = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0], tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>>
// xft.attend C7
func.func @data(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected two operands for each of 1 data, got 0}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #datum schedule #packed weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C8
func.func @in_place(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D in place, got 'memref<?x?x1x?x1024xf32>'}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #xft.warp_tiles<tile = #tile> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C8
func.func @no_keys(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected one k and one v in place, got 0 and 0}}
  xft.attend %x to %x blocks %n nk %n
      order #order schedule #xft.warp_tiles<tile = #tile> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
// xft.attend C12
func.func @ring_of_three_panels(%x: memref<?x?x?x64xf32>, %n: index) {
  // expected-error @below {{expected keys in order in a power of two of panels, got 3 and}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #xft.register_tiles<tile = #tile, gathered = 48> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
// xft.attend C12
func.func @ring_with_ragged_values(%x: memref<?x?x?x64xf32>, %v: memref<?x?x?x60xf32>, %n: index) {
  // expected-error @below {{expected values in whole registers, got 'memref<?x?x?x60xf32>'}}
  xft.attend %x to %v blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%v : memref<?x?x?x60xf32>)
      order #order schedule #xft.register_tiles<tile = #tile, gathered = 64> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x60xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
// xft.attend C12
func.func @ring_with_part_of_a_block(%x: memref<?x?x?x64xbf16>, %n: index) {
  // expected-error @below {{expected whole blocks of 256 values, got 64}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xbf16>) values(%x : memref<?x?x?x64xbf16>)
      order #order schedule #xft.register_tiles<tile = #tile, gathered = 64, operand = bf16> weights <scale = 0.125> : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
func.func @many_clauses(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %l: memref<?xi64>, %n: index) {
  // expected-error @below {{expected at most 1 operands in lengths, got 2}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>) lengths(%l, %l : memref<?xi64>, memref<?xi64>)
      order #order schedule #packed weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
// xft.attend C11
func.func @operand(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xbf16>, %v: memref<?x?x1x?x64xbf16>, %n: index) {
  // expected-error @below {{expected operands of products of a 16-bit float, that of q, got 'bf16' and q of 'f32'}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xbf16>) values(%v : memref<?x?x1x?x64xbf16>)
      order #order schedule #xft.register_tiles<tile = #tile, operand = bf16> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
