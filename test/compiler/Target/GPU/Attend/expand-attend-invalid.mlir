// RUN: xf-opt %s -verify-diagnostics -xf-expand-kernels=machine=sm_80

func.func private @attend(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xf32>, %n: index, %k: memref<?x?x1x?x1024xf32>) attributes {xft.kernel} {
  // expected-error @below {{expected tiles of warps or warpgroups on GPUs, got #xft.register_tiles<}}
  xft.attend %x to %x blocks %n nk %n keys(%k : memref<?x?x1x?x1024xf32>) values(%x : memref<?x?x?x64xf32>)
      order <queries = #xf.index_map<>, buffers = [0], pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>> weights <scale = 0.125> : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
  return
}
