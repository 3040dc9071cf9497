// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xft.warpgroup_tiles C1
// expected-error @below {{expected at least one consumer warpgroup and one stage, got #xft.warpgroups<consumers = 2, stages = 0>}}
func.func private @attribute() attributes {test = #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 0>>}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
// #xft.query_order C1
// expected-error @below {{expected pieces in the order}}
func.func private @attribute() attributes {test = #xft.query_order<queries = #xf.index_map<>, residues = 4, pieces = [#all]>}

// -----

// #xft.query_order C1
// expected-error @below {{expected pieces of a solved pattern, got 7 : i64}}
func.func private @attribute() attributes {test = #xft.query_order<queries = #xf.index_map<>, pieces = [7]>}

// -----

#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
#third = #xf.tiles<[(i, j)[Nq, Nk] : ((i + j) mod 3 == 0)], reason = "an example">
// #xft.query_order C2
// expected-error @below {{expected one piece with identity maps beside tiles}}
func.func private @attribute() attributes {test = #xft.query_order<queries = #xf.index_map<>, pieces = [#all, #all], tiles = #third>}

// -----

// #xft.query_order C3
// expected-error @below {{expected a first head from 0 on and a step from 1 on, got 0 and 0}}
func.func private @attribute() attributes {test = #xft.query_order<queries = #xf.index_map<>, pieces = [], head_step = 0>}

// -----

// #xft.weights C1
// expected-error @below {{expected linear weights without dropout}}
func.func private @attribute() attributes {test = #xft.weights<scale = 1.0, dropout = 0.5, linear = true>}

// -----

// #xft.scan_schedule C1
// expected-error @below {{expected slices of at least one chunk, got 0}}
func.func private @attribute() attributes {test = #xft.scan_schedule<tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>, slice = 0>}
