// RUN: xf-sweep %s T=f32,f64

// Products with so many rows that a block of them stays in the cache for several panels of the other factor.

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
