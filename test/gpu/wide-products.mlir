// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s
// RUN: env XF_SIM_PROCESSORS=5 XF_SIM_SCHEDULE=random %sm_90a %s
// RUN: env XF_SIM_SCHEDULE=lazy %sm_90a %s --seed=2

// More tiles than processors, by a block after the other; the last ones are ragged.
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
func.func @many(%a: tensor<70x136x200xbf16>, %b: tensor<70x200x264xbf16>) -> tensor<70x136x264xbf16> {
  %y = xf.matmul %a, %b : (tensor<70x136x200xbf16>, tensor<70x200x264xbf16>) -> tensor<70x136x264xbf16>
  return %y : tensor<70x136x264xbf16>
}

// Two tiles of rows for each group: one round of the largest tiles.
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16
func.func @deep(%a: tensor<67x250x200xf16>, %b: tensor<67x200x184xf16>) -> tensor<67x250x184xf16> {
  %y = xf.matmul %a, %b : (tensor<67x250x200xf16>, tensor<67x200x184xf16>) -> tensor<67x250x184xf16>
  return %y : tensor<67x250x184xf16>
}

// A band of 16 blocks of rows, and one of a single block; columns of the left operand follow each other.
func.func @bands(%a: tensor<72x2056xbf16>, %b: tensor<136x72xbf16>) -> tensor<2056x136xbf16> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<72x2056xbf16>, tensor<136x72xbf16>) -> tensor<2056x136xbf16>
  return %y : tensor<2056x136xbf16>
}

// Rows of results that start anywhere: a vocabulary of an odd size, a residual and a bias beside it; and results of f32.
func.func @odd_columns(%x: tensor<130x72xbf16>, %w: tensor<131x72xbf16>, %b: tensor<131xbf16>, %r: tensor<130x131xbf16>) -> tensor<130x131xbf16> {
  %y = xf.linear %x, %w bias(%b : tensor<131xbf16>) : (tensor<130x72xbf16>, tensor<131x72xbf16>) -> tensor<130x131xbf16>
  %z = xf.add %y, %r : (tensor<130x131xbf16>, tensor<130x131xbf16>) -> tensor<130x131xbf16>
  return %z : tensor<130x131xbf16>
}
func.func @odd_part(%x: tensor<130x72xbf16>, %w: tensor<140x72xbf16>) -> tensor<130x136xf32> {
  %y = xf.linear %x, %w : (tensor<130x72xbf16>, tensor<140x72xbf16>) -> tensor<130x140xbf16>
  %s = xf.slice %y offsets [0, 3] strides [1, 1] : tensor<130x140xbf16> to tensor<130x136xbf16>
  %z = xf.cast %s : tensor<130x136xbf16> to tensor<130x136xf32>
  return %z : tensor<130x136xf32>
}

// Few elements, each a long sum: slices, and then their sum with what follows.
func.func @long_sums(%x: tensor<4096x136xbf16>, %d: tensor<4096x144xbf16>, %r: tensor<136x144xf32>) -> tensor<136x144xf32> {
  %y = xf.matmul %x transposed, %d : (tensor<4096x136xbf16>, tensor<4096x144xbf16>) -> tensor<136x144xbf16>
  %c = xf.cast %y : tensor<136x144xbf16> to tensor<136x144xf32>
  %z = xf.add %c, %r : (tensor<136x144xf32>, tensor<136x144xf32>) -> tensor<136x144xf32>
  return %z : tensor<136x144xf32>
}
func.func @long_sums_of_batch(%x: tensor<2x70x2048xf16>, %d: tensor<2x2048x72xf16>) -> tensor<2x70x72xf16> {
  %y = xf.matmul %x, %d : (tensor<2x70x2048xf16>, tensor<2x2048x72xf16>) -> tensor<2x70x72xf16>
  return %y : tensor<2x70x72xf16>
}
