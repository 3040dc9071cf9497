// RUN: xf-opt %s -split-input-file | xf-opt -split-input-file | FileCheck %s

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

// Data are the last symbols; a datum may ask for an earlier one of its axis.
// CHECK-LABEL: func.func @data
// CHECK-SAME: <source = numbers, row = #[[$OWN:.*]], numbers = [1, 0]>
// CHECK-SAME: <source = lists, row = #{{.*}}, column = #[[$OWN]], offsets = dense<[0, 1, 1, 3, 4]> : tensor<5xi32>, columns = dense<[4, 2, 3, 0]> : tensor<4xi32>, heads = 2>
func.func @data() attributes {
  tiles = #xf.tiles<[(i, j)[Nq, Nk, x, y] : (y - 1 ge 0)], reason = "an example", data = [
    #xf.datum<source = numbers, row = affine_map<(i)[Nq, Nk, x, y] -> (i)>, numbers = [1, 0]>,
    #xf.datum<source = lists, row = affine_map<(i)[Nq, Nk, x, y] -> (x)>, column = affine_map<(j)[Nq, Nk, x, y] -> (j)>,
              offsets = dense<[0, 1, 1, 3, 4]> : tensor<5xi32>, columns = dense<[4, 2, 3, 0]> : tensor<4xi32>, heads = 2>]>
} { return }
