// RUN: xf-sweep %s T=f32,f64,bf16,f16
// RUN: xf-sweep %s --cpu=x86-64-v3 T=f32,bf16

// Products of one program whose tiles differ in rows, panels and terms: they share a function.

func.func @tiles_transposed$$(%a: tensor<520x768x$T>, %b: tensor<520x1030x$T>, %c: tensor<520x97x$T>) -> (tensor<768x1030x$T>, tensor<97x1030x$T>) {
  %x = xf.matmul %a transposed, %b : (tensor<520x768x$T>, tensor<520x1030x$T>) -> tensor<768x1030x$T>
  %y = xf.matmul %c transposed, %b : (tensor<520x97x$T>, tensor<520x1030x$T>) -> tensor<97x1030x$T>
  return %x, %y : tensor<768x1030x$T>, tensor<97x1030x$T>
}
func.func @terms$$(%a: tensor<1500x2100x$T>, %b: tensor<2100x70x$T>, %c: tensor<1500x1300x$T>, %d: tensor<1300x70x$T>) -> (tensor<1500x70x$T>, tensor<1500x70x$T>) {
  %x = xf.matmul %a, %b : (tensor<1500x2100x$T>, tensor<2100x70x$T>) -> tensor<1500x70x$T>
  %y = xf.matmul %c, %d : (tensor<1500x1300x$T>, tensor<1300x70x$T>) -> tensor<1500x70x$T>
  return %x, %y : tensor<1500x70x$T>, tensor<1500x70x$T>
}
