// RUN: xf-opt %s -split-input-file -verify-diagnostics | xf-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @causal
// CHECK-SAME: #xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = #[[$I:.*]]>]>
func.func @causal() attributes {
  solution = [#xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>,
                                               upper = affine_map<(i)[Nq, Nk] -> (i)>>]>]
} { return }

// CHECK-LABEL: func.func @residues
// CHECK-SAME: keys = #xf.index_map<residues = 4, period = 4, multiplier = 3, shift = 1>, residues = 4
// CHECK-SAME: monotone = false, has_inverse = false, keys_disjoint = false
func.func @residues() attributes {
  solution = [#xf.solution<pieces = [
    #xf.piece<queries = #xf.index_map<residues = 4, period = 4, multiplier = 1>,
              keys = #xf.index_map<residues = 4, period = 4, multiplier = 3, shift = 1>, residues = 4,
              monotone = false, has_inverse = false, keys_disjoint = false>]>]
} { return }

// CHECK-LABEL: func.func @tiles
// CHECK-SAME: #xf.solution<tiles = #xf.tiles<[(i, j)[Nq, Nk] : (i * 3 - j * 2 ge 0)], reason = "no interval">>
func.func @tiles() attributes {
  solution = [#xf.solution<tiles = #xf.tiles<[(i, j)[Nq, Nk] : (i * 3 - j * 2 ge 0)], reason = "no interval">>]
} { return }

// -----

// expected-error @+1 {{expected offset + width <= 8, got offset = 6, width = 3}}
func.func @window() attributes { map = #xf.index_map<period = 8, width = 3, offset = 6> } { return }

// -----

// expected-error @+1 {{expected residues * cell = period, got residues = 3, cell = 1, period = 8}}
func.func @cells() attributes { map = #xf.index_map<residues = 3, period = 8> } { return }

// -----

// expected-error @+1 {{expected a parameter of an index map, got 'stride'}}
func.func @name() attributes { map = #xf.index_map<stride = 8> } { return }

// -----

func.func @dims() attributes {
  // expected-error @+1 {{expected quasi-affine bounds over (i)[Nq, Nk, ..] or (j)[Nq, Nk, ..]}}
  piece = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i, j)[Nq, Nk] -> (i)>>
} { return }

// -----

func.func @divisor() attributes {
  // expected-error @+1 {{expected quasi-affine bounds}}
  piece = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i)[Nq, Nk] -> (i mod Nk)>>
} { return }

// -----

func.func @predicate() attributes {
  // expected-error @+1 {{expected quasi-affine constraints}}
  tiles = #xf.tiles<[(i, j)[Nq, Nk] : (i * Nk - j ge 0)], reason = "no interval">
} { return }
