// Slices of keys for attention of few rows.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=one | FileCheck %s --check-prefix=ONE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=more | FileCheck %s --check-prefix=MORE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=any | FileCheck %s --check-prefix=ANY
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=single | FileCheck %s --check-prefix=SINGLE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=long | FileCheck %s --check-prefix=LONG
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=tile --entry=wide | FileCheck %s --check-prefix=WIDE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=heads | FileCheck %s --check-prefix=HEADS --implicit-check-not=merge_slices
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=many | FileCheck %s --check-prefix=TILES
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=narrow | FileCheck %s --check-prefix=TILES
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=widest | FileCheck %s --check-prefix=TILES

// Slices as short as what they leave in memory allows: 344 tasks of 8 rows.
// ONE-COUNT-2: module {
// ONE: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 48, slice = 96>
func.func @one(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x4x8192x128xbf16>, %v: tensor<1x4x8192x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x1x128xbf16>, tensor<1x4x8192x128xbf16>, tensor<1x4x8192x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %o : tensor<1x32x1x128xbf16>
}
// Of 32 rows four times as much is left.
// MORE-COUNT-2: module {
// MORE: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 48, slice = 384>
func.func @more(%q: tensor<1x32x4x128xbf16>, %k: tensor<1x4x8192x128xbf16>, %v: tensor<1x4x8192x128xbf16>) -> tensor<1x32x4x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x4x128xbf16>, tensor<1x4x8192x128xbf16>, tensor<1x4x8192x128xbf16>) -> tensor<1x32x4x128xbf16>
  return %o : tensor<1x32x4x128xbf16>
}
// The number of keys need not be known.
// ANY-COUNT-2: module {
// ANY: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 48, slice = 96>
func.func @any(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x4x?x128xbf16>, %v: tensor<1x4x?x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x1x128xbf16>, tensor<1x4x?x128xbf16>, tensor<1x4x?x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %o : tensor<1x32x1x128xbf16>
}
// Keys of four bytes are as many for fewer rows.
// SINGLE-COUNT-2: module {
// SINGLE: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 48, slice = 96>
func.func @single(%q: tensor<1x32x1x128xf32>, %k: tensor<1x4x8192x128xf32>, %v: tensor<1x4x8192x128xf32>) -> tensor<1x32x1x128xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x1x128xf32>, tensor<1x4x8192x128xf32>, tensor<1x4x8192x128xf32>) -> tensor<1x32x1x128xf32>
  return %o : tensor<1x32x1x128xf32>
}
// Long caches have enough slices of more keys: 688 tasks.
// LONG-COUNT-2: module {
// LONG: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 48, slice = 768>
func.func @long(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x8x65536x128xbf16>, %v: tensor<1x8x65536x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x1x128xbf16>, tensor<1x8x65536x128xbf16>, tensor<1x8x65536x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %o : tensor<1x32x1x128xbf16>
}
// Where shared memory is small, blocks of 16 keys for a warp.
// WIDE-COUNT-2: module {
// WIDE: xft.attend_decode {{.*}}tile <sums = 4, lanes = 8, keys = 16, slice = 64>
func.func @wide(%q: tensor<1x8x1x256xf32>, %k: tensor<1x1x4096x256xf32>, %v: tensor<1x1x4096x256xf32>) -> tensor<1x8x1x256xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x8x1x256xf32>, tensor<1x1x4096x256xf32>, tensor<1x1x4096x256xf32>) -> tensor<1x8x1x256xf32>
  return %o : tensor<1x8x1x256xf32>
}
// Heads that fill a GPU are not split, whatever the number of keys.
// HEADS-COUNT-2: module {
// HEADS: xft.launch @attend_decode_heads_dense_full tiles(%c256)
func.func @heads(%q: tensor<32x32x1x128xbf16>, %k: tensor<32x8x8192x128xbf16>, %v: tensor<32x8x8192x128xbf16>) -> tensor<32x32x1x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<32x32x1x128xbf16>, tensor<32x8x8192x128xbf16>, tensor<32x8x8192x128xbf16>) -> tensor<32x32x1x128xbf16>
  return %o : tensor<32x32x1x128xbf16>
}
// More rows, or rows that are too narrow or too wide, have tiles of rows.
// TILES-COUNT-2: module {
// TILES: xft.attend %
func.func @many(%q: tensor<1x1x65x64xbf16>, %k: tensor<1x1x1000x64xbf16>, %v: tensor<1x1x1000x64xbf16>) -> tensor<1x1x65x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x65x64xbf16>, tensor<1x1x1000x64xbf16>, tensor<1x1x1000x64xbf16>) -> tensor<1x1x65x64xbf16>
  return %o : tensor<1x1x65x64xbf16>
}
func.func @narrow(%q: tensor<1x1x1x4xbf16>, %k: tensor<1x1x1000x4xbf16>, %v: tensor<1x1x1000x4xbf16>) -> tensor<1x1x1x4xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x4xbf16>, tensor<1x1x1000x4xbf16>, tensor<1x1x1000x4xbf16>) -> tensor<1x1x1x4xbf16>
  return %o : tensor<1x1x1x4xbf16>
}
func.func @widest(%q: tensor<1x1x1x264xbf16>, %k: tensor<1x1x1000x264xbf16>, %v: tensor<1x1x1000x264xbf16>) -> tensor<1x1x1x264xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x264xbf16>, tensor<1x1x1000x264xbf16>, tensor<1x1x1000x264xbf16>) -> tensor<1x1x1x264xbf16>
  return %o : tensor<1x1x1x264xbf16>
}
