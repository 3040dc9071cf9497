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
