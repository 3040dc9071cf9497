// On Hopper warpgroups compute attention, and again, with care, what was not finite; they copy keys by boxes.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=causal | FileCheck %s --check-prefix=CAUSAL
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=strided | FileCheck %s --check-prefix=STRIDED
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=long_heads | FileCheck %s --check-prefix=LONG
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=single | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=odd_heads | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=few_queries | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=tile --entry=causal | FileCheck %s --check-prefix=WARPS

// CAUSAL: memref.alloc() : memref<48xi32>
// CAUSAL: xft.launch @attend_{{.*}} tiles(%c6)
// CAUSAL-NEXT: xft.launch @attend_{{.*}} tiles(%c6)
// CAUSAL: xft.blocks_per_processor = 1{{.*}}#xft.tensor_map<operand = {{[0-9]+}}, sizes = (d0, d1, d2, d3) -> (d3, d2, d1, d0), strides = (d0, d1, d2, d3) -> (1, d2, d1, d0), box = [64, 128, 1, 1]>
// CAUSAL: xft.attend {{.*}}flags({{.*}}queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>> weights
// CAUSAL: xft.attend {{.*}}flags({{.*}}queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>, recheck = true>
func.func @causal(%q: tensor<1x2x300x128xbf16>, %k: tensor<1x1x300x128xbf16>, %v: tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16>
  return %o : tensor<1x2x300x128xbf16>
}

// A residue's keys are a column of rows: of the residues with one key more, and of the others.
// STRIDED-DAG: sizes = (d0, d1, d2, d3) -> (d3, d2 mod 16, d2 floordiv 16 + 1, d1, d0), strides = (d0, d1, d2, d3) -> (1, d2, d2 * 16, d1, d0), box = [64, 1, 128, 1, 1]>
// STRIDED-DAG: sizes = (d0, d1, d2, d3) -> (d3, 16, d2 floordiv 16, d1, d0)
func.func @strided(%q: tensor<1x1x300x64xf16>, %k: tensor<1x1x300x64xf16>, %v: tensor<1x1x300x64xf16>) -> tensor<1x1x300x64xf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>) : (tensor<1x1x300x64xf16>, tensor<1x1x300x64xf16>, tensor<1x1x300x64xf16>) -> tensor<1x1x300x64xf16>
  return %o : tensor<1x1x300x64xf16>
}

// Registers hold fewer keys beside long rows of o.
// LONG: queries = 128, keys = 80>, warpgroups
func.func @long_heads(%q: tensor<1x1x300x256xbf16>, %k: tensor<1x1x300x256xbf16>, %v: tensor<1x1x300x256xbf16>) -> tensor<1x1x300x256xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x300x256xbf16>, tensor<1x1x300x256xbf16>, tensor<1x1x300x256xbf16>) -> tensor<1x1x300x256xbf16>
  return %o : tensor<1x1x300x256xbf16>
}

// What single pairs are asked goes along: blocks of at most 128 keys, two groups.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=capped | FileCheck %s --check-prefix=CAPPED
// CAPPED: rows = 128, {{.*}}queries = 128, keys = 128>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>> weights <scale = 1.250000e-01 : f64> score
// RUN: xfc explain %s --target=cuda --gpu-arch=sm_90a 2>/dev/null | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: attention of 'capped'
// EXPLAIN: tiles 128 x 128 in blocks of 128 x 128
// EXPLAIN-NEXT: rows: 64 of each of 2 groups of warps, beside one that copies
func.func @capped(%q: tensor<1x1x3000x64xbf16>, %k: tensor<1x1x3000x64xbf16>, %v: tensor<1x1x3000x64xbf16>) -> tensor<1x1x3000x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) {
    %y = math.tanh %s : f32
    xf.yield %y : f32
  } : (tensor<1x1x3000x64xbf16>, tensor<1x1x3000x64xbf16>, tensor<1x1x3000x64xbf16>) -> tensor<1x1x3000x64xbf16>
  return %o : tensor<1x1x3000x64xbf16>
}
// The data of a predicate have ranges for each 16 rows, and take registers.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=segments | FileCheck %s --check-prefix=SEGMENTS
// SEGMENTS: xft.attend {{.*}}tiles = <{{.*}}rows = 16, {{.*}}queries = 128, keys = 112>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>> weights <scale = 1.250000e-01 : f64, dropout = 5.000000e-01
func.func @segments(%q: tensor<1x1x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>, %a: tensor<1x300xi32>, %seed: tensor<2xi64>) -> tensor<1x1x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%a, %a : tensor<1x300xi32>, tensor<1x300xi32>) dropout(5.0e-1, %seed : tensor<2xi64>) : (tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x1x300x64xbf16>
  return %o : tensor<1x1x300x64xbf16>
}

// Other types, rows that do not start at multiples of 16 bytes, fewer queries than a group has: warps with tiles of their own.
// WARPS-NOT: warpgroups
// WARPS: xft.attend
// WARPS-NOT: warpgroups
func.func @single(%q: tensor<1x1x300x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x300x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x300x64xf32>
  return %o : tensor<1x1x300x64xf32>
}
func.func @odd_heads(%q: tensor<1x1x300x68xbf16>, %k: tensor<1x1x300x68xbf16>, %v: tensor<1x1x300x68xbf16>) -> tensor<1x1x300x68xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x300x68xbf16>, tensor<1x1x300x68xbf16>, tensor<1x1x300x68xbf16>) -> tensor<1x1x300x68xbf16>
  return %o : tensor<1x1x300x68xbf16>
}
func.func @few_queries(%q: tensor<1x1x64x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>) -> tensor<1x1x64x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x64x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x1x64x64xbf16>
  return %o : tensor<1x1x64x64xbf16>
}
