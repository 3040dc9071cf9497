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

// -----

func.func @written(%x: tensor<1x1x6x4xf64>, %e: tensor<6x3xf64>, %lse: tensor<1x1x6xf64>) -> tensor<6x3xf64> {
  // expected-error@+1 {{not implemented: an attention_vjp op of a program with #xf.low_rank<rank = 3>; expected xf.vjp or xf.gradient of a function with the attention}}
  %dq, %dk, %dv, %de = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf64>) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6xf64>, tensor<1x1x6x4xf64>) -> (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) params(tensor<6x3xf64>)
  return %de : tensor<6x3xf64>
}
