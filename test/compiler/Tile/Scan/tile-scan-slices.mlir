// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=tile | FileCheck %s

!x = tensor<1x2x1000x64xf32>
!d = tensor<1x2x?x64xf32>

// The CPU's program comes first: a launch for each scan.
// CHECK: func.func @causal
// CHECK-NEXT: arith.constant
// CHECK-NEXT: xft.launch @scan_causal_kernelized tiles
// CHECK: func.func @short

// A GPU gets a sequence in slices: what the keys of each add up to, the sums before each, queries.
// CHECK: func.func @causal
// CHECK: xft.launch @scan_keys
// CHECK: xft.launch @scan_join
// CHECK: xft.launch @scan_queries
func.func @causal(%x: !x) -> !x {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x) -> !x
  return %o : !x
}

// CHECK: func.func @dense
// CHECK: xft.launch @scan_keys
// CHECK: xft.launch @scan_join
// CHECK: xft.launch @scan_queries
func.func @dense(%x: !d) -> !d {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) : (!d, !d, !d) -> !d
  return %o : !d
}

// Keys that correct the state come one after the other, and so do segments, of which nobody knows how many there are.
// CHECK: func.func @delta
// CHECK: xft.launch @scan_delta_kernelized tiles
func.func @delta(%x: !x, %b: tensor<1x2x1000xf32>) -> !x {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) beta(%b : tensor<1x2x1000xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}
// CHECK: func.func @segments
// CHECK: xft.launch @scan_segments_kernelized tiles
func.func @segments(%x: !x, %s: tensor<1x1000xi32>) -> !x {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.intersection<[#xf.causal, #xf.segments]>>) segments(%s, %s : tensor<1x1000xi32>, tensor<1x1000xi32>) : (!x, !x, !x) -> !x
  return %o : !x
}

// What fits one slice is one launch.
// CHECK: func.func @short
// CHECK: xft.launch @scan_short_kernelized tiles
// CHECK-NOT: xft.launch
// CHECK: return
func.func @short(%x: tensor<1x2x32x64xf32>) -> tensor<1x2x32x64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x2x32x64xf32>
  return %o : tensor<1x2x32x64xf32>
}

// Few heads and rows: slices of one chunk. Of unknown length: of four.
// CHECK: func.func private @scan_queries
// CHECK: schedule <tile = #xft.attend_tile<{{.*}}queries = 32, {{.*}}>, phase = queries> ordered
// CHECK: func.func private @scan_queries
// CHECK: slice = 4

// With the shared memory of Hopper a chunk has more rows.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile | FileCheck %s --check-prefix=ROOM
// ROOM: func.func private @scan_queries
// ROOM: schedule <tile = #xft.attend_tile<{{.*}}queries = 64, {{.*}}>, phase = queries

// The gradient: chunks side by side, joined from the last one.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --vjp=causal --stop-after=tile | FileCheck %s --check-prefix=VJP
// VJP: xft.launch @scan_vjp_causal_kernelized tiles
// VJP: xft.launch @scan_keys
// VJP: xft.launch @scan_join
// VJP: xft.launch @scan_queries
// VJP: xft.launch @scan_vjp_queries
// VJP: xft.launch @scan_vjp_join
// VJP: xft.launch @scan_vjp_keys
