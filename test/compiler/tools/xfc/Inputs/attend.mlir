func.func @attend(%q: tensor<1x2x24x8xf32> {xf.name = "q"}, %k: tensor<1x2x24x8xf32> {xf.name = "k"})
    -> (tensor<1x2x24x8xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %k pattern(#xf.window<left = 3>) score(%s : f32, %b, %h, %i, %j) {
    %t = math.tanh %s : f32
    xf.yield %t : f32
  } : (tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>) -> tensor<1x2x24x8xf32>
  return %o : tensor<1x2x24x8xf32>
}
