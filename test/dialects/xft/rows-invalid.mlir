// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.rows C1
func.func private @no_outer_dimension(%d: index, %blocks: index) attributes {xft.kernel} {
  // expected-error @+1 {{expected at least one outer dimension, got none}}
  xft.rows outer() columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
  }
  return
}

// -----

// xft.rows C2
func.func private @other_op_in_the_body(%d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected xft.cols, xft.row, xft.element_load, xft.element_store, a scalar arith or math op, or xft.cumsum, xft.sort_row or xft.sum_row alone in the body of xft.rows}}
    %m = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

// xft.rows C3
func.func private @reduction_over_cut_columns(%x: memref<?x?xf32, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks, %blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected no reduction over columns that are cut into blocks, got 1}}
    %s = xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) combine(add) -> f32 {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}

// -----

func.func private @rank(%x: memref<?xf32, strided<[1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected a memref of rank 2, got 'memref<?xf32, strided<[1]>>'}}
    %e = xft.element_load %x : memref<?xf32, strided<[1]>> -> f32
  }
  return
}

// -----

// xft.cols C2
func.func private @output_of_one_element(%x: memref<?x?xf32, strided<[?, 0]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected outputs with a column stride other than 0, got 'memref<?x?xf32, strided<[?, 0]>>'}}
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 0]>>) outs(%x : memref<?x?xf32, strided<[?, 0]>>) {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}

// -----

// xft.cols C3
func.func private @accumulator_of_16_bits(%x: memref<?x?xf16, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected accumulators with a column stride of 1 and a type that is computed in, got 'memref<?x?xf16, strided<[?, 1]>>'}}
    xft.cols ins(%x : memref<?x?xf16, strided<[?, 1]>>) accs(%x : memref<?x?xf16, strided<[?, 1]>>) combine(add) {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}

// -----

// xft.cols C4
func.func private @combiners(%x: memref<?x?xf32, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected 1 combiners, got 2}}
    %s = xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) combine(add, add) -> f32 {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}

// -----

func.func private @stored_type(%x: memref<?x?xf16, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected an element of type 'f32', got 'f16'}}
    %e = xft.element_load %x : memref<?x?xf16, strided<[?, 1]>> -> f16
  }
  return
}

// -----

// xft.cols C5
func.func private @yields_nothing(%x: memref<?x?xf32, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected the region to yield ('f32'), got ()}}
    xft.cols outs(%x : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64):
      xft.yield
    }
  }
  return
}

// -----

// xft.row C1
func.func private @row_of_other_type(%x: memref<?x?xf32, strided<[?, 1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected one row of 'memref<?x?xf32, strided<[?, 1]>>', got 'memref<?xf64, strided<[1]>>'}}
    %r = xft.row %x[%row] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf64, strided<[1]>>
  }
  return
}

// -----

// xft.cols C1
func.func private @columns_of_rank(%x: memref<?xf32, strided<[1]>>, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected a memref of rank 2, got 'memref<?xf32, strided<[1]>>'}}
    xft.cols outs(%x : memref<?xf32, strided<[1]>>) {
    ^bb0(%column: i64):
      %zero = arith.constant 0.0 : f32
      xft.yield %zero : f32
    }
  }
  return
}

// -----

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
