// Integers of score regions that 32 bits do not hold.
// RUN: xf-sweep %s --vjp N=7 T=f32,bf16

func.func @quotients$$(%q: tensor<1x2x$Nx8x$T>, %k: tensor<1x2x$Nx8x$T>, %v: tensor<1x2x$Nx8x$T>) -> tensor<1x2x$Nx8x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) {
    %one = arith.constant 1 : index
    %long = arith.constant 1099511627776 : index
    %odd = arith.constant 1000000007 : index
    %next = arith.addi %i, %one : index
    %x = arith.muli %next, %long : index
    %scaled = arith.muli %j, %odd : index
    %y = arith.addi %scaled, %one : index
    %quotient = arith.divui %x, %y : index
    %z = arith.addi %x, %j : index
    %rest = arith.remui %z, %y : index
    %sum = arith.xori %quotient, %rest : index
    %seven = arith.constant 7 : index
    %small = arith.remui %sum, %seven : index
    %int = arith.index_cast %small : index to i64
    %real = arith.uitofp %int : i64 to f32
    %t = arith.addf %s, %real : f32
    xf.yield %t : f32
  } : (tensor<1x2x$Nx8x$T>, tensor<1x2x$Nx8x$T>, tensor<1x2x$Nx8x$T>) -> tensor<1x2x$Nx8x$T>
  return %o : tensor<1x2x$Nx8x$T>
}
