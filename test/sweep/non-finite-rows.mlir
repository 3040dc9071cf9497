// Rows whose scores are all NaN, or of which one is +inf, are NaN forward and backward, as are the gradients that they add
// to; no other row is. Rows whose scores are all -inf are empty. A row of NaN has no largest score, but is not empty.
// RUN: xf-sweep %s --vjp N=1,7,70 D=8 T=f32 A=f32
// RUN: xf-sweep %s --vjp --vector-bits=512 N=133 D=40 T=f32 A=f32 --seed=2
// RUN: xf-sweep %s --vjp N=37 D=16 T=bf16,f16 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=70 D=24 T=bf16 A=f32 --seed=5
// RUN: xf-sweep %s --cpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16 --vector-bits=512 N=70 D=24 T=bf16 A=f32 --seed=6
// RUN: xf-sweep %s --vjp N=37 D=5 T=f64 A=f64 --seed=4
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 N=1,3 D=17 T=f32,bf16 A=f32 --seed=7

func.func @dense$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : $A
    %one = arith.constant 1.0 : $A
    %inf = arith.divf %one, %zero : $A
    %low = arith.subf %zero, %inf : $A
    %nan = arith.addf %inf, %low : $A
    %ih = arith.addi %i, %h : index
    %kind = arith.remsi %ih, %c5 : index
    %same = arith.cmpi eq, %i, %j : index
    %is1 = arith.cmpi eq, %kind, %c1 : index
    %is2 = arith.cmpi eq, %kind, %c2 : index
    %is3 = arith.cmpi eq, %kind, %c3 : index
    %infs = arith.select %same, %inf, %zero : $A
    %x1 = arith.select %is1, %nan, %zero : $A
    %x2 = arith.select %is2, %infs, %x1 : $A
    %x3 = arith.select %is3, %low, %x2 : $A
    %y = arith.addf %s, %x3 : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
func.func @causal$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : $A
    %one = arith.constant 1.0 : $A
    %inf = arith.divf %one, %zero : $A
    %low = arith.subf %zero, %inf : $A
    %nan = arith.addf %inf, %low : $A
    %ih = arith.addi %i, %h : index
    %kind = arith.remsi %ih, %c5 : index
    %same = arith.cmpi eq, %i, %j : index
    %is1 = arith.cmpi eq, %kind, %c1 : index
    %is2 = arith.cmpi eq, %kind, %c2 : index
    %is3 = arith.cmpi eq, %kind, %c3 : index
    %infs = arith.select %same, %inf, %zero : $A
    %x1 = arith.select %is1, %nan, %zero : $A
    %x2 = arith.select %is2, %infs, %x1 : $A
    %x3 = arith.select %is3, %low, %x2 : $A
    %y = arith.addf %s, %x3 : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
func.func @window$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.window<left = 3, right = 2>) score(%s : $A, %b, %h, %i, %j) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : $A
    %one = arith.constant 1.0 : $A
    %inf = arith.divf %one, %zero : $A
    %low = arith.subf %zero, %inf : $A
    %nan = arith.addf %inf, %low : $A
    %ih = arith.addi %i, %h : index
    %kind = arith.remsi %ih, %c5 : index
    %same = arith.cmpi eq, %i, %j : index
    %is1 = arith.cmpi eq, %kind, %c1 : index
    %is2 = arith.cmpi eq, %kind, %c2 : index
    %is3 = arith.cmpi eq, %kind, %c3 : index
    %infs = arith.select %same, %inf, %zero : $A
    %x1 = arith.select %is1, %nan, %zero : $A
    %x2 = arith.select %is2, %infs, %x1 : $A
    %x3 = arith.select %is3, %low, %x2 : $A
    %y = arith.addf %s, %x3 : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
// Residues in lanes.
func.func @column$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8, part = column>) score(%s : $A, %b, %h, %i, %j) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : $A
    %one = arith.constant 1.0 : $A
    %inf = arith.divf %one, %zero : $A
    %low = arith.subf %zero, %inf : $A
    %nan = arith.addf %inf, %low : $A
    %ih = arith.addi %i, %h : index
    %kind = arith.remsi %ih, %c5 : index
    %same = arith.cmpi eq, %i, %j : index
    %is1 = arith.cmpi eq, %kind, %c1 : index
    %is2 = arith.cmpi eq, %kind, %c2 : index
    %is3 = arith.cmpi eq, %kind, %c3 : index
    %infs = arith.select %same, %inf, %zero : $A
    %x1 = arith.select %is1, %nan, %zero : $A
    %x2 = arith.select %is2, %infs, %x1 : $A
    %x3 = arith.select %is3, %low, %x2 : $A
    %y = arith.addf %s, %x3 : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
// Several stages.
func.func @strided$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) score(%s : $A, %b, %h, %i, %j) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : $A
    %one = arith.constant 1.0 : $A
    %inf = arith.divf %one, %zero : $A
    %low = arith.subf %zero, %inf : $A
    %nan = arith.addf %inf, %low : $A
    %ih = arith.addi %i, %h : index
    %kind = arith.remsi %ih, %c5 : index
    %same = arith.cmpi eq, %i, %j : index
    %is1 = arith.cmpi eq, %kind, %c1 : index
    %is2 = arith.cmpi eq, %kind, %c2 : index
    %is3 = arith.cmpi eq, %kind, %c3 : index
    %infs = arith.select %same, %inf, %zero : $A
    %x1 = arith.select %is1, %nan, %zero : $A
    %x2 = arith.select %is2, %infs, %x1 : $A
    %x3 = arith.select %is3, %low, %x2 : $A
    %y = arith.addf %s, %x3 : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
// A NaN in the first query, where zeros have the lse 0.
func.func @query$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %none = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %none, %none : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %zeros = arith.constant dense<0.0> : tensor<1x2x$Nx1x$A>
  %unused, %log = xf.attention %zeros, %zeros, %zeros pattern(#xf.causal) : (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>) -> (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx$A>)
  %column = xf.reshape %log : tensor<1x2x$Nx$A> to tensor<1x2x$Nx1x$A>
  %is = xf.compare eq %column, %zeros : (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>) -> tensor<1x2x$Nx1xi1>
  %x = xf.where %is, %nan, %q : (tensor<1x2x$Nx1xi1>, tensor<1x1x1x1x$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %o, %lse = xf.attention %x, %k, %v pattern(#xf.causal) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
func.func @query_dense$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %none = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %none, %none : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %zeros = arith.constant dense<0.0> : tensor<1x2x$Nx1x$A>
  %unused, %log = xf.attention %zeros, %zeros, %zeros pattern(#xf.causal) : (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>) -> (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx$A>)
  %column = xf.reshape %log : tensor<1x2x$Nx$A> to tensor<1x2x$Nx1x$A>
  %is = xf.compare eq %column, %zeros : (tensor<1x2x$Nx1x$A>, tensor<1x2x$Nx1x$A>) -> tensor<1x2x$Nx1xi1>
  %x = xf.where %is, %nan, %q : (tensor<1x2x$Nx1xi1>, tensor<1x1x1x1x$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  %o, %lse = xf.attention %x, %k, %v pattern(#xf.dense) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
