// RUN: xf-opt %s -verify-diagnostics -xf-expand-kernels=machine=x86-64-v3

func.func private @attend(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %n: index) attributes {xft.kernel} {
  // expected-error @below {{expected register tiles on CPUs, got #xft.warp_tiles<}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xf32>) values(%x : memref<?x?x?x64xf32>)
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
