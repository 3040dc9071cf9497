// RUN: xf-sweep %s --vjp N=1,7 D=1,33,80 T=f32,f64
// RUN: xf-sweep %s --vjp N=?,13 D=5,256 T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=7,33 D=80 T=f32

// Shapes: index maps read through by what follows, copies where there is no other way.

func.func @transpose$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Dx$Nx$T> {
  %y = xf.transpose %x permutation [1, 0] : tensor<$Nx$Dx$T> to tensor<$Dx$Nx$T>
  return %y : tensor<$Dx$Nx$T>
}
func.func @transpose_of_result$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Dx$Nx$T> {
  %e = xf.exp %x : tensor<$Nx$Dx$T>
  %y = xf.transpose %e permutation [1, 0] : tensor<$Nx$Dx$T> to tensor<$Dx$Nx$T>
  return %y : tensor<$Dx$Nx$T>
}
func.func @permute$$(%x: tensor<2x$Nx4x$Dx$T>) -> tensor<4x2x$Dx$Nx$T> {
  %y = xf.transpose %x permutation [2, 0, 3, 1] : tensor<2x$Nx4x$Dx$T> to tensor<4x2x$Dx$Nx$T>
  %z = xf.sin %y : tensor<4x2x$Dx$Nx$T>
  return %z : tensor<4x2x$Dx$Nx$T>
}
func.func @reshape_last$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Nx$Dx1x$T> {
  %s = xf.sin %x : tensor<3x$Nx$Dx$T>
  %y = xf.reshape %s : tensor<3x$Nx$Dx$T> to tensor<3x$Nx$Dx1x$T>
  return %y : tensor<3x$Nx$Dx1x$T>
}
func.func @reshape_split$$(%x: tensor<3x$Nx8x$T>) -> tensor<3x$Nx2x4x$T> {
  %s = xf.sin %x : tensor<3x$Nx8x$T>
  %y = xf.reshape %s : tensor<3x$Nx8x$T> to tensor<3x$Nx2x4x$T>
  return %y : tensor<3x$Nx2x4x$T>
}
func.func @reshape_merge$$(%x: tensor<3x$Nx2x4x$T>) -> tensor<3x$Nx8x$T> {
  %y = xf.reshape %x : tensor<3x$Nx2x4x$T> to tensor<3x$Nx8x$T>
  %s = xf.sin %y : tensor<3x$Nx8x$T>
  return %s : tensor<3x$Nx8x$T>
}
func.func @slice_rows$$(%x: tensor<14x$Dx$T>) -> tensor<5x$Dx$T> {
  %s = xf.sin %x : tensor<14x$Dx$T>
  %y = xf.slice %s offsets [1, 0] strides [3, 1] : tensor<14x$Dx$T> to tensor<5x$Dx$T>
  return %y : tensor<5x$Dx$T>
}
func.func @slice_columns$$(%x: tensor<$Nx9x$T>) -> tensor<$Nx3x$T> {
  %y = xf.slice %x offsets [0, 2] strides [1, 2] : tensor<$Nx9x$T> to tensor<$Nx3x$T>
  %s = xf.sin %y : tensor<$Nx3x$T>
  return %s : tensor<$Nx3x$T>
}
func.func @pad$$(%x: tensor<$Nx3x$T>) -> tensor<$Nx11x$T> {
  %s = xf.sin %x : tensor<$Nx3x$T>
  %y = xf.pad %s low [0, 2] strides [1, 3] : tensor<$Nx3x$T> to tensor<$Nx11x$T>
  return %y : tensor<$Nx11x$T>
}
func.func @concat_rows$$(%a: tensor<5x$Dx$T>, %b: tensor<14x$Dx$T>) -> tensor<19x$Dx$T> {
  %y = xf.concat %a, %b axis 0 : (tensor<5x$Dx$T>, tensor<14x$Dx$T>) -> tensor<19x$Dx$T>
  return %y : tensor<19x$Dx$T>
}
func.func @concat_columns$$(%a: tensor<$Nx3x$T>, %b: tensor<$Nx9x$T>, %c: tensor<$Nx3x$T>) -> tensor<$Nx15x$T> {
  %s = xf.sin %a : tensor<$Nx3x$T>
  %y = xf.concat %s, %b, %c axis 1 : (tensor<$Nx3x$T>, tensor<$Nx9x$T>, tensor<$Nx3x$T>) -> tensor<$Nx15x$T>
  return %y : tensor<$Nx15x$T>
}
func.func @broadcast$$(%x: tensor<1x33x$T>) -> tensor<5x3x33x$T> {
  %s = xf.sin %x : tensor<1x33x$T>
  %y = xf.broadcast %s : tensor<1x33x$T> to tensor<5x3x33x$T>
  return %y : tensor<5x3x33x$T>
}
func.func @broadcast_and_add$$(%x: tensor<1x$Dx$T>, %a: tensor<5x$Dx$T>) -> tensor<5x$Dx$T> {
  %y = xf.broadcast %x : tensor<1x$Dx$T> to tensor<5x$Dx$T>
  %z = xf.mul %y, %a : (tensor<5x$Dx$T>, tensor<5x$Dx$T>) -> tensor<5x$Dx$T>
  return %z : tensor<5x$Dx$T>
}
func.func @split_heads$$(%x: tensor<2x$Nx12x$T>) -> tensor<2x3x$Nx4x$T> {
  %y = xf.split_heads %x heads 3 : (tensor<2x$Nx12x$T>) -> tensor<2x3x$Nx4x$T>
  %s = xf.sin %y : tensor<2x3x$Nx4x$T>
  return %s : tensor<2x3x$Nx4x$T>
}
func.func @merge_heads$$(%x: tensor<2x3x$Nx4x$T>) -> tensor<2x$Nx12x$T> {
  %s = xf.sin %x : tensor<2x3x$Nx4x$T>
  %y = xf.merge_heads %s : (tensor<2x3x$Nx4x$T>) -> tensor<2x$Nx12x$T>
  return %y : tensor<2x$Nx12x$T>
}
func.func @stack_layers$$(%a: tensor<2x7x$Dx$T>, %b: tensor<2x7x$Dx$T>, %c: tensor<2x7x$Dx$T>) -> tensor<2x21x$Dx$T> {
  %y = xf.stack_layers %a, %b, %c : (tensor<2x7x$Dx$T>, tensor<2x7x$Dx$T>, tensor<2x7x$Dx$T>) -> tensor<2x21x$Dx$T>
  return %y : tensor<2x21x$Dx$T>
}
func.func @pool_max$$(%x: tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T> {
  %y = xf.pool_layers %x layers 3 kind max : (tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T>
  return %y : tensor<2x7x$Dx$T>
}
func.func @pool_mean$$(%x: tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T> {
  %y = xf.pool_layers %x layers 3 kind mean : (tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T>
  return %y : tensor<2x7x$Dx$T>
}
func.func @pool_last$$(%x: tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T> {
  %y = xf.pool_layers %x layers 3 kind last : (tensor<2x21x$Dx$T>) -> tensor<2x7x$Dx$T>
  return %y : tensor<2x7x$Dx$T>
}
// The number of tokens, which may be dynamic, survives layers and their gradients.
func.func @layers_max$$(%a: tensor<2x$Nx$Dx$T>, %b: tensor<2x$Nx$Dx$T>, %c: tensor<2x$Nx$Dx$T>) -> tensor<2x$Nx$Dx$T> {
  %y = xf.stack_layers %a, %b, %c : (tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>) -> tensor<2x?x$Dx$T>
  %z = xf.pool_layers %y layers 3 kind max : (tensor<2x?x$Dx$T>) -> tensor<2x$Nx$Dx$T>
  %o = xf.sin %z : tensor<2x$Nx$Dx$T>
  return %o : tensor<2x$Nx$Dx$T>
}
func.func @layers_mean$$(%a: tensor<2x$Nx$Dx$T>, %b: tensor<2x$Nx$Dx$T>, %c: tensor<2x$Nx$Dx$T>) -> tensor<2x$Nx$Dx$T> {
  %y = xf.stack_layers %a, %b, %c : (tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>) -> tensor<2x?x$Dx$T>
  %z = xf.pool_layers %y layers 3 kind mean : (tensor<2x?x$Dx$T>) -> tensor<2x$Nx$Dx$T>
  %o = xf.sin %z : tensor<2x$Nx$Dx$T>
  return %o : tensor<2x$Nx$Dx$T>
}
func.func @layers_last$$(%a: tensor<2x$Nx$Dx$T>, %b: tensor<2x$Nx$Dx$T>, %c: tensor<2x$Nx$Dx$T>) -> tensor<2x$Nx$Dx$T> {
  %y = xf.stack_layers %a, %b, %c : (tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>) -> tensor<2x?x$Dx$T>
  %z = xf.pool_layers %y layers 3 kind last : (tensor<2x?x$Dx$T>) -> tensor<2x$Nx$Dx$T>
  %o = xf.sin %z : tensor<2x$Nx$Dx$T>
  return %o : tensor<2x$Nx$Dx$T>
}
func.func @checkpoint$$(%x: tensor<$Nx$Dx$T>, %w: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.checkpoint (%a = %x : tensor<$Nx$Dx$T>, %b = %w : tensor<$Dx$T>) -> (tensor<$Nx$Dx$T>) {
    %e = xf.sin %a : tensor<$Nx$Dx$T>
    %m = xf.mul %e, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
    xf.yield %m : tensor<$Nx$Dx$T>
  }
  return %y : tensor<$Nx$Dx$T>
}
// Slices of one tensor, whose gradients add up: parts that fill it, that overlap, and that were cast.
func.func @parts_that_fill$$(%x: tensor<14x$Dx$T>) -> (tensor<5x$Dx$T>, tensor<9x$Dx$T>) {
  %a = xf.slice %x offsets [0, 0] strides [1, 1] : tensor<14x$Dx$T> to tensor<5x$Dx$T>
  %b = xf.slice %x offsets [5, 0] strides [1, 1] : tensor<14x$Dx$T> to tensor<9x$Dx$T>
  %y = xf.square %a : tensor<5x$Dx$T>
  return %y, %b : tensor<5x$Dx$T>, tensor<9x$Dx$T>
}
func.func @parts_that_overlap$$(%x: tensor<14x$Dx$T>) -> (tensor<14x$Dx$T>, tensor<6x$Dx$T>) {
  %a = xf.slice %x offsets [1, 0] strides [2, 1] : tensor<14x$Dx$T> to tensor<6x$Dx$T>
  %b = xf.slice %x offsets [3, 0] strides [1, 1] : tensor<14x$Dx$T> to tensor<6x$Dx$T>
  %c = xf.slice %x offsets [7, 0] strides [1, 1] : tensor<14x$Dx$T> to tensor<6x$Dx$T>
  %d = xf.mul %a, %b : (tensor<6x$Dx$T>, tensor<6x$Dx$T>) -> tensor<6x$Dx$T>
  %e = xf.mul %d, %c : (tensor<6x$Dx$T>, tensor<6x$Dx$T>) -> tensor<6x$Dx$T>
  %y = xf.square %x : tensor<14x$Dx$T>
  return %y, %e : tensor<14x$Dx$T>, tensor<6x$Dx$T>
}
func.func @add_at$$(%x: tensor<14x$Dx$T>, %a: tensor<4x$Dx$T>) -> tensor<14x$Dx$T> {
  %y = xf.square %x : tensor<14x$Dx$T>
  %z = xf.add_at %y, %a offsets [2, 0] strides [3, 1] : tensor<14x$Dx$T>, tensor<4x$Dx$T>
  %r = xf.add_at %z, %a offsets [4, 0] strides [1, 1] : tensor<14x$Dx$T>, tensor<4x$Dx$T>
  return %r : tensor<14x$Dx$T>
}
// A position that the recomputed region reads is still an argument, which a call checks.
func.func @update_in_checkpoint$$(%s: tensor<8x$Dx$T>, %x: tensor<2x$Dx$T>, %p: tensor<i64> {xf.range = array<i64: 0, 6>}) -> tensor<8x$Dx$T> {
  %z = xf.checkpoint (%a = %s : tensor<8x$Dx$T>, %b = %x : tensor<2x$Dx$T>, %q = %p : tensor<i64>) -> (tensor<8x$Dx$T>) {
    %y = xf.slice_update %a, %b at %q axis 0 : (tensor<8x$Dx$T>, tensor<2x$Dx$T>, tensor<i64>) -> tensor<8x$Dx$T>
    %e = xf.tanh %y : tensor<8x$Dx$T>
    xf.yield %e : tensor<8x$Dx$T>
  }
  return %z : tensor<8x$Dx$T>
}
