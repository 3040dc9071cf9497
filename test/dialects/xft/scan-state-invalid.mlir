// RUN: xf-opt -split-input-file -verify-diagnostics %s

// xft.scan C7
func.func private @columns_of_state(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected tasks of all value columns where there is a state, got}}
  xft.scan %q, %q, %q to %q state(%q : memref<?x?x?x24xf32>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 12>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C5
func.func private @phase_without_state(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a state, tiles of one lane and neither segments nor beta where there is a phase}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>, phase = keys> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C6
func.func private @decay_of_all(%q: memref<?x?x?x24xf32>, %d: memref<?x?x?xf32>) {
  // expected-error @below {{expected an ordered scan where there is decay}}
  xft.scan %q, %q, %q to %q decay(%d : memref<?x?x?xf32>) features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C6
func.func private @beta_of_all(%q: memref<?x?x?x24xf32>, %d: memref<?x?x?xf32>) {
  // expected-error @below {{expected an ordered scan without running keys where there is beta}}
  xft.scan %q, %q, %q to %q beta(%d : memref<?x?x?xf32>) features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C7
func.func private @segments_of_state(%q: memref<?x?x?x24xf32>, %s: memref<?x?xi32>) {
  // expected-error @below {{expected one sequence of keys where there is a state, got segments}}
  xft.scan %q, %q, %q to %q segments(%s, %s : memref<?x?xi32>, memref<?x?xi32>) state(%q : memref<?x?x?x24xf32>) features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}
