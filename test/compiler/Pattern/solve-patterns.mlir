// RUN: xf-opt --xf-solve-patterns -split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @dense
// CHECK: solution = [#xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>]
func.func @dense(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// CHECK: #[[SAME:.*]] = affine_map<(d0)[s0, s1] -> (d0)>
// CHECK-LABEL: func.func @causal
// CHECK: pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = #[[SAME]], query_lower = #[[SAME]]>]
func.func @causal(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// CHECK-DAG: #[[LOW:.*]] = affine_map<(d0)[s0, s1] -> (d0 - 9)>
// CHECK-DAG: #[[HIGH:.*]] = affine_map<(d0)[s0, s1] -> (d0 + 2)>
// CHECK-DAG: #[[QLOW:.*]] = affine_map<(d0)[s0, s1] -> (d0 - 2)>
// CHECK-DAG: #[[QHIGH:.*]] = affine_map<(d0)[s0, s1] -> (d0 + 9)>
// CHECK-LABEL: func.func @window
// CHECK: lower = #[[LOW]], upper = #[[HIGH]], query_lower = #[[QLOW]], query_upper = #[[QHIGH]]>]
func.func @window(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 9, right = 2>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// CHECK-LABEL: func.func @unbounded
// CHECK: pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = #{{.*}}, query_lower = #{{.*}}>]
func.func @unbounded(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = unbounded, right = -2>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// Residue classes, each a window of its own.
// CHECK-LABEL: func.func @dilated
// CHECK: queries = #xf.index_map<residues = 4, period = 4, multiplier = 1>
// CHECK-SAME: keys = #xf.index_map<residues = 4, period = 4, multiplier = 1>, residues = 4, lower
func.func @dilated(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dilated<left = 32, step = 4>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// The window first; the column then leaves the window out.
// CHECK-DAG: #[[FAR:.*]] = affine_map<(d0)[s0, s1] -> (d0 - 129)>
// CHECK-LABEL: func.func @strided
// CHECK: pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower
// CHECK-SAME: #xf.piece<queries = #xf.index_map<residues = 128, period = 128, multiplier = 1>
// CHECK-SAME: residues = 128, upper = #[[FAR]], query_lower
func.func @strided(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 128>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// The column's keys are packed; both pieces walk the queries in one order.
// CHECK-DAG: #[[START:.*]] = affine_map<(d0)[s0, s1] -> ((d0 floordiv 128) * 128)>
// CHECK-DAG: #[[BEFORE:.*]] = affine_map<(d0)[s0, s1] -> ((d0 floordiv 128) * 128 - 1)>
// CHECK-LABEL: func.func @fixed
// CHECK: pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = #[[START]]
// CHECK-SAME: #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<period = 128, width = 32, offset = 96>, upper = #[[BEFORE]]
func.func @fixed(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 128, summary = 32>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// CHECK-LABEL: func.func @fixed_slot
// CHECK: keys = #xf.index_map<period = 128, width = 32, offset = 64>
func.func @fixed_slot(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = 128, summary = 32, part = column, slot = 1>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// Anti-diagonals: residue r of the queries meets residue -r of the keys.
// CHECK-LABEL: func.func @antidiagonal
// CHECK: keys = #xf.index_map<residues = 16, period = 16, multiplier = 15>, residues = 16
func.func @antidiagonal(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x
       pattern(#xf.union<[#xf.window<left = 5>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// A run-time symbol stays a symbol of the bounds.
// CHECK-DAG: #[[LENGTH:.*]] = affine_map<(d0)[s0, s1, s2] -> (s2 - 1)>
// CHECK-LABEL: func.func @prefix
// CHECK: upper = #[[LENGTH]]
func.func @prefix(%x: tensor<1x1x?x4xf32>, %p: tensor<i64>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.prefix) symbols(%p : tensor<i64>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// One solution per member of heads, and the same for the gradient.
// CHECK-LABEL: func.func @heads
// CHECK: xf.attention
// CHECK-SAME: solution = [[SOLUTIONS:\[#xf.solution<pieces = .*, #xf.solution<pieces = .*>\]]]}
// CHECK: xf.attention_vjp
// CHECK-SAME: solution = [[SOLUTIONS]]}
func.func @heads(%x: tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32> {
  %o, %lse = xf.attention %x, %x, %x pattern(#xf.heads<[#xf.causal, #xf.dense]>)
     : (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>) -> (tensor<1x2x?x4xf32>, tensor<1x2x?xf32>)
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %o, %lse, %x pattern(#xf.heads<[#xf.causal, #xf.dense]>)
     : (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?xf32>, tensor<1x2x?x4xf32>)
     -> (tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>)
  return %dq : tensor<1x2x?x4xf32>
}
