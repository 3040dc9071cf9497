// RUN: xf-opt %s | xf-opt | FileCheck %s

#upper = affine_map<(d0)[s0, s1] -> (d0)>
#causal = #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = #upper, query_lower = #upper>

// CHECK-LABEL: func.func private @gather
// CHECK: xft.gather_panels %{{.*}} to %{{.*}} by <residues = 4, period = 4, multiplier = 1> transposed width 16
func.func private @gather(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>,
                          %panels: memref<?x?x4x?x1024xf32>) attributes {xft.kernel} {
  xft.gather_panels %x to %panels by #xf.index_map<residues = 4, period = 4, multiplier = 1> transposed width 16
      : memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>, memref<?x?x4x?x1024xf32>
  return
}

// CHECK-LABEL: func.func private @forward
// CHECK: xft.attend %{{.*}} to %{{.*}}, %{{.*}} blocks %{{.*}} nk %{{.*}} keys(%{{.*}}) values(%{{.*}}) scale 1.250000e-01
func.func private @forward(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x64xf32>, %o: memref<?x?x?x64xf32>,
                           %lse: memref<?x?x?xf64>, %blocks: index, %nk: index, %keys: memref<?x?x1x?x1024xf32>,
                           %values: memref<?x?x?x64xf32>) attributes {xft.kernel} {
  xft.attend %q to %o, %lse blocks %blocks nk %nk keys(%keys : memref<?x?x1x?x1024xf32>) values(%values : memref<?x?x?x64xf32>)
      scale 0.125 {pieces = [#causal], buffers = array<i64: 0>, queries = #xf.index_map<>,
                   tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?xf64>
  return
}

// CHECK-LABEL: func.func private @kept
// CHECK: xft.attend {{.*}} values(%{{.*}} : {{.*}}) kept(%{{.*}}, %{{.*}}, %{{.*}} : memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>) scale
func.func private @kept(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x64xbf16>, %o: memref<?x?x?x64xbf16>,
                        %m: memref<?x?x?xf32>, %exact: memref<?x?x?x64xf32>, %blocks: index, %nk: index,
                        %keys: memref<?x?x1x?x1024xf32>, %values: memref<?x?x?x64xf32>) attributes {xft.kernel} {
  xft.attend %q to %o blocks %blocks nk %nk keys(%keys : memref<?x?x1x?x1024xf32>) values(%values : memref<?x?x?x64xf32>)
      kept(%m, %m, %exact : memref<?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>) scale 0.125
      {pieces = [#causal], buffers = array<i64: 0>, queries = #xf.index_map<>,
       tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>}
      : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}

// CHECK-LABEL: func.func private @gradient
// CHECK: xft.attend_vjp %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} to(%{{.*}}, %{{.*}} : {{.*}}), %{{.*}}, %{{.*}} groups %{{.*}} piece
// CHECK-SAME: scale 1.250000e-01 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
func.func private @gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>,
                            %delta: memref<?x?x?xf32>, %dq: memref<?x?x?x64xf32>, %groups: index) attributes {xft.kernel} {
  xft.attend_vjp %x, %x, %x, %x, %lse, %delta to (%dq, %dq : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>), %dq, %dq groups %groups
      piece #causal scale 0.125 {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

#third = #xf.tiles<[(i, j)[Nq, Nk] : ((i + j) mod 3 == 0)], reason = "an example">
// CHECK-LABEL: func.func private @some_pairs
// CHECK: xft.attend_vjp {{.*}} groups %{{.*}} dropout 2.500000e-01(%{{.*}} : memref<2xi64>) piece
// CHECK-SAME: tiles = #xf.tiles<
func.func private @some_pairs(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>,
                              %delta: memref<?x?x?xf32>, %groups: index, %seed: memref<2xi64>) attributes {xft.kernel} {
  xft.attend_vjp %x, %x, %x, %x, %lse, %delta to (%x : memref<?x?x?x64xf32>), %x, %x groups %groups
      dropout 0.25(%seed : memref<2xi64>) piece #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>> scale 0.125
      {tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>, tiles = #third}
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// CHECK-LABEL: func.func private @numbers
// CHECK: xft.tabulate %{{.*}} to %{{.*}}, %{{.*}} count %{{.*}} first %{{.*}} nq %{{.*}} nk %{{.*}} inputs(%{{.*}} : memref<?x?xi32>) at #{{.*}} symbols [2] group 6
func.func private @numbers(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xi32>, %values: memref<?x?xi32>,
                           %ranges: memref<?x?x2xi32>, %n: index) attributes {xft.kernel} {
  xft.tabulate %x to %values, %ranges count %n first %n nq %n nk %n inputs(%x : memref<?x?xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (d)> symbols [2] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// CHECK-LABEL: func.func private @lists
// CHECK: xft.sort_lists %{{.*}}, %{{.*}} to %{{.*}} : memref<?xi32>, memref<?xi64>, memref<?xi64>
func.func private @lists(%begin: i64, %end: i64, %scratch: !llvm.ptr, %offsets: memref<?xi32>, %columns: memref<?xi64>,
                         %to: memref<?xi64>) attributes {xft.kernel} {
  xft.sort_lists %offsets, %columns to %to : memref<?xi32>, memref<?xi64>, memref<?xi64>
  return
}
