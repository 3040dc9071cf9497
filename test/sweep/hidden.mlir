// What lies in rows that no pair has is not observable, nor in gradients that come through features: here it is NaN.
// RUN: xf-sweep %s --vjp T=f32 A=f32
// RUN: xf-sweep %s --vjp T=f64 A=f64 --seed=2
// RUN: xf-sweep %s --vjp T=bf16 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 T=bf16 A=f32 --seed=4

func.func @softmax$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = softmax>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @softmax_causal$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = softmax, normalizer = norm, of = #xf.causal>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @region$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<5x$T>) captures(%c = %w : tensor<6x5x$T>) {
      %u = xf.linear %row, %c : (tensor<5x$T>, tensor<6x5x$T>) -> tensor<6x$T>
      %e = xf.sigmoid %u : tensor<6x$T>
      xf.yield %e : tensor<6x$T>
    } lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @scan$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = sigmoid>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @relative$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>, %t: tensor<2x13x$A>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = favor>) params(%w : tensor<6x5x$T>) relative(%t : tensor<2x13x$A>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @relative_running$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>, %t: tensor<2x13x$A>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<6x5x$T>) relative(%t : tensor<2x13x$A>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
func.func @relative_identity$$(%q: tensor<2x2x7x5x$T>, %k: tensor<2x2x7x5x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 7>}, %t: tensor<2x13x$A>) -> tensor<2x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0], [1], [2], [3], [4], [5], [6]]]]> : tensor<1x1x7x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x7x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x7x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) relative(%t : tensor<2x13x$A>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>, tensor<2x2x7x5x$T>) -> tensor<2x2x7x5x$T>
  return %o : tensor<2x2x7x5x$T>
}
