// The loops that take the time: scores and values of attention, the five products of its gradient, a product. Few keys
// around a row meet it in three registers.
// RUN: xfc %s --entry=attend --mcpu=x86-64-v4 --emit=asm | %python %S/Inputs/product_loops.py 2
// RUN: xfc %s --entry=attend --vjp=attend --mcpu=sapphirerapids --emit=asm | %python %S/Inputs/product_loops.py 7
// RUN: xfc %s --entry=near --mcpu=x86-64-v4 --emit=asm | %python %S/Inputs/product_loops.py 3
// RUN: xfc %s --entry=near --vjp=near --mcpu=znver4 --emit=asm | %python %S/Inputs/product_loops.py 9
// RUN: xfc %s --entry=multiply --mcpu=znver4 --emit=asm | %python %S/Inputs/product_loops.py 1

func.func @attend(%q: tensor<1x1x512x64xf32>, %k: tensor<1x1x512x64xf32>, %v: tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32>
  return %o : tensor<1x1x512x64xf32>
}
func.func @multiply(%x: tensor<192x256xf32>, %w: tensor<512x256xf32>) -> tensor<192x512xf32> {
  %y = xf.linear %x, %w : (tensor<192x256xf32>, tensor<512x256xf32>) -> tensor<192x512xf32>
  return %y : tensor<192x512xf32>
}
func.func @near(%q: tensor<1x1x512x64xf32>, %k: tensor<1x1x512x64xf32>, %v: tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 32>) : (tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32>
  return %o : tensor<1x1x512x64xf32>
}
