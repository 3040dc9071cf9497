// RUN: xfc %s --mcpu=x86-64-v4 --emit=llvm | FileCheck %s
// RUN: xfc %s --mcpu=x86-64-v4 --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: xfc %s --mcpu=x86-64-v3 --emit=asm | FileCheck %s --check-prefix=NARROW

// e^x scales by one instruction, of an argument that is held within bounds; what would be subnormal is 0, not computed.
// CHECK: %[[TINY:.*]] = fcmp olt <16 x float> %{{.*}}, splat (float {{.*}})
// CHECK: %[[SCALED:.*]] = call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %[[P:.*]], <16 x float> %{{.*}}, <16 x float> %[[P]], i16 -1, i32 4)
// CHECK: select <16 x i1> %[[TINY]], <16 x float> zeroinitializer, <16 x float> %[[SCALED]]
// ASM: vscalefps {{.*}} {%k{{[1-7]}}} {z}
// NARROW-NOT: vscalef
func.func @power(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %y = xf.exp %x : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
