// RUN: xf-opt -split-input-file -verify-diagnostics %s

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
