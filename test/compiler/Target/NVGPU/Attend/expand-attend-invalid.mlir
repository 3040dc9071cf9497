// RUN: xf-opt %s -verify-diagnostics -xf-expand-kernels=machine=sm_90a

func.func private @attend(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?x?x64xbf16>, %n: index, %flags: memref<?xi32>) attributes {xft.kernel} {
  // expected-error @below {{expected a kernel with tensor maps for warpgroups, got none}}
  xft.attend %x to %x blocks %n nk %n keys(%x : memref<?x?x?x64xbf16>) values(%x : memref<?x?x?x64xbf16>) flags(%flags : memref<?xi32>)
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      schedule #xft.warpgroup_tiles<tile = #xft.attend_tile<rows = 64, registers = 2, lanes = 8, queries = 128, keys = 64>, warpgroups = #xft.warpgroups<consumers = 2, stages = 2>> weights <scale = 0.125> : memref<?x?x?x64xbf16>, memref<?x?x?x64xbf16>
  return
}
