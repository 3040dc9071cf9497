// RUN: xf-opt %s | xf-opt | FileCheck %s

#order = #xft.query_order<queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
#tile = #xft.decode_tile<sums = 8, lanes = 8, keys = 64, slice = 1024>

// CHECK-LABEL: func.func private @whole
// CHECK: xft.attend_decode %{{.*}}, %{{.*}}, %{{.*}} to %{{.*}} lse(%{{.*}} : memref<?x?x?xf32>) lengths(%{{.*}} : memref<?xi64>) order <queries = {{.*}}> weights <scale = 1.250000e-01 : f64> tile <sums = 8, lanes = 8, keys = 64, slice = 1024> :
func.func private @whole(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %lse: memref<?x?x?xf32>,
                         %n: memref<?xi64>) attributes {xft.kernel} {
  xft.attend_decode %q, %x, %x to %q lse(%lse : memref<?x?x?xf32>) lengths(%n : memref<?xi64>) order #order weights <scale = 0.125> tile #tile
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  return
}

// CHECK-LABEL: func.func private @slices
// CHECK: xft.attend_decode {{.*}} sums(%{{.*}}, %{{.*}} : {{.*}}) accumulator(%{{.*}} : memref<?x?x?x?x64xf32>) order {{.*}} save
// CHECK: xft.merge_slices to %{{.*}} sums(%{{.*}}, %{{.*}} : {{.*}}) accumulator(%{{.*}} : {{.*}}) kept(%{{.*}}, %{{.*}} : {{.*}}) : memref<?x?x4x64xf32>
func.func private @slices(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x4x64xf32>, %x: memref<?x?x?x64xf32>, %m: memref<?x?x?x?xf32>,
                          %o: memref<?x?x?x?x64xf32>, %kept: memref<?x?x?xf32>) {
  xft.attend_decode %q, %x, %x to %q sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) accumulator(%o : memref<?x?x?x?x64xf32>)
      order #order weights <scale = 0.125> tile #tile save
      : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
  xft.merge_slices to %q sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) accumulator(%o : memref<?x?x?x?x64xf32>)
      kept(%kept, %kept : memref<?x?x?xf32>, memref<?x?x?xf32>) : memref<?x?x4x64xf32>
  return
}
