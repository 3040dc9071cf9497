// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=sm_80 -split-input-file | FileCheck %s
// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v4+avx512bf16 -split-input-file | FileCheck %s --check-prefix=CPU

// Tensor cores round weights. Exact ones take the kernel of f32: operands are converted once, for the gradient too, which
// reads o before it is rounded; results are rounded behind it. A CPU has kernels of 16-bit operands with exact weights.
// CHECK-LABEL: func.func @exact
// CHECK-COUNT-4: xft.launch @cast
// CHECK-NOT: xft.launch @cast
// CHECK: xft.launch @attend
// CHECK: xft.launch @cast
// CHECK-NOT: xft.launch @cast
// CHECK: xft.launch @attend_delta
// CHECK-COUNT-3: xft.launch @cast
// CHECK-NOT: xft.launch @cast
// CHECK: return
// CPU-LABEL: func.func @exact
// CPU-NOT: @cast
func.func @exact(%q: tensor<1x2x8x16xbf16> {xf.name = "q"}, %k: tensor<1x2x8x16xbf16> {xf.name = "k"},
                 %v: tensor<1x2x8x16xbf16> {xf.name = "v"}, %d: tensor<1x2x8x16xbf16> {xf.name = "d"})
    -> (tensor<1x2x8x16xbf16> {xf.name = "o"}, tensor<1x2x8x16xbf16> {xf.name = "d_q"},
        tensor<1x2x8x16xbf16> {xf.name = "d_k"}, tensor<1x2x8x16xbf16> {xf.name = "d_v"}) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) weights = exact
    : (tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>) -> (tensor<1x2x8x16xbf16>, tensor<1x2x8xf32>)
  %d_q, %d_k, %d_v = xf.attention_vjp %q, %k, %v, %o, %lse, %d pattern(#xf.causal) weights = exact
    : (tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8xf32>, tensor<1x2x8x16xbf16>)
    -> (tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>)
  return %o, %d_q, %d_k, %d_v : tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>
}

// -----

// Weights that may be rounded stay in 16 bits.
// CHECK-LABEL: func.func @rounded
// CHECK-NOT: @cast
func.func @rounded(%x: tensor<1x2x8x16xf16> {xf.name = "x"}) -> (tensor<1x2x8x16xf16> {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %o : tensor<1x2x8x16xf16>
}
