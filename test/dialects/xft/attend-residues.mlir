// RUN: xf-opt %s | xf-opt | FileCheck %s

#map = #xf.index_map<residues = 16, period = 16, multiplier = 1>
#column = #xf.piece<queries = #map, keys = #map, residues = 16>
#order = #xft.query_order<queries = #map, residues = 16, pieces = [#column]>
#tile = #xft.residues_tile<rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>

// CHECK-LABEL: func.func private @forward
// CHECK: xft.attend_residues %{{.*}}, %{{.*}}, %{{.*}} to %{{.*}} sums(%{{.*}}, %{{.*}} : {{.*}}) order <queries = {{.*}}> weights <scale = 1.250000e-01 : f64> tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32> save
func.func private @forward(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?xf32>) attributes {xft.kernel} {
  xft.attend_residues %x, %x, %x to %x sums(%m, %m : memref<?x?x?xf32>, memref<?x?x?xf32>) order #order weights <scale = 0.125>
      tile #tile save : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// CHECK-LABEL: func.func private @gradient
// CHECK: xft.attend_residues_vjp %{{.*}} to %{{.*}}, %{{.*}}, %{{.*}} groups %{{.*}} lengths(%{{.*}} : memref<?xi64>) order <queries = {{.*}}> weights <scale = 1.250000e-01 : f64> tile <{{.*}}> assigns
func.func private @gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>,
                            %delta: memref<?x?x?xf32>, %groups: index, %lengths: memref<?xi64>) attributes {xft.kernel} {
  xft.attend_residues_vjp %x, %x, %x, %x, %lse, %delta to %x, %x, %x groups %groups lengths(%lengths : memref<?xi64>) order #order
      weights <scale = 0.125> tile #tile assigns : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>,
        memref<2x?x?x?xf32>, memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
