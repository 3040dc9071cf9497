// RUN: xf-opt %s -split-input-file -verify-diagnostics -xf-expand-kernels=machine=sm_80

!x = memref<?x?x4x64xbf16, strided<[?, ?, ?, 1]>>
func.func private @attend(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: !x, %k: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>) attributes {xft.kernel} {
  // expected-error @below {{expected a tile without operand and with blocks of 16 n keys on GPUs, got #xft.decode_tile<sums = 4, lanes = 8, keys = 40, slice = 80>}}
  xft.attend_decode %q, %k, %k to %q
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      weights <scale = 0.125> tile <sums = 4, lanes = 8, keys = 40, slice = 80>
      : !x, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, !x
  return
}

// -----

!x = memref<?x?x4x64xbf16, strided<[?, ?, ?, 1]>>
func.func private @attend(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: !x, %k: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>) attributes {xft.kernel} {
  // expected-error @below {{expected a tile without operand and with blocks of 16 n keys on GPUs, got #xft.decode_tile<sums = 4, lanes = 8, keys = 48, slice = 96, operand = bf16>}}
  xft.attend_decode %q, %k, %k to %q
      order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
      weights <scale = 0.125> tile <sums = 4, lanes = 8, keys = 48, slice = 96, operand = bf16>
      : !x, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, !x
  return
}
