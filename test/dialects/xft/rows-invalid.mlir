// RUN: xf-opt %s -split-input-file -verify-diagnostics

func.func private @no_outer_dimension(%d: index, %blocks: index) attributes {xft.kernel} {
  // expected-error @+1 {{expected at least one outer dimension, got none}}
  xft.rows outer() columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
  }
  return
}

// -----

func.func private @other_op_in_the_body(%d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%d) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    // expected-error @+1 {{expected xft.cols, xft.row, xft.element_load, xft.element_store or a scalar arith or math op in the body of xft.rows}}
    %m = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

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
