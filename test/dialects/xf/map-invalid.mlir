// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.map C3
func.func @map_yield(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to yield one 'f64', got 'f32'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf64> { xf.yield %a : f32 }
  return
}

// -----

// xf.map C4
func.func @map_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a result of shape [2], got 'tensor<3xf32>'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<3xf32> { xf.yield %a : f32 }
  return
}

// -----

// xf.map C2
func.func @map_tensor(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected f16, bf16, f32, f64, i1, i32, i64 or index inside xf.map, got 'tensor<2xf32>'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = arith.constant dense<1.0> : tensor<2xf32> xf.yield %a : f32 }
  return
}

// -----

// xf.map C2
func.func @map_wide(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected f16, bf16, f32, f64, i1, i32, i64 or index inside xf.map, got 'i128'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = arith.constant 1 : i128 xf.yield %a : f32 }
  return
}

// -----

func.func @map_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{use of undeclared SSA value name}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = xf.neg %x : tensor<2xf32> xf.yield %a : f32 }
  return
}

// -----

// xf.map C2
func.func @map_graph_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected an element-wise arith or math op inside xf.map}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = tensor.empty() : tensor<2xf32> xf.yield %a : f32 }
  return
}

// -----

// xf.map C3
func.func @map_end(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected xf.yield at the end of the region of xf.map}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { func.return %a : f32 }
  return
}

// -----

func.func @map_empty(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  %r = "xf.map"(%x) ({ ^bb0(%a: f32): }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// xf.checkpoint C2
func.func @checkpoint_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected an op of the dialect xf or a constant inside xf.checkpoint}}
  %r = xf.checkpoint (%a = %x : tensor<2xf32>) -> (tensor<2xf32>) { %c = arith.negf %a : tensor<2xf32> xf.yield %c : tensor<2xf32> }
  return
}

// -----

// xf.checkpoint C3
func.func @checkpoint_yield(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to yield 'tensor<3xf32>', got 'tensor<2xf32>'}}
  %r = xf.checkpoint (%a = %x : tensor<2xf32>) -> (tensor<3xf32>) { xf.yield %a : tensor<2xf32> }
  return
}

// -----

// xf.map C1
func.func @map_arguments(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected 1 block arguments, got 2}}
  %r = "xf.map"(%x) ({ ^bb0(%a: f32, %b: f32): xf.yield %a : f32 }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// xf.map C1
func.func @map_argument(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a block argument of type 'f32', got 'f64'}}
  %r = "xf.map"(%x) ({ ^bb0(%a: f64): xf.yield %a : f64 }) : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

// xf.checkpoint C1
func.func @checkpoint_arguments(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected block arguments of types 'tensor<2xf32>', got 'tensor<3xf32>'}}
  %r = "xf.checkpoint"(%x) ({ ^bb0(%a: tensor<3xf32>): xf.yield %a : tensor<3xf32> }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.yield C1
func.func @yield_of_function(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{expected the region of an op, got the body of a function}}
  xf.yield %x : tensor<2xf32>
}
