// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v4+avx512bf16 -split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v4 -split-input-file | FileCheck %s --check-prefix=SINGLE

// A CPU with products of two bf16: keys and values are packed as they are, two terms next to each other; without them, as
// they are, one by one. Panels of 33 columns get a zero for a second term.
// PAIRS-LABEL: func.func @causal
// PAIRS: xft.gather_panels {{.*}} transposed width 32 terms 2 : {{.*}}xbf16, {{.*}}>, memref<?x?x1x?x1088xbf16
// PAIRS: xft.gather_panels {{.*}} width 32 terms 2 : {{.*}}xbf16, {{.*}}>, memref<?x?x1x?x48xbf16
// PAIRS: xft.attend {{.*}} schedule #xft.register_tiles<tile = {{.*}}, operand = bf16>
// SINGLE-LABEL: func.func @causal
// SINGLE-NOT: terms
// SINGLE: xft.gather_panels {{.*}} transposed width 32 : {{.*}}xbf16, {{.*}}>, memref<?x?x1x?x1056xbf16
// SINGLE: xft.gather_panels {{.*}} width 32 : {{.*}}xbf16, {{.*}}>, memref<?x?x1x?x48xbf16
// SINGLE-NOT: operand =
func.func @causal(%x: tensor<1x2x256x33xbf16> {xf.name = "x"}) -> (tensor<1x2x256x33xbf16> {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x2x256x33xbf16>, tensor<1x2x256x33xbf16>, tensor<1x2x256x33xbf16>) -> tensor<1x2x256x33xbf16>
  return %o : tensor<1x2x256x33xbf16>
}

// -----

// Exact weights are not rounded, nor f32 and f16. No buffer is of f32 but for tensors of f32, and values of whole registers
// are read where they are.
// PAIRS-LABEL: func.func @exact
// PAIRS-NOT: operand =
// PAIRS-NOT: xft.gather_panels {{.*}}16, {{.*}}xf32
// PAIRS: xft.gather_panels {{.*}} transposed width 32 : {{.*}}xbf16, {{.*}}>, memref<?x?x1x?x1024xbf16
// PAIRS: xft.attend {{.*}}values({{.*}} : memref<?x?x?x32xbf16
// PAIRS: xft.gather_panels {{.*}} transposed width 32 : {{.*}}xf16, {{.*}}>, memref<?x?x1x?x1024xf16
// PAIRS: xft.attend {{.*}}values({{.*}} : memref<?x?x?x32xf16
func.func @exact(%x: tensor<1x2x8192x32xbf16> {xf.name = "x"}, %y: tensor<1x2x8192x32xf32> {xf.name = "y"}, %z: tensor<1x2x8192x32xf16> {xf.name = "z"})
    -> (tensor<1x2x8192x32xbf16> {xf.name = "o"}, tensor<1x2x8192x32xf32> {xf.name = "p"}, tensor<1x2x8192x32xf16> {xf.name = "r"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) weights = exact : (tensor<1x2x8192x32xbf16>, tensor<1x2x8192x32xbf16>, tensor<1x2x8192x32xbf16>) -> tensor<1x2x8192x32xbf16>
  %p = xf.attention %y, %y, %y pattern(#xf.dense) : (tensor<1x2x8192x32xf32>, tensor<1x2x8192x32xf32>, tensor<1x2x8192x32xf32>) -> tensor<1x2x8192x32xf32>
  %r = xf.attention %z, %z, %z pattern(#xf.dense) : (tensor<1x2x8192x32xf16>, tensor<1x2x8192x32xf16>, tensor<1x2x8192x32xf16>) -> tensor<1x2x8192x32xf16>
  return %o, %p, %r : tensor<1x2x8192x32xbf16>, tensor<1x2x8192x32xf32>, tensor<1x2x8192x32xf16>
}
