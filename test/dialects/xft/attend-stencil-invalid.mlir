// RUN: xf-opt %s --split-input-file --verify-diagnostics

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil C1
func.func @matrices(%x: memref<?x?x?x64xf32>, %q: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_stencil %q, %x, %x to %x order #order weights <scale = 0.125> tile #tile
      : memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 2, first_shift = -2, shifts = 5>
// xft.attend_stencil C2
func.func @pieces(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected 2 pieces with identity maps and no tiles, got}}
  xft.attend_stencil %x, %x, %x to %x order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 7, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil C3
func.func @sizes(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected positive sizes and lines of at least as many columns as lanes, got}}
  xft.attend_stencil %x, %x, %x to %x order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 0, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil C3
func.func @rows(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected positive sizes and lines of at least as many columns as lanes, got}}
  xft.attend_stencil %x, %x, %x to %x order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil C4
func.func @dropout(%x: memref<?x?x?x64xf32>) {
  // expected-error @below {{expected neither data, captures, seed nor part, and a softmax without dropout}}
  xft.attend_stencil %x, %x, %x to %x order #order weights <scale = 0.125, linear = true> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil C5
func.func @state(%x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>) {
  // expected-error @below {{expected no state of an earlier or for a later launch, got 2 buffers}}
  xft.attend_stencil %x, %x, %x to %x sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C1
func.func @gradient_matrices(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index, %y: memref<?x?x64xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x64xf32>'}}
  xft.attend_stencil_vjp %x, %y, %x, %x, %l, %l to %x, %x, %x groups %n strip 4 order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C2
func.func @gradient_pieces(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected 2 pieces with identity maps and no tiles, got}}
  xft.attend_stencil_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n strip 4 order #order weights <scale = 0.125> tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 2, first_shift = -2, shifts = 5>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C3
func.func @gradient_sizes(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected positive sizes and lines of at least as many columns as lanes, got}}
  xft.attend_stencil_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n strip 4 order #order weights <scale = 0.125> tile <rows = 1, columns = 4, lanes = 8, length = 7, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C4
func.func @gradient_assigned(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected one solution for all heads where gradients are assigned, got 2}}
  xft.attend_stencil_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n strip 4 order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>], head_step = 2> weights <scale = 0.125> tile #tile assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C5
func.func @gradient_seed(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index, %s: memref<2xi64>) {
  // expected-error @below {{expected neither data, captures, seed nor part, and a softmax without dropout}}
  xft.attend_stencil_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n strip 4 seed(%s : memref<2xi64>) order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// -----

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.stencil_tile<rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
// xft.attend_stencil_vjp C6
func.func @gradient_strip(%x: memref<?x?x?x64xf32>, %l: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected strips of at least one group of lines, got 0}}
  xft.attend_stencil_vjp %x, %x, %x, %x, %l, %l to %x, %x, %x groups %n strip 0 order #order weights <scale = 0.125> tile #tile
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
