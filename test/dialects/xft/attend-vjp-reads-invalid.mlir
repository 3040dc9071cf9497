// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C6
func.func @captures_region(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected a derivative region}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #order schedule #warps weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C6
func.func @captures_reads(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected reads that number 1 d_captures, got 1}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #order schedule #warps weights <scale = 0.125> reads [1] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}
