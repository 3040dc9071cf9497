// RUN: %complexity %s

// What each pattern may cost: a change that makes one of them denser fails here.

// XF-COMPLEXITY: executed <= 1.25 * pairs
// XF-COMPLEXITY: executed = O(N * N)
func.func @causal(%x: tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}

// XF-COMPLEXITY: executed <= 1.25 * pairs
// XF-COMPLEXITY: executed = O(N)
func.func @window(%x: tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 256>) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}

// XF-COMPLEXITY: executed <= 1.5 * pairs
// XF-COMPLEXITY: executed = O(N * sqrt(N))
func.func @strided(%x: tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = $sqrtN>) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}

// XF-COMPLEXITY: executed <= 1.25 * pairs
// XF-COMPLEXITY: executed = O(N * sqrt(N))
func.func @fixed_local(%x: tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.fixed<block = $sqrtN, summary = 8, part = local>) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}

// XF-COMPLEXITY: executed <= 1.25 * pairs
func.func @prefix(%x: tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.prefix<length = 100>) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}

// Keys and values of 256 rows: linear.
// XF-COMPLEXITY: executed <= 1.25 * pairs
// XF-COMPLEXITY: flop = O(N)
func.func @low_rank(%x: tensor<1x1x$Nx64xf32>, %e: tensor<$Nx256xf32>) -> tensor<1x1x$Nx64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 256>) params(%e : tensor<$Nx256xf32>) : (tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>, tensor<1x1x$Nx64xf32>) -> tensor<1x1x$Nx64xf32>
  return %o : tensor<1x1x$Nx64xf32>
}
