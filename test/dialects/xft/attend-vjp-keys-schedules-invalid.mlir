// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C7
func.func @keys_flags(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected flags with warpgroups or recheck, and with nothing else}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n) flags(%s : memref<?xi32>)
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_keys C7
func.func @keys_recheck(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected flags with warpgroups or recheck, and with nothing else}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n)
      order #order schedule #xft.warp_tiles<tile = #tile, recheck = true> weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 64>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>>
// xft.attend_vjp_keys C8
func.func @keys_warpgroups(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected warpgroups without linear weights}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n) flags(%s : memref<?xi32>)
      order #order schedule #groups weights <scale = 1.0, linear = true> score {
      ^bb0(%t: f32, %b: index, %h: index, %i: index, %j: index):
        xf.yield %t : f32
      } derivative {
      ^bb0(%t: f32, %b: index, %h: index, %i: index, %j: index):
        xf.yield %t, %t : f32, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#groups = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 64>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>, recheck = true>
// xft.attend_vjp_keys C7
func.func @keys_recheck_by_warpgroups(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected warp tiles, or warpgroup tiles without recheck, got #xft.warpgroup_tiles<}}
  xft.attend_vjp_keys %x, %x, %x, %x, %l, %l to %x, %x grid(%n, %n) flags(%s : memref<?xi32>)
      order #order schedule #groups weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
