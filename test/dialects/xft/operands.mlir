// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func private @numbers
// CHECK: xft.tabulate %{{.*}} to %{{.*}}, %{{.*}} count %{{.*}} nq %{{.*}} nk %{{.*}} inputs(%{{.*}} : memref<?x?xi32>) at #{{.*}} symbols [2] group 6
func.func private @numbers(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xi32>, %values: memref<?x?xi32>,
                           %ranges: memref<?x?x2xi32>, %n: index) attributes {xft.kernel} {
  xft.tabulate %x to %values, %ranges count %n nq %n nk %n inputs(%x : memref<?x?xi32>)
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
