// Attention on a part of the queries of a grid, with scores that ask for positions.
// RUN: xf-sweep %s --vjp T=f64 D=16
// RUN: xf-sweep %s --vjp --vector-bits=512 T=f32 D=80 --seed=2

func.func @first$$(%q: tensor<1x2x33x$Dx$T>, %k: tensor<1x2x99x$Dx$T>, %v: tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T> {
  %p = arith.constant dense<[[0, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [9, 11], radius = [2, 3]>)
    score(%s : $T, %b, %h, %i, %j) {
      %n = arith.subi %i, %j : index
      %c = arith.index_cast %n : index to i64
      %x = arith.sitofp %c : i64 to $T
      %w = arith.constant 0.1 : $T
      %y = arith.mulf %x, %w : $T
      %t = arith.subf %s, %y : $T
      xf.yield %t : $T
    } part(%p : tensor<1x2xi64>) : (tensor<1x2x33x$Dx$T>, tensor<1x2x99x$Dx$T>, tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T>
  return %o : tensor<1x2x33x$Dx$T>
}

func.func @last$$(%q: tensor<1x2x33x$Dx$T>, %k: tensor<1x2x99x$Dx$T>, %v: tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T> {
  %p = arith.constant dense<[[2, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [9, 11], radius = [2, 3]>)
    score(%s : $T, %b, %h, %i, %j) {
      %n = arith.subi %i, %j : index
      %c = arith.index_cast %n : index to i64
      %x = arith.sitofp %c : i64 to $T
      %w = arith.constant 0.1 : $T
      %y = arith.mulf %x, %w : $T
      %t = arith.subf %s, %y : $T
      xf.yield %t : $T
    } part(%p : tensor<1x2xi64>) : (tensor<1x2x33x$Dx$T>, tensor<1x2x99x$Dx$T>, tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T>
  return %o : tensor<1x2x33x$Dx$T>
}

func.func @plain$$(%q: tensor<1x2x33x$Dx$T>, %k: tensor<1x2x99x$Dx$T>, %v: tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T> {
  %p = arith.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [9, 11], radius = [2, 3]>) part(%p : tensor<1x2xi64>) : (tensor<1x2x33x$Dx$T>, tensor<1x2x99x$Dx$T>, tensor<1x2x99x$Dx$T>) -> tensor<1x2x33x$Dx$T>
  return %o : tensor<1x2x33x$Dx$T>
}
