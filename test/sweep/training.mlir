// RUN: xf-sweep %s --vjp N=1,67 D=33 T=f32,bf16,f16 L=f32 F=64.0
// RUN: xf-sweep %s --vjp N=7 D=1,257 T=f32,bf16,f16 L=f32 F=64.0
// RUN: xf-sweep %s --vjp N=67 D=257 T=f32,bf16,f16 L=f32 F=64.0
// RUN: xf-sweep %s --vjp N=?,13 D=17,? T=f64 L=f64 F=1.0e9 --seed=2
// RUN: xf-sweep %s --vjp --only=far N=7 D=1,257 T=f32 L=f32 F=1.0e4,1.0e7 --seed=3

// Embeddings, the loss, dropout.

func.func @embedding$$(%table: tensor<11x$Dx$T>, %ids: tensor<$Nxi32> {xf.range = array<i64: 0, 10>}) -> tensor<$Nx$Dx$T> {
  %y = xf.embedding %table, %ids : (tensor<11x$Dx$T>, tensor<$Nxi32>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
// Look-ups of row 3 have no gradient.
func.func @embedding_padded$$(%table: tensor<11x$Dx$T>, %ids: tensor<$Nxi32> {xf.range = array<i64: 0, 10>}) -> tensor<$Nx$Dx$T> {
  %row = arith.constant dense<3> : tensor<i32>
  %is_row = xf.compare eq %ids, %row : (tensor<$Nxi32>, tensor<i32>) -> tensor<$Nxi1>
  %column = xf.reshape %is_row : tensor<$Nxi1> to tensor<$Nx1xi1>
  %x = xf.embedding %table, %ids : (tensor<11x$Dx$T>, tensor<$Nxi32>) -> tensor<$Nx$Dx$T>
  %s = xf.stop_gradient %x : tensor<$Nx$Dx$T>
  %y = xf.where %column, %s, %x : (tensor<$Nx1xi1>, tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @embedding_and_positions$$(%table: tensor<11x$Dx$T>, %ids: tensor<$Nxi32> {xf.range = array<i64: 0, 10>}, %p: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %e = xf.embedding %table, %ids : (tensor<11x$Dx$T>, tensor<$Nxi32>) -> tensor<$Nx$Dx$T>
  %y = xf.add %e, %p : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @tied_embedding$$(%table: tensor<11x$Dx$T>, %ids: tensor<$Nxi32> {xf.range = array<i64: 0, 10>}) -> tensor<$Nx11x$T> {
  %x = xf.embedding %table, %ids : (tensor<11x$Dx$T>, tensor<$Nxi32>) -> tensor<$Nx$Dx$T>
  %y = xf.linear %x, %table : (tensor<$Nx$Dx$T>, tensor<11x$Dx$T>) -> tensor<$Nx11x$T>
  return %y : tensor<$Nx11x$T>
}
func.func @cross_entropy$$(%x: tensor<$Nx$Dx$T>, %t: tensor<$Nxi64> {xf.range = array<i64: 0, 0>}) -> tensor<$T> {
  %l, %lse = xf.cross_entropy %x, %t : (tensor<$Nx$Dx$T>, tensor<$Nxi64>) -> (tensor<$T>, tensor<$Nx$L>)
  return %l : tensor<$T>
}
func.func @cross_entropy_i32$$(%x: tensor<$Nx$Dx$T>, %t: tensor<$Nxi32> {xf.range = array<i64: 0, 0>}) -> (tensor<$T>, tensor<$Nx$L>) {
  %l, %lse = xf.cross_entropy %x, %t : (tensor<$Nx$Dx$T>, tensor<$Nxi32>) -> (tensor<$T>, tensor<$Nx$L>)
  return %l, %lse : tensor<$T>, tensor<$Nx$L>
}
func.func @cross_entropy_ignored$$(%x: tensor<$Nx$Dx$T>, %t: tensor<$Nxi64> {xf.range = array<i64: -100, -100>}) -> tensor<$T> {
  %l, %lse = xf.cross_entropy %x, %t : (tensor<$Nx$Dx$T>, tensor<$Nxi64>) -> (tensor<$T>, tensor<$Nx$L>)
  return %l : tensor<$T>
}
func.func @cross_entropy_some_ignored$$(%x: tensor<$Nx$Dx$T>, %c: tensor<$Nxi1>) -> tensor<$T> {
  %on = arith.constant dense<0> : tensor<i64>
  %off = arith.constant dense<-100> : tensor<i64>
  %t = xf.where %c, %on, %off : (tensor<$Nxi1>, tensor<i64>, tensor<i64>) -> tensor<$Nxi64>
  %l, %lse = xf.cross_entropy %x, %t : (tensor<$Nx$Dx$T>, tensor<$Nxi64>) -> (tensor<$T>, tensor<$Nx$L>)
  return %l : tensor<$T>
}
// All logits are far from 0, beside which f32 has no digits for the sum of exponentials. %z is 0; its gradient is not.
func.func @cross_entropy_far$$(%x: tensor<$Nx$Dx$T>, %i: tensor<$Nx$Dxi64> {xf.range = array<i64: -3, 3>}, %t: tensor<$Nxi64> {xf.range = array<i64: 0, 0>}) -> (tensor<$T>, tensor<$Nx$L>) {
  %s = xf.stop_gradient %x : tensor<$Nx$Dx$T>
  %z = xf.sub %x, %s : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  %whole = xf.cast %i : tensor<$Nx$Dxi64> to tensor<$Nx$Dx$T>
  %far = arith.constant dense<$F> : tensor<$T>
  %a = xf.add %whole, %far : (tensor<$Nx$Dx$T>, tensor<$T>) -> tensor<$Nx$Dx$T>
  %logits = xf.add %a, %z : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  %l, %lse = xf.cross_entropy %logits, %t : (tensor<$Nx$Dx$T>, tensor<$Nxi64>) -> (tensor<$T>, tensor<$Nx$L>)
  return %l, %lse : tensor<$T>, tensor<$Nx$L>
}
func.func @dropout$$(%x: tensor<$Nx$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}) -> tensor<$Nx$Dx$T> {
  %y = xf.dropout %x seed(%seed : tensor<2xi64>) p 0.3 : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
// Rows are added to a table's, which has a gradient as they have.
func.func @scatter_add$$(%x: tensor<9x$Dx$T>, %ids: tensor<2x$Nxi64> {xf.range = array<i64: 0, 8>}, %u: tensor<2x$Nx$Dx$T>) -> tensor<9x$Dx$T> {
  %y = xf.embedding_vjp %ids, %u onto %x : (tensor<2x$Nxi64>, tensor<2x$Nx$Dx$T>, tensor<9x$Dx$T>) -> tensor<9x$Dx$T>
  return %y : tensor<9x$Dx$T>
}
