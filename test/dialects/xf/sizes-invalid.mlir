// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.size C1
// expected-error@+1 {{expected a divisor of at least 1, got 0}}
func.func private @divisor(tensor<?xf32> {xf.dims = [#xf.size<n / 0>]})

// -----

// #xf.size C1
// expected-error@+1 {{expected a size whose numbers fit into 64 bits}}
func.func private @number(tensor<?xf32> {xf.dims = [#xf.size<9223372036854775807 * n * 2>]})

// -----

// expected-error@+1 {{expected a size: a number, a name or (}}
func.func private @syntax(tensor<?xf32> {xf.dims = [#xf.size<n + *>]})

// -----

func.func @reshape(%x: tensor<?x?xf32>) {
  // xf.reshape C1
  // expected-error@+1 {{'xf.reshape' op expected 2 sizes, one for each dynamic one of 'tensor<?x?xf32>', got 1}}
  %y = xf.reshape %x sizes [n] : tensor<?x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @broadcast(%x: tensor<8xf32>) {
  // xf.broadcast C1
  // expected-error@+1 {{'xf.broadcast' op expected 1 sizes, one for each dynamic one of 'tensor<?x8xf32>', got 2}}
  %y = xf.broadcast %x sizes [n, 8] : tensor<8xf32> to tensor<?x8xf32>
  return
}

// -----

func.func @slice(%x: tensor<?xf32>) {
  // xf.slice C1
  // expected-error@+1 {{'xf.slice' op expected 1 sizes, one for each dynamic one of 'tensor<?xf32>', got 0}}
  %y = xf.slice %x offsets [0] strides [1] sizes [] : tensor<?xf32> to tensor<?xf32>
  return
}

// -----

func.func @pad(%x: tensor<?xf32>) {
  // xf.pad C1
  // expected-error@+1 {{'xf.pad' op expected low end >= 0, got -1}}
  %y = xf.pad %x low [-1] strides [1] sizes [n] : tensor<?xf32> to tensor<?xf32>
  return
}
