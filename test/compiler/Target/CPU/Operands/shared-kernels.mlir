// RUN: xfc %s --entry=blocks --vjp=blocks --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=BLOCKS
// RUN: xfc %s --entry=heads --vjp=heads --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=HEADS
// RUN: xfc %s --entry=alone --vjp=alone --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=ALONE
// RUN: xfc %s --entry=alone --vjp=alone --stop-after=tile --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=ONCE
// RUN: xfc %s --entry=weights --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=WEIGHTS
// RUN: xfc %s --entry=weights_bf16 --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=WEIGHTS
// RUN: xfc %s --entry=products --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=PRODUCTS

// Kernels of pieces that differ in numbers alone call one function, which chooses their bounds by the number.
// BLOCKS: llvm.func {{.*}}@[[SHARED:attend_vjp_shared[_0-9]*]](
// BLOCKS: llvm.switch
// BLOCKS-NOT: llvm.func {{.*}}@attend_vjp_shared
// BLOCKS: llvm.func {{.*}}@attend_vjp_{{[a-z_]+(_[0-9]+)?}}(
// BLOCKS: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64)
// BLOCKS-NEXT: llvm.call @[[SHARED]]({{.*}}, %[[FIRST]])
// BLOCKS: llvm.func {{.*}}@attend_vjp_{{[a-z_]+(_[0-9]+)?}}(
// BLOCKS: %[[SECOND:.*]] = llvm.mlir.constant(1 : i64)
// BLOCKS-NEXT: llvm.call @[[SHARED]]({{.*}}, %[[SECOND]])
func.func @blocks(%q: tensor<1x2x64x8xf32>, %k: tensor<1x2x64x8xf32>, %v: tensor<1x2x64x8xf32>) -> tensor<1x2x64x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.intersection<[#xf.queries<[0 : 32]>, #xf.keys<[0 : 16]>]>,
                                                  #xf.intersection<[#xf.queries<[16 : 64]>, #xf.keys<[32 : 48]>]>]>)
    : (tensor<1x2x64x8xf32>, tensor<1x2x64x8xf32>, tensor<1x2x64x8xf32>) -> tensor<1x2x64x8xf32>
  return %o : tensor<1x2x64x8xf32>
}

// So do those of heads with patterns of one kind.
// HEADS-DAG: llvm.func {{.*}}@attend_shared
// HEADS-DAG: llvm.func {{.*}}@attend_vjp_shared
func.func @heads(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window<left = 3>, #xf.window<left = 30, right = 2>]>)
    : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}

// A kernel of its own has its code.
// ALONE-NOT: shared

// Attention has one kernel with and without its gradient; where none follows, buffers of no rows say to keep nothing.
// ONCE: func.func @alone(
// ONCE: xft.launch @[[FORWARD:attend_[a-z_0-9]+]]{{.*}} : {{.*}}memref<1x2x0xf32, strided<[0, 0, 1]{{.*}}memref<1x2x0xf32, strided<[0, 0, 1]
// ONCE: func.func @alone_vjp(
// ONCE: xft.launch @[[FORWARD]]
// ONCE-COUNT-1: xft.attend %
// ONCE-NOT: xft.attend %
func.func @alone(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}

// So do products whose tiles have other sizes: blocks of rows, panels and terms.
// PRODUCTS: llvm.func {{.*}}@[[PRODUCT:matmul_shared[_0-9]*]](
// PRODUCTS-NOT: llvm.func {{.*}}@matmul_shared
// PRODUCTS-COUNT-2: llvm.call @[[PRODUCT]](
func.func @products(%a: tensor<512x768xf32>, %b: tensor<512x3072xf32>, %c: tensor<512x96xf32>) -> (tensor<768x3072xf32>, tensor<96x3072xf32>) {
  %x = xf.matmul %a transposed, %b : (tensor<512x768xf32>, tensor<512x3072xf32>) -> tensor<768x3072xf32>
  %y = xf.matmul %c transposed, %b : (tensor<512x96xf32>, tensor<512x3072xf32>) -> tensor<96x3072xf32>
  return %x, %y : tensor<768x3072xf32>, tensor<96x3072xf32>
}

// So do a product with a weight and that with its panels, where a handle holds them: one function, called with either.
// WEIGHTS: llvm.func {{.*}}@[[WEIGHT:matmul_shared[_0-9]*]](
// WEIGHTS-NOT: llvm.func {{.*}}@matmul_shared
// WEIGHTS-COUNT-2: llvm.call @[[WEIGHT]](
// WEIGHTS-NOT: llvm.call @matmul
func.func @weights(%x: tensor<512x96xf32>, %w: tensor<64x96xf32> {xf.parameter = "w", xf.name = "w"}) -> tensor<512x64xf32> {
  %y = xf.linear %x, %w : (tensor<512x96xf32>, tensor<64x96xf32>) -> tensor<512x64xf32>
  return %y : tensor<512x64xf32>
}
func.func @weights_bf16(%x: tensor<512x96xbf16>, %w: tensor<64x96xbf16> {xf.parameter = "w", xf.name = "w"}) -> tensor<512x64xbf16> {
  %y = xf.linear %x, %w : (tensor<512x96xbf16>, tensor<64x96xbf16>) -> tensor<512x64xbf16>
  return %y : tensor<512x64xbf16>
}
