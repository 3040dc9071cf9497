// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func private @linear
// CHECK: xft.contract %{{.*}}, %{{.*}} ins(%{{.*}}) outs(%{{.*}}) rows 6 columns 16 block 96 depth 4096
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK-NEXT: xft.yield %[[Y]] : f32
func.func private @linear(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                          %w: memref<?x?xf32, strided<[1, ?]>>, %bias: memref<?x?xf32, strided<[0, 1]>>,
                          %y: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %x, %w ins(%bias) outs(%y) rows 6 columns 16 block 96 depth 4096
      : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32, strided<[0, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32, %b: f32):
    %z = arith.addf %sum, %b : f32
    xft.yield %z : f32
  }
  return
}

// Panels, batches, bf16 in memory, two results.
// CHECK-LABEL: func.func private @panels
// CHECK: xft.contract %{{.*}}, %{{.*}} outs(%{{.*}}, %{{.*}}) rows 6 columns 16 block 96 depth 4096
// CHECK: xft.yield %{{.*}}, %{{.*}} : f32, f32
func.func private @panels(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?xbf16>, %w: memref<?x?x?x16xf32>,
                          %y: memref<?x?x?xbf16>, %z: memref<?x?x?xf32>) attributes {xft.kernel} {
  xft.contract %x, %w outs(%y, %z) rows 6 columns 16 block 96 depth 4096
      : memref<?x?x?xbf16>, memref<?x?x?x16xf32>, memref<?x?x?xbf16>, memref<?x?x?xf32> {
  ^bb0(%sum: f32):
    %t = math.tanh %sum : f32
    xft.yield %t, %sum : f32, f32
  }
  return
}

// CHECK-LABEL: func.func private @widened
// CHECK: xft.contract %{{.*}}, %{{.*}} outs(%{{.*}}) rows 6 columns 16 block 192 depth 512 panels 16 widened :
func.func private @widened(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf16, strided<[?, 1]>>,
                           %w: memref<?x?xf16, strided<[1, ?]>>, %y: memref<?x?xf16, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %x, %w outs(%y) rows 6 columns 16 block 192 depth 512 panels 16 widened
      : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[1, ?]>>, memref<?x?xf16, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func private @groups
// CHECK: xft.contract %{{.*}}, %{{.*}} outs(%{{.*}}) rows 64 columns 256 block 128 depth 512 warpgroups <consumers = 2, stages = 4>
func.func private @groups(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xbf16, strided<[?, 1]>>,
                          %w: memref<?x?xbf16, strided<[1, ?]>>, %y: memref<?x?xbf16, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %x, %w outs(%y) rows 64 columns 256 block 128 depth 512 warpgroups <consumers = 2, stages = 4>
      : memref<?x?xbf16, strided<[?, 1]>>, memref<?x?xbf16, strided<[1, ?]>>, memref<?x?xbf16, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func private @pack
// CHECK: xft.pack_panels %{{.*}} into %{{.*}} : memref<?x?xf32, strided<[1, ?]>>, memref<?x?x16xf32>
func.func private @pack(%begin: i64, %end: i64, %scratch: !llvm.ptr, %w: memref<?x?xf32, strided<[1, ?]>>,
                        %panels: memref<?x?x16xf32>) attributes {xft.kernel} {
  xft.pack_panels %w into %panels : memref<?x?xf32, strided<[1, ?]>>, memref<?x?x16xf32>
  return
}
