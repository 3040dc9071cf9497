// A bit of everything that tables can say: copies, parameters, held forms, constants, sizes of the call, integers in a range.
module @damaged {
  func.func @project(%x: tensor<3x8xf32> {xf.name = "x"}, %w: tensor<16x8xf32> {xf.name = "w", xf.parameter = "layer.weight"}) -> (tensor<3x16xf32> {xf.name = "y"}, tensor<3x8xf32> {xf.name = "same"}) {
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf32>
    %p = xf.linear %x, %w bias(%c : tensor<16xf32>) : (tensor<3x8xf32>, tensor<16x8xf32>) -> tensor<3x16xf32>
    return %p, %x : tensor<3x16xf32>, tensor<3x8xf32>
  }
  func.func @attend(%q: tensor<1x2x?x16xf16> {xf.name = "q"}, %ids: tensor<4xi32> {xf.name = "ids", xf.range = array<i64: 0, 4>}) -> (tensor<1x2x?x16xf16> {xf.name = "o"}) {
    %o = xf.attention %q, %q, %q pattern(#xf.causal) : (tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>) -> tensor<1x2x?x16xf16>
    return %o : tensor<1x2x?x16xf16>
  }
}
