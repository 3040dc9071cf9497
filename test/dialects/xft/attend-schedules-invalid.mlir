// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend C10
func.func @recheck_by_warps(%x: memref<?x?x?x64xf32>, %k: memref<?x?x1x?x1024xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected recheck with warpgroups, got #xft.warp_tiles<}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>) flags(%s : memref<?xi32>)
      order #order schedule #xft.warp_tiles<tile = #tile, recheck = true> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
