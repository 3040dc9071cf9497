// The programs whose kernels faults are injected into. Scores are large, so that maxima grow; sizes end within tiles.
func.func @attend(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %four = arith.constant dense<4.0> : tensor<1x1x1x1xbf16>
  %s = xf.mul %q, %four : (tensor<1x2x300x64xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x2x300x64xbf16>
  %o = xf.attention %s, %k, %v pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  return %o : tensor<1x2x300x64xbf16>
}
func.func @product(%x: tensor<150x1000xbf16>, %w: tensor<136x1000xbf16>, %b: tensor<136xbf16>) -> tensor<150x136xbf16> {
  %y = xf.linear %x, %w bias(%b : tensor<136xbf16>) : (tensor<150x1000xbf16>, tensor<136x1000xbf16>) -> tensor<150x136xbf16>
  return %y : tensor<150x136xbf16>
}
func.func @softmax(%x: tensor<3x1000xf32>) -> tensor<3x1000xf32> {
  %y = xf.softmax %x : tensor<3x1000xf32>
  return %y : tensor<3x1000xf32>
}
func.func @scan(%q: tensor<1x1x150x32xbf16>, %k: tensor<1x1x150x32xbf16>, %v: tensor<1x1x150x32xbf16>) -> tensor<1x1x150x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x150x32xbf16>, tensor<1x1x150x32xbf16>, tensor<1x1x150x32xbf16>) -> tensor<1x1x150x32xbf16>
  return %o : tensor<1x1x150x32xbf16>
}
// Blocks are those of a list that have a listed pair: some whole, some in part, some not at all.
func.func @listed(%q: tensor<1x1x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>) -> tensor<1x1x300x64xbf16> {
  %first = arith.constant dense<[0, 3, 6, 7]> : tensor<4xi32>
  %column = arith.constant dense<[0, 1, 2, 0, 1, 2, 2]> : tensor<7xi32>
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 100>) table(%first, %column : tensor<4xi32>, tensor<7xi32>) : (tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x1x300x64xbf16>
  return %o : tensor<1x1x300x64xbf16>
}
