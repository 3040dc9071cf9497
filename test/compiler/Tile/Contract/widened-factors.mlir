// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --stop-after=tile -o - | FileCheck %s

// The projections of low-rank attention are products of 16-bit numbers with sums of f32: no f32 copy of keys is made.
// CHECK-LABEL: func.func @low_rank
// CHECK: xft.launch @matmul{{.*}} memref<2x64x256xbf16{{.*}}, memref<2x256x32xbf16{{.*}}, memref<2x64x32xf32
// CHECK: xft.contract {{.*}} : memref<{{[^<]*}}xbf16{{.*}}, memref<{{[^<]*}}xbf16{{.*}}, memref<{{[^<]*}}xf32
func.func @low_rank(%q: tensor<1x2x256x32xbf16> {xf.name = "q"}, %k: tensor<1x2x256x32xbf16> {xf.name = "k"}, %e: tensor<256x64xbf16> {xf.name = "e"}) -> (tensor<1x2x256x32xbf16> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %k pattern(#xf.low_rank<rank = 64>) params(%e : tensor<256x64xbf16>) : (tensor<1x2x256x32xbf16>, tensor<1x2x256x32xbf16>, tensor<1x2x256x32xbf16>) -> tensor<1x2x256x32xbf16>
  return %o : tensor<1x2x256x32xbf16>
}
