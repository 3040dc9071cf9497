// RUN: xf-opt %s -split-input-file -verify-diagnostics

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @rank(%x: memref<?x?x?x64xf32>, %y: memref<?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_vjp %x, %x, %y, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n piece #all scale 0.125
      {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 4, period = 4, multiplier = 1>
#classes = #xf.piece<queries = #map, keys = #map, residues = 4>
func.func @slices(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one d_q for each slice, and one slice where a piece has residues, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x, %x : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>), %x, %x groups %n
      piece #classes scale 0.125 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @blocks(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks that are multiples of the register tile, got #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n
      piece #all scale 0.125 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 64>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#map = #xf.index_map<residues = 4, period = 4, multiplier = 1>
#classes = #xf.piece<queries = #map, keys = #map, residues = 4>
#third = #xf.tiles<[(i, j)[Nq, Nk] : ((i + j) mod 3 == 0)], reason = "an example">
func.func @tiles(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected identity maps beside tiles, got #xf.piece}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n piece #classes scale 0.125
      {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>, tiles = #third}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

func.func @numbers(%x: memref<?xi32>, %values: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected integers BxM, BxN and BxGx2, got 'memref<?xi32>', 'memref<?x?xi32>' and 'memref<?x?x2xi32>'}}
  xft.tabulate %x to %values, %ranges count %n first %n nq %n nk %n at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 6
      : memref<?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @place(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected a map (x)[Nq, Nk, ..] -> (y), got affine_map<(d0, d1)[s0, s1] -> (d0)>}}
  xft.tabulate %x to %x, %ranges count %n first %n nq %n nk %n at affine_map<(i, j)[Nq, Nk] -> (i)> symbols [] group 6
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @inputs(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected a symbol for each of 1 inputs, got 0}}
  xft.tabulate %x to %x, %ranges count %n first %n nq %n nk %n inputs(%x : memref<?x?xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (d)> symbols [] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @symbols(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected symbols of the map from 2 on, got 3}}
  xft.tabulate %x to %x, %ranges count %n first %n nq %n nk %n inputs(%x : memref<?x?xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (d)> symbols [3] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @group(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected groups of at least 1, got 0}}
  xft.tabulate %x to %x, %ranges count %n first %n nq %n nk %n at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 0
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @lists(%offsets: memref<?xi32>, %columns: memref<?xf32>) {
  // expected-error @below {{expected integers of rank 1, got 'memref<?xi32>', 'memref<?xf32>' and 'memref<?xf32>'}}
  xft.sort_lists %offsets, %columns to %columns : memref<?xi32>, memref<?xf32>, memref<?xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#asks = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>
func.func @data(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected two operands for each of 1 data, got 0}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n
      piece #all scale 0.125 {tiles = #asks, tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

func.func @gathers_all(%x: memref<?x?x?x64xf32>, %n: index) {
  // expected-error @below {{expected residues, each with whole panels of 16 ranks to gather, got 1 with 16}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>) scale 0.125
      {pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>], buffers = array<i64: 0>, queries = #xf.index_map<>, gathered = 16,
       tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>} : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#every = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @assigns_some_heads(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n
      piece #every scale 0.125 {assigns, head_step = 2, tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @side_without_blocks(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks, and no residue otherwise, with a side}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n
      piece #all scale 0.125 {tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>, side = #xft<side rows>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @residue_without_side(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected blocks, and no residue otherwise, with a side}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n residue %n
      piece #all scale 0.125 {tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @captures_without_gradients(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one d_q with a side, and d_captures with no other side than theirs, got 1 and 0}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xf32>), %x, %x groups %n blocks %n
      piece #all scale 0.125 {tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>, side = #xft<side captures>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @no_suspects(%x: memref<?x?x?x64xbf16>, %n: index) {
  // expected-error @below {{expected suspects with warpgroups, and no score region, tiles, dropout or linear}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xbf16>) values(%x : memref<?x?x?x64xbf16>) scale 0.125
      {pieces = [#all], buffers = array<i64: 0>, queries = #xf.index_map<>, in_place,
       tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>,
       warpgroups = #xft.warpgroups<consumers = 2, stages = 2>} : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @no_stages(%x: memref<?x?x?x64xbf16>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected at least one group that computes and one stage, got #xft.warpgroups<consumers = 2, stages = 0>}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xbf16>) values(%x : memref<?x?x?x64xbf16>)
      suspects(%s : memref<?xi32>) scale 0.125
      {pieces = [#all], buffers = array<i64: 0>, queries = #xf.index_map<>, in_place,
       tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>,
       warpgroups = #xft.warpgroups<consumers = 2, stages = 0>} : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @packed_groups(%x: memref<?x?x?x64xbf16>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected in_place with warpgroups, and save or resume at most}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xbf16>) values(%x : memref<?x?x?x64xbf16>)
      suspects(%s : memref<?xi32>) scale 0.125
      {pieces = [#all], buffers = array<i64: 0>, queries = #xf.index_map<>,
       tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>,
       warpgroups = #xft.warpgroups<consumers = 2, stages = 2>} : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
func.func @groups_without_side(%x: memref<?x?x?x64xbf16>, %lse: memref<?x?x?xf32>, %s: memref<?xi32>, %n: index) {
  // expected-error @below {{expected a side of rows or keys with warpgroups}}
  xft.attend_vjp %x, %x, %x, %x, %lse, %lse to (%x : memref<?x?x?x64xbf16>), %x, %x groups %n
      suspects(%s : memref<?xi32>) piece #all scale 0.125
      {tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>,
       warpgroups = #xft.warpgroups<consumers = 2, stages = 2>}
      : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>, memref<?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// -----

func.func @kept(%q: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected kept with the last stage of a softmax, got save}}
  xft.attend %q to %q blocks %n nk %n sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>)
      kept(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) scale 0.125
      {pieces = [], buffers = array<i64>, queries = #xf.index_map<>, save,
       tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
