// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.add C1
func.func @add_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.add C1
func.func @add_result(%x: tensor<2x1xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected a result of shape [2, 3], got 'tensor<2x2xf32>'}}
  %r = xf.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// xf.add C2
func.func @add_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.add C2
func.func @add_booleans(%x: tensor<2xi1>) {
  // expected-error@+1 {{expected numbers, got 'tensor<2xi1>'}}
  %r = xf.add %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// xf.div C3
func.func @div_integers(%x: tensor<2xi32>) {
  // expected-error@+1 {{expected floats, got 'i32'}}
  %r = xf.div %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// xf.compare C2
func.func @compare_types(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  %r = xf.compare lt %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

// xf.where C2
func.func @where_types(%x: tensor<2xi1>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.where %x, %y, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

// xf.cast C1
func.func @cast_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected equal shapes, got 'tensor<2xf32>' and 'tensor<3xi32>'}}
  %r = xf.cast %x : tensor<2xf32> to tensor<3xi32>
  return
}

// -----

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

// xf.sub C1
func.func @sub_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.sub %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.sub C2
func.func @sub_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.sub %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.mul C1
func.func @mul_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.mul %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.mul C2
func.func @mul_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.mul %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.div C1
func.func @div_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.div %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.div C2
func.func @div_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.div %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.maximum C1
func.func @maximum_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.maximum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.maximum C2
func.func @maximum_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.maximum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.minimum C1
func.func @minimum_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.minimum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.minimum C2
func.func @minimum_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.minimum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.pow C1
func.func @pow_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.pow %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.pow C2
func.func @pow_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.pow %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.pow C3
func.func @pow_integers(%x: tensor<2xi64>) {
  // expected-error@+1 {{expected floats, got 'i64'}}
  %r = xf.pow %x, %x : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

// xf.compare C1
func.func @compare_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.compare lt %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

// xf.where C1
func.func @where_result(%x: tensor<2xi1>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected a result of shape [2], got 'tensor<3xf32>'}}
  %r = xf.where %x, %y, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
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

// -----

// xf.atan2 C1
func.func @atan2_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.atan2 %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.atan2 C2
func.func @atan2_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.atan2 %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.atan2 C3
func.func @atan2_integers(%x: tensor<2xi64>) {
  // expected-error@+1 {{expected floats, got 'i64'}}
  %r = xf.atan2 %x, %x : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}
