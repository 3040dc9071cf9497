// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.index_map C2
// expected-error @+1 {{expected offset + width <= 8, got offset = 6, width = 3}}
func.func @window() attributes { map = #xf.index_map<period = 8, width = 3, offset = 6> } { return }

// -----

// #xf.index_map C3
// expected-error @+1 {{expected residues * cell = period, got residues = 3, cell = 1, period = 8}}
func.func @cells() attributes { map = #xf.index_map<residues = 3, period = 8> } { return }

// -----

// expected-error @+1 {{expected a parameter of an index map, got 'stride'}}
func.func @name() attributes { map = #xf.index_map<stride = 8> } { return }

// -----

// #xf.piece C2
func.func @dims() attributes {
  // expected-error @+1 {{expected quasi-affine bounds over (i)[Nq, Nk, ..] or (j)[Nq, Nk, ..]}}
  piece = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i, j)[Nq, Nk] -> (i)>>
} { return }

// -----

// #xf.piece C2
func.func @divisor() attributes {
  // expected-error @+1 {{expected quasi-affine bounds}}
  piece = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i)[Nq, Nk] -> (i mod Nk)>>
} { return }

// -----

// #xf.tiles C1
func.func @predicate() attributes {
  // expected-error @+1 {{expected quasi-affine constraints}}
  tiles = #xf.tiles<[(i, j)[Nq, Nk] : (i * Nk - j ge 0)], reason = "no interval">
} { return }

// -----

// #xf.datum C1
func.func @axes() attributes {
  // expected-error @+1 {{expected row or column of a datum from segments}}
  datum = #xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>, column = affine_map<(j)[Nq, Nk] -> (j)>>
} { return }

// -----

// #xf.datum C1
func.func @pair() attributes {
  // expected-error @+1 {{expected row and column of a datum from table}}
  datum = #xf.datum<source = table, row = affine_map<(i)[Nq, Nk] -> (i)>>
} { return }

// -----

// #xf.datum C2
func.func @place() attributes {
  // expected-error @+1 {{expected a quasi-affine map (i)[Nq, Nk, ..] -> (x), got affine_map<(d0)[s0, s1] -> (d0 * s1)>}}
  datum = #xf.datum<row = affine_map<(i)[Nq, Nk] -> (i * Nk)>>
} { return }

// -----

// #xf.datum C3
func.func @numbers() attributes {
  // expected-error @+1 {{expected numbers in a datum from numbers, and in no other}}
  datum = #xf.datum<source = numbers, row = affine_map<(i)[Nq, Nk] -> (i)>>
} { return }

// -----

// #xf.datum C3
func.func @lists() attributes {
  // expected-error @+1 {{expected offsets and columns in a datum from lists, and in no other}}
  datum = #xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>, columns = dense<[4]> : tensor<1xi32>>
} { return }

// -----

// #xf.datum C4
func.func @unordered() attributes {
  // expected-error @+1 {{expected lists that increase, one behind the other}}
  datum = #xf.datum<source = lists, row = affine_map<(i)[Nq, Nk] -> (i)>, column = affine_map<(j)[Nq, Nk] -> (j)>, offsets = dense<[0, 2]> : tensor<2xi32>, columns = dense<[4, 4]> : tensor<2xi32>>
} { return }

// -----

// #xf.datum C5
func.func @heads() attributes {
  // expected-error @+1 {{expected as many lists for each of 2 heads}}
  datum = #xf.datum<source = lists, row = affine_map<(i)[Nq, Nk] -> (i)>, column = affine_map<(j)[Nq, Nk] -> (j)>, offsets = dense<[0, 1]> : tensor<2xi32>, columns = dense<[4]> : tensor<1xi32>, heads = 2>
} { return }

// -----

// #xf.tiles C2
func.func @symbols() attributes {
  // expected-error @+1 {{expected sets with a symbol for each of 1 data, got affine_set<}}
  tiles = #xf.tiles<[(i, j)[Nq, Nk] : (i - j ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk] -> (i)>>]>
} { return }

// -----

// #xf.tiles C3
func.func @later() attributes {
  // expected-error @+1 {{expected maps of sizes and earlier data of their axis, got #xf.datum<row = affine_map<(d0)[s0, s1, s2] -> (s2)>>}}
  tiles = #xf.tiles<[(i, j)[Nq, Nk, x] : (x ge 0)], reason = "x", data = [#xf.datum<row = affine_map<(i)[Nq, Nk, x] -> (x)>>]>
} { return }

// -----

// #xf.index_map C1
// expected-error @+1 {{expected residues, period, width, cell >= 1 and offset >= 0}}
func.func @positive() attributes { map = #xf.index_map<period = 0> } { return }

// -----

// #xf.piece C1
func.func @number_of_residues() attributes {
  // expected-error @+1 {{expected index maps with 1 or 2 residues, got 4}}
  piece = #xf.piece<queries = #xf.index_map<residues = 4, period = 4, multiplier = 1>, keys = #xf.index_map<>, residues = 2>
} { return }

// -----

// #xf.piece C3
func.func @inverse() attributes {
  // expected-error @+1 {{expected no query bounds where has_inverse = false}}
  piece = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, query_lower = affine_map<(j)[Nq, Nk] -> (j)>, has_inverse = false>
} { return }

// -----

// #xf.datum C2
func.func @results() attributes {
  // expected-error @+1 {{expected a quasi-affine map (i)[Nq, Nk, ..] -> (x), got affine_map<(d0)[s0, s1] -> (d0, d0)>}}
  datum = #xf.datum<row = affine_map<(i)[Nq, Nk] -> (i, i)>>
} { return }
