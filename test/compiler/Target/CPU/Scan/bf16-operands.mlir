// The large products of kernelised attention in bf16 are vdpbf16ps where the CPU has it. Features without W take three:
// those of pairs, of outputs and of the state.
// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --emit=asm -o - | FileCheck %s
// CHECK-COUNT-96: vdpbf16ps
//
// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --exact-weights --emit=asm -o - | FileCheck %s --check-prefix=EXACT
// RUN: xfc %s --mcpu=x86-64-v4 --emit=asm -o - | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: vdpbf16ps

!x = tensor<1x2x256x64xbf16>

func.func @favor(%x: !x {xf.name = "x"}, %w: tensor<128x64xbf16> {xf.name = "w"}) -> (!x {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<128x64xbf16>) : (!x, !x, !x) -> !x
  return %o : !x
}
