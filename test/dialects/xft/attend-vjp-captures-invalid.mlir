// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C1
func.func @captures_rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_vjp_captures %x, %x, %y, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #order schedule #warps weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C2
func.func @captures_pieces(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one piece, got 2}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order <queries = #xf.index_map<>, pieces = [#all, #all]> schedule #warps weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C3
func.func @captures_blocks(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #order schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>> weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C4
func.func @captures_grid(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two numbers in grid, got 1}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n) captures(%c : memref<?x?xf32>)
      order #order schedule #warps weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
#datum = #xft.query_order<queries = #xf.index_map<>, pieces = [#all], tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>>
// xft.attend_vjp_captures C5
func.func @captures_data(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two operands for each of 1 data, got 0}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #datum schedule #warps weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#all]>
#tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>
#tiles = #xft.register_tiles<tile = #tile>
#warps = #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
// xft.attend_vjp_captures C7
func.func @captures_schedule(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?x?x?xf32>, %n: index) {
  // expected-error @below {{expected warp tiles without recheck, got #xft.register_tiles}}
  xft.attend_vjp_captures %x, %x, %x, %x, %l, %l to d_captures(%d : memref<?x?x?x?xf32>) grid(%n, %n) captures(%c : memref<?x?xf32>)
      order #order schedule #tiles weights <scale = 0.125> reads [0] score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s : f32
      } derivative {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
        xf.yield %s, %s, %i, %j, %s : f32, f32, index, index, f32
      }
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>
  return
}
