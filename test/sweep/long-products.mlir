// RUN: xf-sweep %s T=f32,f64

// Products with so many rows, or so long sums, that a block of rows meets several panels of the other factor.

func.func @rows$$(%a: tensor<17000x65x$T>, %b: tensor<65x150x$T>) -> tensor<17000x150x$T> {
  %y = xf.matmul %a, %b : (tensor<17000x65x$T>, tensor<65x150x$T>) -> tensor<17000x150x$T>
  return %y : tensor<17000x150x$T>
}
func.func @shared_rows$$(%a: tensor<9001x150x$T>, %b: tensor<2x150x33x$T>) -> tensor<2x9001x33x$T> {
  %y = xf.matmul %a, %b : (tensor<9001x150x$T>, tensor<2x150x33x$T>) -> tensor<2x9001x33x$T>
  return %y : tensor<2x9001x33x$T>
}
func.func @shared_columns$$(%a: tensor<1100x200x$T>, %b: tensor<5x1100x33x$T>) -> tensor<5x200x33x$T> {
  %y = xf.matmul %a transposed, %b : (tensor<1100x200x$T>, tensor<5x1100x33x$T>) -> tensor<5x200x33x$T>
  return %y : tensor<5x200x33x$T>
}
// Panels that a handle holds.
func.func @rows_weight$$(%x: tensor<17000x65x$T> {xf.name = "x"}, %w: tensor<150x65x$T> {xf.name = "w", xf.parameter = "rows$$"}) -> (tensor<17000x150x$T> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<17000x65x$T>, tensor<150x65x$T>) -> tensor<17000x150x$T>
  return %y : tensor<17000x150x$T>
}
func.func @sums_weight$$(%x: tensor<523x4609x$T> {xf.name = "x"}, %w: tensor<263x4609x$T> {xf.name = "w", xf.parameter = "sums$$"}, %b: tensor<263x$T> {xf.name = "b"}) -> (tensor<523x263x$T> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<263x$T>) : (tensor<523x4609x$T>, tensor<263x4609x$T>) -> tensor<523x263x$T>
  %y = xf.gelu %h form tanh : tensor<523x263x$T>
  return %y : tensor<523x263x$T>
}
