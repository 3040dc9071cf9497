// Gradients of kernelised attention on tensor cores, whose products see all rows of a chunk.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --entry=short --vjp=short --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --entry=short --vjp=short --stop-after=tile | FileCheck %s --check-prefix=TILE
// A processor has registers for two blocks. Words that do not fit, addresses that a task reads once, lie in local memory: no bound of spills.
// RUN: %if ptxas %{ %prove %s --arch=sm_90a --kernel=scan_vjp --max-registers=128 --products='scan_vjp_(queries|keys):30' --xfc-option=--entry=short --xfc-option=--vjp=short %}
// RUN: %if ptxas %{ %prove %s --arch=sm_90a --kernel='^scan_(keys|join|queries)' --max-registers=128 --no-spills --xfc-option=--entry=short %}
// RUN: env XF_SIM_CAPABILITY=8.0 xf-run %s --entry=earlier --target=cuda --gpu-arch=sm_80 --input=arg0=random\(1\) --input=arg1=random\(2\) | FileCheck %s
// RUN: env XF_SIM_CAPABILITY=9.0 xf-run %s --entry=earlier --target=cuda --gpu-arch=sm_90a --input=arg0=random\(3\) --input=arg1=random\(4\) | FileCheck %s

// Each factor is the sum of two numbers of TF32: three products, but one fewer where an input is a factor.
// PTX: .visible .entry scan_vjp_keys
// PTX: .minnctapersm 2
// PTX-NOT: cvt.rna.tf32
// PTX-COUNT-3: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// Rows of a head are written once, in the type of the result: nothing is cleared, and nothing converted.
// The CPU's program comes first.
// TILE: func.func @short_vjp
// TILE: func.func @short_vjp
// TILE-NOT: fill
// TILE: xft.launch @scan_vjp_queries
// TILE-NEXT: xft.launch @scan_vjp_join
// TILE-NEXT: xft.launch @scan_vjp_keys
// TILE-NEXT: return
func.func @short(%q: tensor<1x2x100x32xbf16>, %k: tensor<1x2x100x32xbf16>, %v: tensor<1x2x100x32xbf16>) -> tensor<1x2x100x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x100x32xbf16>, tensor<1x2x100x32xbf16>, tensor<1x2x100x32xbf16>) -> tensor<1x2x100x32xbf16>
  return %o : tensor<1x2x100x32xbf16>
}

// Rows of a gradient are bit for bit what they are without the rows that they do not meet, also where these are NaN and share
// a chunk: keys and values from row 40 on for d_q before it, cotangents before row 41 for d_k and d_v from there on.
// CHECK: result0 : 1x2x40x32 f32 = 0, 0
// CHECK-SAME: (min 0, max 0, mean 0)
// CHECK: result1 : 1x2x59x32 f32 = 0, 0
// CHECK-SAME: (min 0, max 0, mean 0)
// CHECK: result2 : 1x2x59x32 f32 = 0, 0
// CHECK-SAME: (min 0, max 0, mean 0)
// Nor does a row hide one that it meets.
// CHECK: result3 : 1x2x1x32 f32 = nan, nan
// CHECK: result4 : 1x2x1x32 f32 = nan, nan
!x = tensor<1x2x100x32xbf16>
!e = tensor<1x2x40x32xbf16>
!l = tensor<1x2x59x32xbf16>
!r = tensor<1x2x1x32xbf16>
func.func @earlier(%q: !x, %v: !x) -> (tensor<1x2x40x32xf32>, tensor<1x2x59x32xf32>, tensor<1x2x59x32xf32>, tensor<1x2x1x32xf32>, tensor<1x2x1x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1xbf16>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x1xbf16>
  %head = xf.slice %v offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %some = xf.slice %v offsets [0, 0, 40, 0] strides [1, 1, 1, 1] : !x to tensor<1x2x60x32xbf16>
  %tail = xf.mul %some, %nan : (tensor<1x2x60x32xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x2x60x32xbf16>
  %later = xf.concat %head, %tail axis 2 : (!e, tensor<1x2x60x32xbf16>) -> !x
  %first = xf.slice %v offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to tensor<1x2x41x32xbf16>
  %last = xf.slice %v offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to !l
  %unseen = xf.mul %first, %nan : (tensor<1x2x41x32xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x2x41x32xbf16>
  %before = xf.concat %unseen, %last axis 2 : (tensor<1x2x41x32xbf16>, !l) -> !x
  %o = xf.attention %q, %q, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x) -> !x
  %dq, %dk, %dv = xf.attention_vjp %q, %q, %v, %o, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x, !x, !x) -> (!x, !x, !x)
  %eq, %ek, %ev = xf.attention_vjp %q, %later, %later, %o, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x, !x, !x) -> (!x, !x, !x)
  %hq, %hk, %hv = xf.attention_vjp %q, %v, %v, %o, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x, !x, !x) -> (!x, !x, !x)
  %fq, %fk, %fv = xf.attention_vjp %q, %q, %v, %o, %before pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x, !x, !x) -> (!x, !x, !x)
  %a = xf.slice %hq offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %b = xf.slice %eq offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %ofQueries = xf.sub %a, %b : (!e, !e) -> !e
  %c = xf.slice %dk offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to !l
  %d = xf.slice %fk offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to !l
  %ofKeys = xf.sub %c, %d : (!l, !l) -> !l
  %e = xf.slice %dv offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to !l
  %f = xf.slice %fv offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to !l
  %ofValues = xf.sub %e, %f : (!l, !l) -> !l
  %g = xf.slice %eq offsets [0, 0, 40, 0] strides [1, 1, 1, 1] : !x to !r
  %h = xf.slice %fv offsets [0, 0, 40, 0] strides [1, 1, 1, 1] : !x to !r
  %r0 = xf.cast %ofQueries : !e to tensor<1x2x40x32xf32>
  %r1 = xf.cast %ofKeys : !l to tensor<1x2x59x32xf32>
  %r2 = xf.cast %ofValues : !l to tensor<1x2x59x32xf32>
  %r3 = xf.cast %g : !r to tensor<1x2x1x32xf32>
  %r4 = xf.cast %h : !r to tensor<1x2x1x32xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<1x2x40x32xf32>, tensor<1x2x59x32xf32>, tensor<1x2x59x32xf32>, tensor<1x2x1x32xf32>, tensor<1x2x1x32xf32>
}
