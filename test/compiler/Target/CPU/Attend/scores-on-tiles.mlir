// Scores of bf16 come from AMX's tiles; P V has pairs. Tiles are configured at the head of the kernel, and again only
// behind the function that rescales rows.
// RUN: xfc %s --mcpu=sapphirerapids --emit=asm -o - | FileCheck %s --implicit-check-not=ldtilecfg
// CHECK: ldtilecfg
// CHECK: tdpbf16ps
// CHECK: tilestored
// CHECK: {{call.*rescale}}
// CHECK: ldtilecfg
// CHECK: tdpbf16ps
// CHECK: tilestored
// CHECK: {{call.*rescale}}
// CHECK: ldtilecfg
// CHECK: vdpbf16ps
// CHECK: tilerelease

// Exact weights are products of f32.
// RUN: xfc %s --mcpu=sapphirerapids --exact-weights --emit=asm -o - | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: tmm

func.func @attend(%q: tensor<1x1x512x64xbf16>, %k: tensor<1x1x512x64xbf16>, %v: tensor<1x1x512x64xbf16>) -> tensor<1x1x512x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x512x64xbf16>, tensor<1x1x512x64xbf16>, tensor<1x1x512x64xbf16>) -> tensor<1x1x512x64xbf16>
  return %o : tensor<1x1x512x64xbf16>
}
