// RUN: xf-opt %s -verify-diagnostics -xf-expand-kernels=machine=sm_90a

func.func private @multiply(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf16, strided<[?, 1]>>, %w: memref<?x?xf16, strided<[1, ?]>>,
                            %y: memref<?x?xf16, strided<[?, 1]>>) attributes {xft.kernel} {
  // expected-error @+1 {{expected a kernel with tensor maps for warpgroups, got none}}
  xft.contract %x, %w outs(%y) rows 64 columns 256 block 128 depth 512 warpgroups <consumers = 2, stages = 4>
    : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[1, ?]>>, memref<?x?xf16, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}
