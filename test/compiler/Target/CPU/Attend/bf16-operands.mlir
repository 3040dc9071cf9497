// The products of attention and of its gradient in bf16 are vdpbf16ps where the CPU has it: no multiply-add of f32 is left
// but those of exponentials, which follow each other as polynomials do, never 16 in a row.
// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --vjp=attend --emit=asm -o - | FileCheck %s
// CHECK-COUNT-64: vdpbf16ps
// CHECK: vcvtneps2bf16
//
// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --vjp=attend --exact-weights --emit=asm -o - | FileCheck %s --check-prefix=EXACT
// RUN: xfc %s --mcpu=x86-64-v4 --vjp=attend --emit=asm -o - | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: vdpbf16ps
//
// A kernel for one CPU is not expanded for another.
// RUN: xfc %s --mcpu=x86-64-v4+avx512bf16 --stop-after=memory -o %t.mlir
// RUN: not xfc %t.mlir --mcpu=x86-64-v4 --start-from=kernel -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}expected {{.*}} terms of an instruction, got 2

func.func @attend(%x: tensor<1x2x256x64xbf16> {xf.name = "x"}) -> (tensor<1x2x256x64xbf16> {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>) -> tensor<1x2x256x64xbf16>
  return %o : tensor<1x2x256x64xbf16>
}
