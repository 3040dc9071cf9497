// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
