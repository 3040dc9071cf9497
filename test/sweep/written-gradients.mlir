// Gradients of attention that programs write themselves.
// RUN: xf-sweep %s N=7,19 T=f32 A=f32
// RUN: xf-sweep %s N=13 T=f64 A=f64 --seed=2

func.func @score$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>, %t: tensor<2x$A>, %l: tensor<2x2x$Nx$A>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%u = %t : tensor<2x$A>) {
    %f = tensor.extract %u[%h] : tensor<2x$A>
    %y = arith.mulf %s, %f : $A
    %z = math.tanh %y : $A
    xf.yield %z : $A
  } : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>)
  %dq, %dk, %dv, %dt = xf.attention_vjp %q, %k, %v, %o, %lse, %d, %l pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%u = %t : tensor<2x$A>) {
    %f = tensor.extract %u[%h] : tensor<2x$A>
    %y = arith.mulf %s, %f : $A
    %z = math.tanh %y : $A
    xf.yield %z : $A
  } : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) captures(tensor<2x$A>)
  return %dq, %dk, %dv, %dt : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x$A>
}
// Forms that are written out: their gradients are those of what is written.
func.func @low_rank$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>, %e: tensor<40x3x$T>, %f: tensor<40x3x$T>, %l: tensor<2x2x$Nx$A>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<40x3x$T>, tensor<40x3x$T>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<40x3x$T>, tensor<40x3x$T>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>)
  %dq, %dk, %dv, %de, %df = xf.attention_vjp %q, %k, %v, %o, %lse, %d, %l pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<40x3x$T>, tensor<40x3x$T>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) params(tensor<40x3x$T>, tensor<40x3x$T>)
  return %dq, %dk, %dv, %de, %df : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<40x3x$T>, tensor<40x3x$T>
}
func.func @low_rank_lengths$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>, %e: tensor<40x3x$T>, %n: tensor<2xi64> {xf.range = array<i64: 1, 7>}) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<40x3x$T>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e : tensor<40x3x$T>) lengths(%n : tensor<2xi64>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>)
  %dq, %dk, %dv, %de = xf.attention_vjp %q, %k, %v, %o, %lse, %d pattern(#xf.low_rank<rank = 3>) params(%e : tensor<40x3x$T>) lengths(%n : tensor<2xi64>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx$A>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) params(tensor<40x3x$T>)
  return %dq, %dk, %dv, %de : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<40x3x$T>
}
func.func @softmax$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>, %w: tensor<5x6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<5x6x$T>) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, of = #xf.causal>) params(%w : tensor<5x6x$T>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> tensor<2x2x$Nx6x$T>
  %dq, %dk, %dv, %dw = xf.attention_vjp %q, %k, %v, %o, %d pattern(#xf.kernelized<feature = softmax, of = #xf.causal>) params(%w : tensor<5x6x$T>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) params(tensor<5x6x$T>)
  return %dq, %dk, %dv, %dw : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<5x6x$T>
}
func.func @norm$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = norm>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> tensor<2x2x$Nx6x$T>
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %d pattern(#xf.kernelized<feature = elu, normalizer = norm>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>)
  return %dq, %dk, %dv : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>
}
func.func @window$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = count, of = #xf.window<left = 3, right = 2>>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> tensor<2x2x$Nx6x$T>
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %d pattern(#xf.kernelized<feature = elu, normalizer = count, of = #xf.window<left = 3, right = 2>>) : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>)
  return %dq, %dk, %dv : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>
}
func.func @region$$(%q: tensor<2x2x$Nx6x$T>, %k: tensor<2x2x$Nx6x$T>, %v: tensor<2x2x$Nx6x$T>, %d: tensor<2x2x$Nx6x$T>, %w: tensor<5x6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<5x6x$T>) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = count>) feature(%row : tensor<6x$T>) captures(%m = %w : tensor<5x6x$T>) {
    %u = xf.linear %row, %m : (tensor<6x$T>, tensor<5x6x$T>) -> tensor<5x$T>
    %p = xf.sigmoid %u : tensor<5x$T>
    xf.yield %p : tensor<5x$T>
  } : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> tensor<2x2x$Nx6x$T>
  %dq, %dk, %dv, %dw = xf.attention_vjp %q, %k, %v, %o, %d pattern(#xf.kernelized<feature = identity, normalizer = count>) feature(%row : tensor<6x$T>) captures(%m = %w : tensor<5x6x$T>) {
    %u = xf.linear %row, %m : (tensor<6x$T>, tensor<5x6x$T>) -> tensor<5x$T>
    %p = xf.sigmoid %u : tensor<5x$T>
    xf.yield %p : tensor<5x$T>
  } : (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) -> (tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>) feature(tensor<5x6x$T>)
  return %dq, %dk, %dv, %dw : tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<2x2x$Nx6x$T>, tensor<5x6x$T>
}
