// RUN: xf-sweep %s --vjp N=1,7 D=5,33,80,256 K=1,3,5 T=f32 I=i64
// RUN: xf-sweep %s --vjp N=?,13 D=5,? K=2,5 T=f64,bf16,f16 I=i32 --seed=2
// RUN: xf-sweep %s --vjp --only=sort N=3 D=1,? K=1 T=f32,bf16 I=i64 --seed=3
// RUN: xf-sweep %s --vjp --only='top_k|sort' --vector-bits=512 N=7 D=33 K=9 T=f32 I=i32 --seed=4
// RUN: xf-sweep %s --only='top_k|ascending|ties|non_finite' N=2,131 D=1000 K=70 T=f32,bf16 I=i64 --seed=5
// RUN: xf-sweep %s --vjp --only='sort|ascending|cumsum' N=0,1,35 D=0,1,2,31,1009 K=0 T=f32 I=i32 --seed=6
// RUN: xf-sweep %s --vjp --only=cumsum N=?,40 D=33,? K=1 T=f64,bf16,f16 I=i64 --seed=7

// The first elements of rows in order: a few of many columns, most of few, all; ties, and rows of NaN and infinities.
// Elements by index, sums of elements by index, and sums so far.

func.func @top_k$$(%x: tensor<2x$Nx$Dx$T>) -> (tensor<2x$Nx$Kx$T>, tensor<2x$Nx$Kx$I>) {
  %v, %n = xf.top_k %x : tensor<2x$Nx$Dx$T> -> tensor<2x$Nx$Kx$T>, tensor<2x$Nx$Kx$I>
  return %v, %n : tensor<2x$Nx$Kx$T>, tensor<2x$Nx$Kx$I>
}
func.func @top_k_smallest$$(%x: tensor<$Nx$Dx$T>) -> (tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>) {
  %v, %n = xf.top_k %x smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
  return %v, %n : tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
}
func.func @sort$$(%x: tensor<$Nx$Dx$T>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>) {
  %v, %n = xf.top_k %x : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  return %v, %n : tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
}
func.func @sort_smallest$$(%x: tensor<$Nx$Dx$T>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>) {
  %v, %n = xf.top_k %x smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  return %v, %n : tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
}
func.func @sort_vector$$(%x: tensor<$Dx$T>) -> (tensor<$Dx$T>, tensor<$Dx$I>) {
  %v, %n = xf.top_k %x : tensor<$Dx$T> -> tensor<$Dx$T>, tensor<$Dx$I>
  return %v, %n : tensor<$Dx$T>, tensor<$Dx$I>
}
// Each element is among the first ones of all up to it.
func.func @ascending$$(%x: tensor<$Nx$Dx$T>) -> (tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>) {
  %s, %m = xf.top_k %x smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  %v, %n = xf.top_k %s : tensor<$Nx$Dx$T> -> tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
  return %v, %n : tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
}
// Transposed, from small integers, which are equal to many others.
func.func @ties$$(%i: tensor<$Dx$Nxi32>) -> (tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>, tensor<$Nx$Dx$I>) {
  %f = xf.cast %i : tensor<$Dx$Nxi32> to tensor<$Dx$Nx$T>
  %t = xf.transpose %f permutation [1, 0] : tensor<$Dx$Nx$T> to tensor<$Nx$Dx$T>
  %v, %n = xf.top_k %t : tensor<$Nx$Dx$T> -> tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
  %w, %m = xf.top_k %t smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  return %v, %n, %m : tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>, tensor<$Nx$Dx$I>
}
// 1 / 0 and 0 / 0 among them, and zeros of both signs.
func.func @non_finite$$(%i: tensor<$Nx$Dxi32> {xf.range = array<i64: -2, 2>}, %j: tensor<$Nx$Dxi32> {xf.range = array<i64: -1, 1>}) -> (tensor<$Nx$Kx$I>, tensor<$Nx$Kx$I>, tensor<$Nx$Dx$I>, tensor<$Nx$Dx$I>) {
  %a = xf.cast %i : tensor<$Nx$Dxi32> to tensor<$Nx$Dx$T>
  %b = xf.cast %j : tensor<$Nx$Dxi32> to tensor<$Nx$Dx$T>
  %x = xf.div %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  %v, %n = xf.top_k %x : tensor<$Nx$Dx$T> -> tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
  %w, %m = xf.top_k %x smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Kx$T>, tensor<$Nx$Kx$I>
  %r, %k = xf.top_k %x : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  %s, %l = xf.top_k %x smallest : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>, tensor<$Nx$Dx$I>
  return %n, %m, %k, %l : tensor<$Nx$Kx$I>, tensor<$Nx$Kx$I>, tensor<$Nx$Dx$I>, tensor<$Nx$Dx$I>
}
func.func @take_along$$(%x: tensor<2x$Nx$Dx$T>, %i: tensor<2x$Nx$Kx$I> {xf.range = array<i64: 0, 4>}) -> tensor<2x$Nx$Kx$T> {
  %y = xf.take_along %x, %i : tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Kx$I> -> tensor<2x$Nx$Kx$T>
  return %y : tensor<2x$Nx$Kx$T>
}
func.func @take_along_dynamic$$(%x: tensor<$Nx$Dx$T>, %i: tensor<$Nx?x$I> {xf.range = array<i64: 0, 4>}) -> tensor<$Nx?x$T> {
  %y = xf.take_along %x, %i : tensor<$Nx$Dx$T>, tensor<$Nx?x$I> -> tensor<$Nx?x$T>
  return %y : tensor<$Nx?x$T>
}
func.func @take_along_transposed$$(%x: tensor<$Dx$Nx$T>, %i: tensor<$Kx$Nx$I> {xf.range = array<i64: 0, 4>}) -> tensor<$Kx$Nx$T> {
  %t = xf.transpose %x permutation [1, 0] : tensor<$Dx$Nx$T> to tensor<$Nx$Dx$T>
  %j = xf.transpose %i permutation [1, 0] : tensor<$Kx$Nx$I> to tensor<$Nx$Kx$I>
  %y = xf.take_along %t, %j : tensor<$Nx$Dx$T>, tensor<$Nx$Kx$I> -> tensor<$Nx$Kx$T>
  %r = xf.transpose %y permutation [1, 0] : tensor<$Nx$Kx$T> to tensor<$Kx$Nx$T>
  return %r : tensor<$Kx$Nx$T>
}
func.func @sums$$(%x: tensor<$Nx$Dx$T>, %i: tensor<$Nx$Kx$I> {xf.range = array<i64: 0, 4>}, %u: tensor<$Nx$Kx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.take_along_vjp %x, %i, %u : tensor<$Nx$Dx$T>, tensor<$Nx$Kx$I>, tensor<$Nx$Kx$T>
  %y = xf.add %x, %s : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
// Sums so far, of contiguous rows and of neighbouring ones.
func.func @cumsum$$(%x: tensor<2x$Nx$Dx$T>) -> (tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>) {
  %y = xf.cumsum %x : tensor<2x$Nx$Dx$T>
  %z = xf.cumsum %x reverse : tensor<2x$Nx$Dx$T>
  return %y, %z : tensor<2x$Nx$Dx$T>, tensor<2x$Nx$Dx$T>
}
func.func @cumsum_rows$$(%x: tensor<2x$Dx$Nx$T>) -> tensor<2x$Dx$Nx$T> {
  %t = xf.transpose %x permutation [0, 2, 1] : tensor<2x$Dx$Nx$T> to tensor<2x$Nx$Dx$T>
  %y = xf.cumsum %t : tensor<2x$Nx$Dx$T>
  %r = xf.transpose %y permutation [0, 2, 1] : tensor<2x$Nx$Dx$T> to tensor<2x$Dx$Nx$T>
  return %r : tensor<2x$Dx$Nx$T>
}
func.func @cumsum_integers$$(%x: tensor<$Nx$Dx$I>) -> tensor<$Nx$Dx$I> {
  %y = xf.cumsum %x reverse : tensor<$Nx$Dx$I>
  return %y : tensor<$Nx$Dx$I>
}
// Numbers of columns.
func.func @iota$$(%x: tensor<2x$Nx$Dxi64>, %i: tensor<$Dx$Nxi64>) -> (tensor<2x$Nx$Dxi64>, tensor<$Nx$Dxi32>, tensor<$Nx$Dx$T>) {
  %y = xf.iota %x : tensor<2x$Nx$Dxi64>
  %t = xf.transpose %i permutation [1, 0] : tensor<$Dx$Nxi64> to tensor<$Nx$Dxi64>
  %n = xf.iota %t : tensor<$Nx$Dxi64>
  %w = xf.cast %n : tensor<$Nx$Dxi64> to tensor<$Nx$Dxi32>
  %f = xf.cast %n : tensor<$Nx$Dxi64> to tensor<$Nx$Dx$T>
  return %y, %w, %f : tensor<2x$Nx$Dxi64>, tensor<$Nx$Dxi32>, tensor<$Nx$Dx$T>
}
