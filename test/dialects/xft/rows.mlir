// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func private @phases
// CHECK: xft.rows outer(%{{.*}}, %{{.*}}) columns(%{{.*}}) blocks(%{{.*}})
// CHECK: xft.cols ins(%{{.*}} : memref<?x?x?xf16, strided<[?, ?, 1]>>) accs(%{{.*}}) combine(max, add) -> f32
// CHECK: xft.cols ins({{.*}}) outs({{.*}})
func.func private @phases(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?xf16, strided<[?, ?, 1]>>, %sum: memref<?x?x?xf32, strided<[?, ?, 1]>>,
                          %b: index, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%b, %n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    %top = xft.cols ins(%x : memref<?x?x?xf16, strided<[?, ?, 1]>>) accs(%sum : memref<?x?x?xf32, strided<[?, ?, 1]>>) combine(max, add) -> f32 {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e, %e : f32, f32
    }
    xft.cols ins(%x : memref<?x?x?xf16, strided<[?, ?, 1]>>) outs(%x : memref<?x?x?xf16, strided<[?, ?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %r = arith.subf %e, %top : f32
      xft.yield %r : f32
    }
  }
  return
}

// CHECK-LABEL: func.func private @gathered
// CHECK: xft.row %{{.*}}[%{{.*}}] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32, strided<[1]>>
func.func private @gathered(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>, %ids: memref<?x?xi64, strided<[?, 0]>>,
                            %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks, %blocks) {
  ^bb0(%row: i64):
    %id = xft.element_load %ids : memref<?x?xi64, strided<[?, 0]>> -> i64
    %r = xft.row %table[%id] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32, strided<[1]>>
    xft.cols ins(%r : memref<?xf32, strided<[1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}
