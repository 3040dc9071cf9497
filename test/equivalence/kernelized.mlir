// RUN: xf-equivalence %s --vjp --seed=1
// RUN: xf-equivalence %s --expand --seed=2
// RUN: xf-equivalence %s --expand --vjp --pipeline='func.func(xf-fuse)' --seed=3

func.func @softmax_of_wx(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, epsilon = 0.1>) params(%w : tensor<5x3xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @softmax_of_x(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, of = #xf.causal>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @region(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>, %s: tensor<5xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf64>) captures(%m = %w : tensor<5x3xf64>, %g = %s : tensor<5xf64>) {
      %u = xf.linear %row, %m : (tensor<3xf64>, tensor<5x3xf64>) -> tensor<5xf64>
      %n = xf.rms_norm %u weight(%g : tensor<5xf64>) eps 1.0e-2 : tensor<5xf64> -> tensor<5xf64>
      %c = arith.constant dense<0.5> : tensor<f64>
      %scaled = xf.mul %n, %c : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      %e = xf.exp %scaled : tensor<5xf64>
      %sum = xf.reduce sum %e axes [0] : tensor<5xf64> -> tensor<f64>
      %share = xf.div %e, %sum : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      %squares = xf.square %row : tensor<3xf64>
      %phi = xf.concat %share, %squares axis 0 : (tensor<5xf64>, tensor<3xf64>) -> tensor<8xf64>
      xf.yield %phi : tensor<8xf64>
    }
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @region_with_weights(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>, %s: tensor<5xf64>, %a: tensor<2x4x6xf64>, %b: tensor<2x4x6xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = count, of = #xf.causal>) decay(%a : tensor<2x4x6xf64>) beta(%b : tensor<2x4x6xf64>) feature(%row : tensor<3xf64>) captures(%m = %w : tensor<5x3xf64>, %g = %s : tensor<5xf64>) {
      %u = xf.linear %row, %m : (tensor<3xf64>, tensor<5x3xf64>) -> tensor<5xf64>
      %n = xf.rms_norm %u weight(%g : tensor<5xf64>) eps 1.0e-2 : tensor<5xf64> -> tensor<5xf64>
      %c = arith.constant dense<0.5> : tensor<f64>
      %scaled = xf.mul %n, %c : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      %e = xf.exp %scaled : tensor<5xf64>
      %sum = xf.reduce sum %e axes [0] : tensor<5xf64> -> tensor<f64>
      %share = xf.div %e, %sum : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
      %squares = xf.square %row : tensor<3xf64>
      %phi = xf.concat %share, %squares axis 0 : (tensor<5xf64>, tensor<3xf64>) -> tensor<8xf64>
      xf.yield %phi : tensor<8xf64>
    }
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @norm(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = norm, guard = 0.01>) params(%w : tensor<5x3xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @norm_with_running_maximum(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, normalizer = norm, of = #xf.causal>) params(%w : tensor<5x3xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @norm_of_signed_weights(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, normalizer = norm, of = #xf.causal>) params(%w : tensor<5x3xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
// The first row has no keys: it is 0, and has no gradient.
func.func @norm_of_no_keys(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, normalizer = norm, of = #xf.window<left = 5, right = -1>>) params(%w : tensor<5x3xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @norm_of_softmax(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>, %t: tensor<4x11xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, normalizer = norm>) params(%w : tensor<5x3xf64>) relative(%t : tensor<4x11xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
// What the expansion leaves alone is differentiated all the same.
func.func @decayed(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %a: tensor<2x4x6xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, normalizer = count, of = #xf.causal>) decay(%a : tensor<2x4x6xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @delta_rule(%q: tensor<2x4x6x3xf64>, %k: tensor<2x2x6x3xf64>, %v: tensor<2x2x6x3xf64>, %w: tensor<5x3xf64>, %b: tensor<2x4x6xf64>) -> tensor<2x4x6x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = none, normalizer = none, of = #xf.causal>) params(%w : tensor<5x3xf64>) beta(%b : tensor<2x4x6xf64>)
    : (tensor<2x4x6x3xf64>, tensor<2x2x6x3xf64>, tensor<2x2x6x3xf64>) -> tensor<2x4x6x3xf64>
  return %o : tensor<2x4x6x3xf64>
}
func.func @dynamic(%x: tensor<?x2x?x3xf64>, %w: tensor<5x3xf64>) -> tensor<?x2x?x3xf64> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = softmax, normalizer = norm>) params(%w : tensor<5x3xf64>) : (tensor<?x2x?x3xf64>, tensor<?x2x?x3xf64>, tensor<?x2x?x3xf64>) -> tensor<?x2x?x3xf64>
  return %o : tensor<?x2x?x3xf64>
}
