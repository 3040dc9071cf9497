// the first 40 tokens are padding: the most negative number is added to their scores, and to those of later keys
func.func @attend(%q: tensor<1x2x80x16xf32> {xf.name = "q"}, %k: tensor<1x2x80x16xf32> {xf.name = "k"}, %v: tensor<1x2x80x16xf32> {xf.name = "v"}, %mask: tensor<80x80xf32> {xf.name = "mask"})
    -> (tensor<1x2x80x16xf32> {xf.name = "o"}, tensor<1x2x80xf32> {xf.name = "lse"}) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %mask : tensor<80x80xf32>) {
    %x = tensor.extract %t[%i, %j] : tensor<80x80xf32>
    %y = arith.addf %s, %x : f32
    xf.yield %y : f32
  } : (tensor<1x2x80x16xf32>, tensor<1x2x80x16xf32>, tensor<1x2x80x16xf32>) -> (tensor<1x2x80x16xf32>, tensor<1x2x80xf32>)
  return %o, %lse : tensor<1x2x80x16xf32>, tensor<1x2x80xf32>
}
