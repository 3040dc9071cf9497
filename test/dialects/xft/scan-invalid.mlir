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

// xft.scan_vjp C4
func.func private @phase_of_gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>,
                                     %groups: index) attributes {xft.kernel} {
  // expected-error @+1 {{expected a buffer for R and slices of one chunk where there is a phase}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %q, %q, %q groups %groups state(%q : memref<?x?x?x24xf32>)
      features <epsilon = 0.1, input_scale = 1.0, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>, phase = keys> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xf32>,
    memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
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

// -----

// xft.scan_vjp C1
func.func private @gradient_type(%q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>, %n: index, %g: memref<?x?x?x24xbf16>) {
  // expected-error @below {{expected gradients of 'f32', got 'memref<?x?x?x24xbf16>'}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %g, %q, %q groups %n features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xbf16>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan_vjp C2
func.func private @no_weights(%q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>, %n: index, %w: memref<?x20x24xf32>) {
  // expected-error @below {{expected weights where there are gradients of weights}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %q, %q, %q groups %n d_weights(%w : memref<?x20x24xf32>) features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan_vjp C3
func.func private @no_state(%q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected a state where the scan is ordered}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %q, %q, %q groups %n features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> ordered value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
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

// -----

// xft.scan C8
func.func private @rounded_values(%q: memref<?x?x?x24xf32>) {
  // expected-error @below {{expected v of 'bf16', got}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>, features = bf16> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// -----

// xft.scan C8
func.func private @rounded_lane(%q: memref<?x?x?x24xbf16>) {
  // expected-error @below {{expected tiles of several lanes where features are rounded}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>, features = bf16> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>
  return
}

// -----

// xft.scan C8
func.func private @rounded_decay(%q: memref<?x?x?x24xbf16>, %a: memref<?x?x?xf32>) {
  // expected-error @below {{expected neither decay nor beta where features are rounded}}
  xft.scan %q, %q, %q to %q decay(%a : memref<?x?x?xf32>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>, features = bf16> ordered value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>
  return
}

// -----

// xft.scan C8
func.func private @rounded_chunk(%q: memref<?x?x?x24xbf16>) {
  // expected-error @below {{expected a chunk that is a multiple of 16, got}}
  xft.scan %q, %q, %q to %q
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 4, registers = 1, lanes = 8, queries = 40, keys = 40>, features = bf16> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>
  return
}

// -----

// xft.scan_vjp C5
func.func private @rounded_gradient(%q: memref<?x?x?x24xbf16>, %d: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>, %n: index) {
  // expected-error @below {{expected features that are not rounded, got}}
  xft.scan_vjp %q, %q, %q, %q, %rows to %d, %d, %d groups %n features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>, features = bf16> value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } slope {
  ^bb0(%u: f32):
    xft.yield %u : f32
  } : memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?x24xbf16>, memref<?x?x?xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}
