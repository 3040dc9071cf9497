// RUN: xf-opt -split-input-file -verify-diagnostics %s

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
