// On Hopper both sides of a gradient are computed by warpgroups, and again where a result was not finite.
// RUN: xfc %s --vjp=causal --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=CAUSAL
// RUN: xfc %s --vjp=strided --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=STRIDED
// RUN: xfc %s --vjp=long_heads --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=LONG
// RUN: xfc %s --vjp=odd_heads --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --vjp=heads_apart --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=APART
// RUN: xfc %s --vjp=causal --target=cuda --gpu-arch=sm_80 --stop-after=tile | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --vjp=alone --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=ALONE
// RUN: xfc %s --vjp=causal --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=SHARED

// CAUSAL-DAG: xft.attend_vjp_rows {{.*}}flags({{.*}}queries = 128, keys = 96>, warpgroups = #xft.warpgroups<consumers = 2, stages = 3>>
// CAUSAL-DAG: xft.attend_vjp_rows {{.*}}flags({{.*}}#xft.warp_tiles<{{.*}}queries = 128, keys = 16>, recheck = true>
// CAUSAL-DAG: xft.attend_vjp_keys {{.*}}flags({{.*}}queries = 48, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 3>>
// CAUSAL-DAG: xft.attend_vjp_keys {{.*}}flags({{.*}}#xft.warp_tiles<{{.*}}queries = 16, keys = 128>, recheck = true>
func.func @causal(%q: tensor<1x2x300x128xbf16>, %k: tensor<1x1x300x128xbf16>, %v: tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16>
  return %o : tensor<1x2x300x128xbf16>
}

// Queries of a residue pass as columns of rows.
// STRIDED-DAG: @attend_vjp{{.*}}sizes = (d0, d1, d2, d3) -> (d3, d2 mod 4, d2 floordiv 4 + 1, d1, d0)
// STRIDED-DAG: xft.attend_vjp_keys {{.*}}#xft.warpgroup_tiles
// STRIDED-DAG: xft.attend_vjp_rows {{.*}}#xft.warpgroup_tiles
func.func @strided(%q: tensor<1x1x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>) -> tensor<1x1x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 4, part = column>) : (tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x1x300x64xbf16>
  return %o : tensor<1x1x300x64xbf16>
}

// d_k and d_v of 256 columns do not fit registers.
// LONG-DAG: xft.attend_vjp_rows {{.*}}#xft.warpgroup_tiles
// LONG-DAG: xft.attend_vjp_keys {{.*}}#xft.warp_tiles<tile = {{.*}}queries = {{[0-9]+}}, keys = {{[0-9]+}}>>
func.func @long_heads(%q: tensor<1x1x300x256xbf16>, %k: tensor<1x1x300x256xbf16>, %v: tensor<1x1x300x256xbf16>) -> tensor<1x1x300x256xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x300x256xbf16>, tensor<1x1x300x256xbf16>, tensor<1x1x300x256xbf16>) -> tensor<1x1x300x256xbf16>
  return %o : tensor<1x1x300x256xbf16>
}

// WARPS-NOT: xft.attend_vjp{{.*}}warpgroups
func.func @odd_heads(%q: tensor<1x1x300x20xbf16>, %k: tensor<1x1x300x20xbf16>, %v: tensor<1x1x300x20xbf16>) -> tensor<1x1x300x20xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x300x20xbf16>, tensor<1x1x300x20xbf16>, tensor<1x1x300x20xbf16>) -> tensor<1x1x300x20xbf16>
  return %o : tensor<1x1x300x20xbf16>
}

// Keys that more heads share than values.
// APART-DAG: xft.attend_vjp_rows {{.*}}#xft.warpgroup_tiles
// APART-DAG: xft.attend_vjp_keys {{.*}}#xft.warp_tiles<tile = {{.*}}queries = {{[0-9]+}}, keys = {{[0-9]+}}>>
func.func @heads_apart(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  return %o : tensor<1x2x300x64xbf16>
}

// One launch writes each gradient and rounds its sums. A recheck kernel has a block for each processor.
// ALONE: func.func @alone_vjp
// ALONE: func.func @alone_vjp
// ALONE: xft.launch @attend_vjp_{{.*}}memref<1x2x300x64xbf16>, index, memref<48xi32>)
// ALONE-NOT: attend_vjp_sum
// ALONE: func.func private @attend_vjp_{{.*}} attributes {xft.blocks_per_processor = 1 : i64, xft.kernel}
// ALONE-NEXT: xft.attend_vjp_rows {{.*}}#xft.warp_tiles
func.func @alone(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  return %o : tensor<1x2x300x64xbf16>
}

// Where heads share keys, d_k and d_v are sums of f32, rounded at the end.
// SHARED: func.func @causal_vjp
// SHARED: func.func @causal_vjp
// SHARED-COUNT-2: xft.launch @attend_vjp_sum
// SHARED-NOT: xft.launch @attend_vjp_sum
