// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention_vjp C1
func.func @result_shape(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x5xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected o of shape [1, 2, 4, 3], got 'tensor<1x2x4x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %o, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @cotangent_shape(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x5xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected d_o of shape [1, 2, 4, 3], got 'tensor<1x2x4x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %o pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x5xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @cotangent_type(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x3xf64>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %o pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf64>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @lse_shape(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x5xf32>) {
  // expected-error@+1 {{expected lse of shape [1, 2, 4], got 'tensor<1x2x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C2
func.func @gradient_of_keys(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected gradients of q, k and v of types 'tensor<1x2x4x3xf32>', 'tensor<1x2x4x3xf32>', 'tensor<1x2x4x3xf32>', got 'tensor<1x2x4x3xf32>', 'tensor<1x2x5x3xf32>', 'tensor<1x2x4x3xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C3
func.func @keys(%x: tensor<1x2x4x3xf32>, %v: tensor<1x2x5x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected v of shape [1, 2, 4, 3], got 'tensor<1x2x5x3xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %v, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>)
  return
}

// -----

// xf.attention_vjp C4
func.func @reads_without_derivative(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected reads and a derivative region, or neither, got one of the two}}
  %dq, %dk, %dv = "xf.attention_vjp"(%x, %x, %x, %x, %lse, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, pattern = #xf.causal, reads = array<i64>, resultSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0>}> ({}, {}, {})
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C6
func.func @read_of_integers(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected reads of floating-point captures, got number 1 of 'tensor<2xf32>', 'tensor<2xi32>'}}
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [1] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>, %u: tensor<2xi32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y, %f, %h, %s : f32, f32, index, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}

// -----

// xf.attention_vjp C6
func.func @read_of_nothing(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected reads of floating-point captures, got number 2 of 'tensor<2xf32>', 'tensor<2xi32>'}}
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [2] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>, %u: tensor<2xi32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y, %f, %h, %s : f32, f32, index, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}

// -----

// xf.attention_vjp C7
func.func @derivative_arguments(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected a derivative region with the arguments of the score region, got 'f32', 'index', 'index', 'index', 'index', 'tensor<2xf32>'}}
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [0] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y, %f, %h, %s : f32, f32, index, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}

// -----

// xf.attention_vjp C7
func.func @derivative_without_index(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected the derivative region to yield 'f32', 'f32', 'index', 'f32', got 'f32', 'f32', 'f32'}}
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [0] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>, %u: tensor<2xi32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y, %f, %s : f32, f32, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}

// -----

// xf.attention_vjp C7
func.func @derivative_without_read(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected the derivative region to yield 'f32', 'f32', 'index', 'f32', 'index', 'f32', got 'f32', 'f32', 'index', 'f32'}}
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [0, 0] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>, %u: tensor<2xi32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y, %f, %h, %s : f32, f32, index, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}

// -----

// xf.attention_vjp C7
func.func @derivative_op(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>, %table: tensor<2xf32>, %n: tensor<2xi32>) {
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>, %u = %n : tensor<2xi32>) {
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    xf.yield %y : f32
  } derivative reads [0] {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<2xf32>, %u: tensor<2xi32>):
    %f = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %f : f32
    // expected-error@+1 {{expected an element-wise arith or math op or tensor.extract inside xf.attention_vjp}}
    %z = xf.neg %t : tensor<2xf32>
    xf.yield %y, %f, %h, %s : f32, f32, index, f32
  }
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) captures(tensor<2xf32>)
  return
}
