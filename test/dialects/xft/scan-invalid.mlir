// RUN: xf-opt -split-input-file -verify-diagnostics %s

// xft.scan C4
func.func private @chunk(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a chunk that is a multiple of the register tile}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 40, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C3
func.func private @exponents(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected two exponents for each of 1 slots, or none, got 4}}
  xft.scan %q, %q, %q to %q
      features <exponents = [1.0, 0.0, 1.0, 0.0], epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C2
func.func private @weights(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x20xf32>, %w: memref<1x1x6x20xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected weights 1x1xmxD' with D' >= 24}}
  xft.scan %q, %q, %q to %q weights(%w : memref<1x1x6x20xf32>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x20xf32>, memref<?x?x?x20xf32>, memref<?x?x?x20xf32>, memref<?x?x?x20xf32>
  return
}

// -----

// xft.scan C3
func.func private @value(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a region on ('f32'), got ('f64')}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f64):
    xft.yield %u : f64
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C4
func.func private @value_columns(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected value columns of a task that divide 24, got}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 16>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C1
func.func private @rank(%q: memref<?x?x?x24xf32>, %y: memref<?x?x24xf32>) {
  // expected-error @below {{expected BxHxNxD with unit inner stride and a static D, got 'memref<?x?x24xf32>'}}
  xft.scan %y, %q, %q to %q features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C2
func.func private @weights_type(%q: memref<?x?x?x24xbf16>, %w: memref<1x1x6x24xf16>) {
  // expected-error @below {{expected weights of 'f32', or of the type of q and k and tiles of several lanes, got}}
  xft.scan %q, %q, %q to %q weights(%w : memref<1x1x6x24xf16>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>
  return
}

// -----

// xft.scan C2
func.func private @weights_of_a_block(%q: memref<?x?x?x24xbf16>, %w: memref<1x1x6x24xbf16>) {
  // expected-error @below {{expected weights of 'f32', or of the type of q and k and tiles of several lanes, got}}
  xft.scan %q, %q, %q to %q weights(%w : memref<1x1x6x24xbf16>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>
  return
}
