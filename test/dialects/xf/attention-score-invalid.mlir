// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention C9
func.func @score_argument(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f64', 'index', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f64, %b, %h, %i, %j) { xf.yield %s : f64 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_index(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f32', 'i64', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b : i64, %h, %i, %j) { xf.yield %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// Scores of f16 are f32.
// xf.attention C9
func.func @score_half(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f16', 'index', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f16, %b, %h, %i, %j) { xf.yield %s : f16 } : (tensor<1x4x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x4x8x16xf16>
  return
}

// -----

// xf.attention C9
func.func @score_yield(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected the score region to yield one 'f32', got 'f32', 'f32'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) { xf.yield %s, %s : f32, f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_op(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an element-wise arith or math op or tensor.extract inside xf.attention}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %q : tensor<1x4x8x16xf32>) { %u = xf.neg %t : tensor<1x4x8x16xf32> xf.yield %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_end(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected xf.yield at the end of the region of xf.attention}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) { func.return %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9: query i is at i + 2 on the axis of keys.
func.func @reads_behind(%q: tensor<1x1x5x16xf32>, %k: tensor<1x1x7x16xf32>, %t: tensor<5x7xf32>) -> tensor<1x1x5x16xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<5x7xf32>) {
    // expected-error@+1 {{expected an index in [0, 5) in dimension 0 of a captured 'tensor<5x7xf32>', got 2 to 6}}
    %y = tensor.extract %c[%i, %j] : tensor<5x7xf32>
    %z = arith.addf %s, %y : f32
    xf.yield %z : f32
  } : (tensor<1x1x5x16xf32>, tensor<1x1x7x16xf32>, tensor<1x1x7x16xf32>) -> tensor<1x1x5x16xf32>
  return %o : tensor<1x1x5x16xf32>
}

// -----

// xf.attention C9: a remainder, a quotient and a bound know their ends; the distance of two positions has all of them.
func.func @reads_before(%q: tensor<2x4x6x16xf32>, %t: tensor<11xf32>) -> tensor<2x4x6x16xf32> {
  %o = xf.attention %q, %q, %q pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<11xf32>) {
    %three = arith.constant 3 : index
    %last = arith.constant 10 : index
    %d = arith.subi %i, %j : index
    %middle = arith.constant 5 : index
    %known = arith.addi %d, %middle : index
    %a = tensor.extract %c[%known] : tensor<11xf32>
    %m = arith.floordivsi %d, %three : index
    %n = arith.muli %m, %three : index
    %remainder = arith.subi %d, %n : index
    %e = tensor.extract %c[%remainder] : tensor<11xf32>
    %f = arith.minsi %known, %last : index
    %g = tensor.extract %c[%f] : tensor<11xf32>
    // expected-error@+1 {{expected an index in [0, 11) in dimension 0 of a captured 'tensor<11xf32>', got -5 to 5}}
    %y = tensor.extract %c[%d] : tensor<11xf32>
    %z = arith.addf %s, %y : f32
    xf.yield %z : f32
  } : (tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>) -> tensor<2x4x6x16xf32>
  return %o : tensor<2x4x6x16xf32>
}

// -----

// xf.attention C9: all heads have pairs, whatever the pattern and the number of tokens.
func.func @reads_by_head(%q: tensor<2x4x?x16xf32>, %t: tensor<3xf32>) -> tensor<2x4x?x16xf32> {
  %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<3xf32>) {
    // expected-error@+1 {{expected an index in [0, 3) in dimension 0 of a captured 'tensor<3xf32>', got 0 to 3}}
    %y = tensor.extract %c[%h] : tensor<3xf32>
    %z = arith.addf %s, %y : f32
    xf.yield %z : f32
  } : (tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32>) -> tensor<2x4x?x16xf32>
  return %o : tensor<2x4x?x16xf32>
}

// -----

// xf.attention C9: outside at every pair.
func.func @reads_past(%q: tensor<2x4x6x16xf32>, %t: tensor<3xf32>) -> tensor<2x4x6x16xf32> {
  %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<3xf32>) {
    %three = arith.constant 3 : index
    %far = arith.addi %j, %three : index
    // expected-error@+1 {{expected an index in [0, 3) in dimension 0 of a captured 'tensor<3xf32>', got 3 to 8}}
    %y = tensor.extract %c[%far] : tensor<3xf32>
    %z = arith.addf %s, %y : f32
    xf.yield %z : f32
  } : (tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>) -> tensor<2x4x6x16xf32>
  return %o : tensor<2x4x6x16xf32>
}
