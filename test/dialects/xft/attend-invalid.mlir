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

// -----

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
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C9
func.func @gathers_all(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected whole panels of 16 ranks to gather, got 24}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #xft.register_tiles<tile = #tile, gathered = 24> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
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
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend C10
func.func @no_flags(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %n: index) {
  // expected-error @below {{expected flags with warpgroups or recheck, and with nothing else}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>)
      order #order schedule #groups weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
// xft.attend C10
func.func @flags_of_registers(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected flags with warpgroups or recheck, and with nothing else}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>) flags(%s : memref<?xi32>)
      order #order schedule #packed weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend C10
func.func @linear_of_warpgroups(%x: memref<?x?x?x64xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected warpgroups without linear weights}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>) flags(%s : memref<?xi32>)
      order #order schedule #groups weights <scale = 1.0, linear = true> score {
  ^bb0(%t: f32, %b: index, %h: index, %i: index, %j: index):
    xf.yield %t : f32
  } : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], buffers = [0]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>
#packed = #xft.register_tiles<tile = #tile>
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend C10
func.func @both_states(%x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected save or resume with warpgroups, got both}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>) sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) flags(%s : memref<?xi32>)
      order #order schedule #groups weights <scale = 0.125> resume save : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
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
#packed = #xft.register_tiles<tile = #tile>
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend C10
func.func @recheck_by_warps(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected recheck with warpgroups, got #xft.warp_tiles<}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>) flags(%s : memref<?xi32>)
      order #order schedule #xft.warp_tiles<tile = #tile, recheck = true> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
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
