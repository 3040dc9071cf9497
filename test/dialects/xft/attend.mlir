// RUN: xf-opt %s | xf-opt | FileCheck %s

#upper = affine_map<(d0)[s0, s1] -> (d0)>
#causal = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = #upper, query_lower = #upper>
#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#causal], buffers = [0]>
#packed = #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>>

// CHECK-LABEL: func.func private @gather
// CHECK: xft.gather_panels %{{.*}} to %{{.*}} by <residues = 4, period = 4, multiplier = 1> transposed width 16
func.func private @gather(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>,
                          %panels: memref<?x?x4x?x1024xf32>) attributes {xft.kernel} {
  xft.gather_panels %x to %panels by #xf.index_map<residues = 4, period = 4, multiplier = 1> transposed width 16
      : memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>, memref<?x?x4x?x1024xf32>
  return
}

// CHECK-LABEL: func.func private @forward
// CHECK: xft.attend %{{.*}} to %{{.*}} blocks %{{.*}} nk %{{.*}} keys(%{{.*}}) values(%{{.*}}) lse(%{{.*}} : memref<?x?x?xf64>) order <queries
// CHECK-SAME: schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>> weights <scale = 1.250000e-01 : f64> :
func.func private @forward(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x64xf32>, %o: memref<?x?x?x64xf32>,
                           %lse: memref<?x?x?xf64>, %blocks: index, %nk: index, %keys: memref<?x?x1x?x1024xf32>,
                           %values: memref<?x?x?x64xf32>) attributes {xft.kernel} {
  xft.attend %q to %o blocks %blocks nk %nk keys(%keys : memref<?x?x1x?x1024xf32>) values(%values : memref<?x?x?x64xf32>)
      lse(%lse : memref<?x?x?xf64>) order #order schedule #packed weights <scale = 0.125>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// CHECK-LABEL: func.func private @kept
// CHECK: xft.attend {{.*}} values(%{{.*}} : {{.*}}) kept(%{{.*}}, %{{.*}}, %{{.*}} : memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>) lengths(%{{.*}} : memref<?xi64>) order
func.func private @kept(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x64xbf16>, %o: memref<?x?x?x64xbf16>,
                        %m: memref<?x?x?xf32>, %exact: memref<?x?x?x64xf32>, %blocks: index, %nk: index, %lengths: memref<?xi64>,
                        %keys: memref<?x?x1x?x1024xf32>, %values: memref<?x?x?x64xf32>) attributes {xft.kernel} {
  xft.attend %q to %o blocks %blocks nk %nk keys(%keys : memref<?x?x1x?x1024xf32>) values(%values : memref<?x?x?x64xf32>)
      kept(%m, %m, %exact : memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>) lengths(%lengths : memref<?xi64>)
      order #order schedule #packed weights <scale = 0.125> : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// CHECK-LABEL: func.func private @warpgroups
// CHECK: xft.attend {{.*}} sums(%{{.*}}, %{{.*}} : {{.*}}) flags(%{{.*}} : memref<?xi32>) order
// CHECK-SAME: schedule #xft.warpgroup_tiles<tile = {{.*}}, warpgroups = #xft.warpgroups<consumers = 2, stages = 3>, recheck = true> weights <scale = 1.250000e-01 : f64> resume :
func.func private @warpgroups(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x64xbf16>, %m: memref<?x?x?xf32>,
                              %n: index, %flags: memref<?xi32>) attributes {xft.kernel} {
  xft.attend %q to %q blocks %n nk %n keys(%q : memref<?x?x?x64xbf16>) values(%q : memref<?x?x?x64xbf16>)
      sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) flags(%flags : memref<?xi32>)
      order <queries = #xf.index_map<>, pieces = [#causal]> schedule #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 64, registers = 2, lanes = 8, queries = 128, keys = 64>,
                                    warpgroups = #xft.warpgroups<consumers = 2, stages = 3>, recheck = true>
      weights <scale = 0.125>
      resume : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// CHECK-LABEL: func.func private @gradient
// CHECK: xft.attend_vjp %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} to d_q(%{{.*}}, %{{.*}} : {{.*}}) d_k(%{{.*}} : {{.*}}) d_v(%{{.*}} : {{.*}}) groups %{{.*}} order
// CHECK-SAME: schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>> weights <scale = 1.250000e-01 : f64> assigns
func.func private @gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>,
                            %delta: memref<?x?x?xf32>, %dq: memref<?x?x?x64xf32>, %groups: index) attributes {xft.kernel} {
  xft.attend_vjp %x, %x, %x, %x, %lse, %delta
      to d_q(%dq, %dq : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>) d_k(%dq : memref<?x?x?x64xf32>) d_v(%dq : memref<?x?x?x64xf32>) groups %groups
      order <queries = #xf.index_map<>, pieces = [#causal]> schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>>
      weights <scale = 0.125> assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>, memref<?x?x?xf32>
  return
}

#third = #xf.tiles<[(i, j)[Nq, Nk] : ((i + j) mod 3 == 0)], reason = "an example">
#all = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>
// CHECK-LABEL: func.func private @some_pairs
// CHECK: xft.attend_vjp_keys {{.*}} to %{{.*}}, %{{.*}} grid(%{{.*}}, %{{.*}}, %{{.*}}) seed(%{{.*}} : memref<2xi64>) flags(%{{.*}} : memref<?xi32>) order <{{.*}}tiles = <
// CHECK-SAME: schedule #xft.warp_tiles<{{.*}}recheck = true> weights <scale = 1.250000e-01 : f64, dropout = 2.500000e-01 : f64>
func.func private @some_pairs(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>,
                              %delta: memref<?x?x?xf32>, %n: index, %seed: memref<2xi64>, %flags: memref<?xi32>) attributes {xft.kernel} {
  xft.attend_vjp_keys %x, %x, %x, %x, %lse, %delta to %x, %x grid(%n, %n, %n) seed(%seed : memref<2xi64>) flags(%flags : memref<?xi32>)
      order <queries = #xf.index_map<>, pieces = [#all], tiles = #third> schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>, recheck = true>
      weights <scale = 0.125, dropout = 0.25>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
