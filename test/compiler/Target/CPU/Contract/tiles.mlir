// Tiles of AMX: the registers are configured once, and no tile of sums leaves them in the loop over terms, which has
// two tiles of each operand and four of sums.
// RUN: xfc %s --entry=whole --mcpu=sapphirerapids --emit=asm -o - | FileCheck %s --implicit-check-not=ldtilecfg
// RUN: xfc %s --entry=whole --mcpu=graniterapids --emit=asm -o - | FileCheck %s --implicit-check-not=ldtilecfg
// RUN: xfc %s --entry=whole --mcpu=x86-64-v4+avx512bf16+amx-tile+amx-bf16 --emit=asm -o - | FileCheck %s --implicit-check-not=ldtilecfg
// CHECK: ldtilecfg
// CHECK-COUNT-4: tilezero
// CHECK: prefetch
// CHECK-NOT: tilestored
// CHECK-COUNT-4: tdpbf16ps
// CHECK-NOT: tilestored
// CHECK: j{{[a-z]+}}
// CHECK-COUNT-4: tilestored
// CHECK: tilerelease

// One tile where there are up to 16 rows; tiles of f32, and CPUs without tiles, have none.
// RUN: xfc %s --entry=few --mcpu=sapphirerapids --emit=asm -o - | FileCheck %s --check-prefix=FEW
// FEW-COUNT-2: tdpbf16ps
// RUN: xfc %s --entry=single --mcpu=sapphirerapids --emit=asm -o - | FileCheck %s --check-prefix=SINGLE
// RUN: xfc %s --entry=whole --mcpu=cooperlake --emit=asm -o - | FileCheck %s --check-prefixes=SINGLE,PAIRS
// RUN: xfc %s --entry=whole --mcpu=x86-64-v3+emulated-avx512bf16+emulated-amx-bf16 --vector-bits=512 --emit=asm -o - | FileCheck %s --check-prefix=SINGLE
// SINGLE-NOT: tmm
// PAIRS: vdpbf16ps

// The model of an object with tiles says so.
// RUN: xfc %s --entry=single --mcpu=sapphirerapids --emit=llvm -o - | FileCheck %s --check-prefix=FEATURES
// FEATURES: avx512bf16,{{.*}}amx-tile,amx-bf16

func.func @whole(%x: tensor<64x256xbf16>, %w: tensor<96x256xbf16>) -> tensor<64x96xbf16> {
  %y = xf.linear %x, %w : (tensor<64x256xbf16>, tensor<96x256xbf16>) -> tensor<64x96xbf16>
  return %y : tensor<64x96xbf16>
}
func.func @few(%x: tensor<3x256xbf16>, %w: tensor<96x256xbf16>) -> tensor<3x96xbf16> {
  %y = xf.linear %x, %w : (tensor<3x256xbf16>, tensor<96x256xbf16>) -> tensor<3x96xbf16>
  return %y : tensor<3x96xbf16>
}
func.func @single(%x: tensor<64x256xf32>, %w: tensor<96x256xf32>) -> tensor<64x96xf32> {
  %y = xf.linear %x, %w : (tensor<64x256xf32>, tensor<96x256xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}
