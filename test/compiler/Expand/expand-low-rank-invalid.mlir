// RUN: xf-opt %s -xf-expand-low-rank -split-input-file -verify-diagnostics

func.func @pooled(%x: tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32> {
  // expected-error@+1 {{expected a static number of keys to project to 4 rows, got 'tensor<1x1x?x8xf32>'}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4, projection = max>) : (tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32>
  return %o : tensor<1x1x?x8xf32>
}

// -----

func.func @cut(%x: tensor<1x1x?x8xf32>, %e: tensor<64x4xf32>) -> tensor<1x1x?x8xf32> {
  // expected-error@+1 {{expected a static number of keys to project to 4 rows, got 'tensor<1x1x?x8xf32>'}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4>) params(%e : tensor<64x4xf32>) : (tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32>
  return %o : tensor<1x1x?x8xf32>
}

// -----

func.func @score(%x: tensor<1x1x?x8xf32>, %e: tensor<?x4xf32>) -> tensor<1x1x?x8xf32> {
  // expected-error@+1 {{expected a static number of keys where a score uses the query's position, got 'tensor<1x1x?x8xf32>'}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4>) params(%e : tensor<?x4xf32>) score(%s : f32, %b, %h, %i, %j) {
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f32
    xf.yield %f : f32
  } : (tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32>
  return %o : tensor<1x1x?x8xf32>
}
