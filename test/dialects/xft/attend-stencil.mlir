// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: @box
// CHECK: xft.attend_stencil %{{.*}}, %{{.*}}, %{{.*}} to %{{.*}} lse(%{{.*}} : memref<?x?x?xf32>) order <{{.*}}> weights <scale = 1.250000e-01 : f64> tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
func.func @box(%x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>) {
  xft.attend_stencil %x, %x, %x to %x lse(%lse : memref<?x?x?xf32>)
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      weights <scale = 0.125>
      tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}

// CHECK-LABEL: @gradient
// CHECK: xft.attend_stencil_vjp %{{.*}} to %{{.*}}, %{{.*}}, %{{.*}} groups %{{.*}} strip 4 lengths(%{{.*}} : memref<?xi64>) order <{{.*}}> weights <scale = 1.250000e-01 : f64> tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5> assigns
func.func @gradient(%x: memref<?x?x?x64xf32>, %lse: memref<2x?x?x?xf32>, %delta: memref<?x?x?xf32>, %groups: index, %lengths: memref<?xi64>) {
  xft.attend_stencil_vjp %x, %x, %x, %x, %lse, %delta to %x, %x, %x groups %groups strip 4 lengths(%lengths : memref<?xi64>)
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      weights <scale = 0.125>
      tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5> assigns
      : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
        memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
