// RUN: xf-opt -split-input-file -verify-diagnostics %s

func.func private @chunk(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a chunk that is a multiple of the register tile}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 40, keys = 48>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @exponents(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected two exponents for each of 1 slots, or none, got 4}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {exponents = array<f64: 1.0, 0.0, 1.0, 0.0>, epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>,
     normalizer = #xf<normalizer sum>, tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @weights(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x20xf32>, %w: memref<1x1x6x20xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected weights 1x1xmxD' with D' >= 24}}
  xft.scan %q, %q, %q to %q weights(%w : memref<1x1x6x20xf32>) value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>}
  : memref<?x?x?x20xf32>, memref<?x?x?x20xf32>, memref<?x?x?x20xf32>, memref<?x?x?x20xf32>
  return
}

// -----

func.func private @value(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a region on ('f32'), got ('f64')}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f64):
    xft.yield %u : f64
  } {epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @value_columns(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected value columns of a task that divide 24, got}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 16>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @columns_of_state(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected tasks of all value columns where there is a state, got}}
  xft.scan %q, %q, %q to %q state(%q : memref<?x?x?x24xf32>) value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 12>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @phase_without_state(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a state, tiles of one lane and neither segments nor beta where there is a phase}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {phase = #xft<phase keys>, epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @empty_slices(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected slices of at least one chunk, got 0}}
  xft.scan %q, %q, %q to %q value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {slice = 0, epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>,
     tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

func.func private @phase_of_gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>,
                                     %groups: index) attributes {xft.kernel} {
  // expected-error @+1 {{expected a buffer for R and slices of one chunk where there is a phase}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %q, %q, %q groups %groups state(%q : memref<?x?x?x24xf32>) value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } {phase = #xft<phase keys>, epsilon = 0.1, input_scale = 1.0, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>,
     normalizer = #xf<normalizer sum>, tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>}
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xf32>,
    memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}
