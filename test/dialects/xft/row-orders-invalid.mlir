// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.cumsum C1
func.func private @cumsum_of_cut_columns(%x: memref<?x?xf32, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks, %blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected to be the only op of an xft.rows with whole columns}}
    xft.cumsum %x to %x : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>
  }
  return
}

// -----

// xft.cumsum C1
func.func private @cumsum_of_a_row(%x: memref<?xf32, strided<[1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected memrefs of rank 2, got 'memref<?xf32, strided<[1]>>'}}
    xft.cumsum %x to %x : memref<?xf32, strided<[1]>>, memref<?xf32, strided<[1]>>
  }
  return
}

// -----

// xft.cumsum C1
func.func private @cumsum_of_two_types(%x: memref<?x?xf32>, %y: memref<?x?xf64>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected one element type, got 'f32' and 'f64'}}
    xft.cumsum %x to %y : memref<?x?xf32>, memref<?x?xf64>
  }
  return
}

// -----

// xft.sort_row C2
func.func private @sort_with_narrow_keys(%x: memref<?x?xf32>, %i: memref<?x?xi64>, %k: memref<?x?xi16>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected keys of 32 bits, got 'memref<?x?xi16>'}}
    xft.sort_row %x to %x, %i scratch %k, %i : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xi64>, memref<?x?xi16>, memref<?x?xi64>
  }
  return
}

// -----

// xft.sort_row C2
func.func private @sort_to_another_type(%x: memref<?x?xf32>, %v: memref<?x?xf64>, %i: memref<?x?xi64>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected one type of floats, got 'f32' and 'f64'}}
    xft.sort_row %x to %v, %i scratch %i, %i : memref<?x?xf32>, memref<?x?xf64>, memref<?x?xi64>, memref<?x?xi64>, memref<?x?xi64>
  }
  return
}

// -----

// xft.sort_row C2
func.func private @sort_with_indices_of_floats(%x: memref<?x?xf32>, %k: memref<?x?xi32>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected integers, got 'memref<?x?xf32>'}}
    xft.sort_row %x to %x, %x scratch %k, %k : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xi32>, memref<?x?xi32>
  }
  return
}

// -----

// xft.sort_row C3
func.func private @sort_with_strided_scratch(%x: memref<?x?xf32>, %i: memref<?x?xi64>, %k: memref<?x?xi32, strided<[?, 2]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected unit stride, got 'memref<?x?xi32, strided<[?, 2]>>'}}
    xft.sort_row %x to %x, %i scratch %k, %i : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xi64>, memref<?x?xi32, strided<[?, 2]>>, memref<?x?xi64>
  }
  return
}

// -----

// xft.sort_row C1
func.func private @sort_beside_another_op(%x: memref<?x?xf32>, %i: memref<?x?xi32>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected to be the only op of an xft.rows with whole columns}}
    xft.sort_row %x to %x, %i scratch %i, %i : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>
    %one = arith.constant 1 : i64
  }
  return
}

// -----

// xft.sum_row C1
func.func private @sum_of_one_row(%x: memref<?x?xf32>, %i: memref<?xi32>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected memrefs of rank 2, got 'memref<?xi32>'}}
    xft.sum_row %i, %x to %x : memref<?xi32>, memref<?x?xf32>, memref<?x?xf32>
  }
  return
}

// -----

// xft.sum_row C2
func.func private @sum_in_16_bits(%x: memref<?x?xf16>, %i: memref<?x?xi32>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected sums of floats in the type that is computed in, got 'f16' and 'f16'}}
    xft.sum_row %i, %x to %x : memref<?x?xi32>, memref<?x?xf16>, memref<?x?xf16>
  }
  return
}

// -----

// xft.sum_row C2
func.func private @sum_by_floats(%x: memref<?x?xf32>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected integers, got 'memref<?x?xf32>'}}
    xft.sum_row %x, %x to %x : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
  }
  return
}
