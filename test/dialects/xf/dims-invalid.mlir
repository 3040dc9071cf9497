// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.dim C1
// expected-error@+1 {{expected 0 <= min <= max of dimension 'batch', got min = 4, max = 2}}
func.func private @bounds(tensor<?x8xf32> {xf.dims = [#xf.dim<name = "batch", min = 4, max = 2>]})

// -----

// #xf.dim C2
// expected-error@+1 {{expected 2 dimensions in attribute 'xf.dims' of 'tensor<?x8x?xf32>', got [#xf.dim<name = "batch", min = 1, max = 64>]}}
func.func private @number(tensor<?x8x?xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 64>]})
