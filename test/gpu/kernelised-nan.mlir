// A NaN of an f32 input is a NaN of its factors too where its lowest 13 bits alone are set, those that TF32 lacks: without them it
// would be an infinity. So are the others, and infinities.
// RUN: %sm_80 %s --f32-products=bf16x3 B=0x7F800001,0xFF801FFF
// RUN: %sm_80 %s --f32-products=bf16x3 B=0x7F802000,0x7FC00000,0x7F800000,0xFF800000
// RUN: %sm_90a %s --f32-products=bf16x3 B=0xFF801FFF

func.func @value$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x69x16xf32>) -> tensor<1x1x70x16xf32> {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %v, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %y pattern(#xf.kernelized<feature = elu>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
func.func @causal_value$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x69x16xf32>) -> tensor<1x1x70x16xf32> {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %v, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %y pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
func.func @key$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x69x16xf32>, %v: tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32> {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %k, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %y, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) scale 1.0 : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
func.func @weight$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x70x16xf32>, %w: tensor<7x16xf32>) -> tensor<1x1x70x16xf32> {
  %row = arith.constant dense<$B> : tensor<1x16xf32>
  %y = xf.concat %w, %row axis 0 : (tensor<7x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) params(%y : tensor<8x16xf32>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
func.func @causal_cotangent$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x70x16xf32>, %d: tensor<1x1x69x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %d, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %y pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>)
  return %dq, %dk, %dv : tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>
}
func.func @cotangent$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x70x16xf32>, %d: tensor<1x1x69x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %d, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = none>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %y pattern(#xf.kernelized<feature = elu, normalizer = none>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>)
  return %dq, %dk, %dv : tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>
}
func.func @seen$$(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x69x16xf32>, %d: tensor<1x1x70x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %v, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %y pattern(#xf.kernelized<feature = elu, normalizer = none>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %y, %o, %d pattern(#xf.kernelized<feature = elu, normalizer = none>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>)
  return %dq, %dk, %dv : tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>
}
func.func @query$$(%q: tensor<1x1x69x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32> {
  %row = arith.constant dense<$B> : tensor<1x1x1x16xf32>
  %y = xf.concat %q, %row axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %y, %k, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
