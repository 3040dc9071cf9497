// RUN: xf-opt %s -split-input-file -verify-diagnostics

func.func @add_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @add_result(%x: tensor<2x1xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected a result of shape [2, 3], got 'tensor<2x2xf32>'}}
  %r = xf.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @add_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @add_booleans(%x: tensor<2xi1>) {
  // expected-error@+1 {{expected numbers, got 'tensor<2xi1>'}}
  %r = xf.add %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @div_integers(%x: tensor<2xi32>) {
  // expected-error@+1 {{expected floats, got 'i32'}}
  %r = xf.div %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @compare_types(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  %r = xf.compare lt %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @where_types(%x: tensor<2xi1>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.where %x, %y, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @cast_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected equal shapes, got 'tensor<2xf32>' and 'tensor<3xi32>'}}
  %r = xf.cast %x : tensor<2xf32> to tensor<3xi32>
  return
}

// -----

func.func @map_yield(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to yield one 'f64', got 'f32'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf64> { xf.yield %a : f32 }
  return
}

// -----

func.func @map_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a result of shape [2], got 'tensor<3xf32>'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<3xf32> { xf.yield %a : f32 }
  return
}

// -----

func.func @map_tensor(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected f16, bf16, f32, f64, i1, i32, i64 or index inside xf.map, got 'tensor<2xf32>'}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = arith.constant dense<1.0> : tensor<2xf32> xf.yield %a : f32 }
  return
}

// -----

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

func.func @map_graph_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected an element-wise arith or math op inside xf.map}}
  %r = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> { %c = tensor.empty() : tensor<2xf32> xf.yield %a : f32 }
  return
}

// -----

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

func.func @checkpoint_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected an op of the dialect xf or a constant inside xf.checkpoint}}
  %r = xf.checkpoint (%a = %x : tensor<2xf32>) -> (tensor<2xf32>) { %c = arith.negf %a : tensor<2xf32> xf.yield %c : tensor<2xf32> }
  return
}

// -----

func.func @checkpoint_yield(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to yield 'tensor<3xf32>', got 'tensor<2xf32>'}}
  %r = xf.checkpoint (%a = %x : tensor<2xf32>) -> (tensor<3xf32>) { xf.yield %a : tensor<2xf32> }
  return
}
