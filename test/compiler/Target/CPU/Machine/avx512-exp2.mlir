// RUN: xfc %s --mcpu=x86-64-v4 --emit=llvm | FileCheck %s
// RUN: xfc %s --mcpu=x86-64-v4 --emit=asm | FileCheck %s --check-prefix=ASM

// vscalef(p, n) is p 2^n for every n: -inf, whose p is NaN, and what would make subnormal products become 0, NaN stays.
// CHECK: %[[NORMAL:.*]] = fcmp uge <16 x float> %[[X:.*]], splat (float -1.200000e+02)
// CHECK: %[[N:.*]] = call <16 x float> @llvm.roundeven.v16f32(<16 x float> %[[X]])
// CHECK: %[[SCALED:.*]] = call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %[[P:.*]], <16 x float> %[[N]], <16 x float> %[[P]], i16 -1, i32 4)
// CHECK-NEXT: select <16 x i1> %[[NORMAL]], <16 x float> %[[SCALED]], <16 x float> zeroinitializer
// The selection is the instruction's own mask.
// ASM: vscalefps {{.*}} {%k{{[1-7]}}} {z}
func.func @attend(%x: tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32>
  return %o : tensor<1x1x64x16xf32>
}
