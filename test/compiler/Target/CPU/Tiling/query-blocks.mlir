// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=long | FileCheck %s --check-prefix=LARGE
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=causal | FileCheck %s --check-prefix=LARGE
// A block stays in the second level beside a block of keys, which takes at most a quarter of it: of 1 MiB, or of half
// of it.
// LARGE: xft.attend {{.*}}queries = 384, keys = 256
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=long | FileCheck %s --check-prefix=HALF
// HALF: xft.attend {{.*}}queries = 288, keys = 128

// Keys and values of 4 MiB are near enough; a window is nearer.
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=short | FileCheck %s --check-prefix=SMALL
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=window | FileCheck %s --check-prefix=SMALL
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=strided | FileCheck %s --check-prefix=SMALL
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=dynamic | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: queries = {{[0-9]+}}, keys = 256
// SMALL: xft.attend {{.*}}queries = 48, keys = 256
// SMALL-NOT: queries = {{[0-9]+}}, keys = 256

// Few queries have small blocks, so that there are tasks for all workers; more heads, larger ones.
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=few | FileCheck %s --check-prefix=SMALL
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=few_heads | FileCheck %s --check-prefix=MORE
// MORE: xft.attend {{.*}}queries = 192, keys = 256

// RUN: xfc explain %s --mcpu=x86-64-v4 --entry=long | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: tiles 8 x 32 in blocks of 384 x 256
// EXPLAIN: queries: blocks of 384, 48 groups of 8 rows that read a block of keys in turn; large, since all keys and values of a head are 16.0 MiB

func.func @long(%x: tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32>
  return %o : tensor<1x1x16384x128xf32>
}
func.func @causal(%x: tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32>
  return %o : tensor<1x1x16384x128xf32>
}
func.func @window(%x: tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 256>) : (tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32>
  return %o : tensor<1x1x16384x128xf32>
}
func.func @strided(%x: tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 7, part = column>) : (tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<1x1x16384x128xf32>
  return %o : tensor<1x1x16384x128xf32>
}
func.func @short(%x: tensor<1x8x4096x128xf32>) -> tensor<1x8x4096x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x8x4096x128xf32>, tensor<1x8x4096x128xf32>, tensor<1x8x4096x128xf32>) -> tensor<1x8x4096x128xf32>
  return %o : tensor<1x8x4096x128xf32>
}
func.func @dynamic(%x: tensor<1x1x?x128xf32>) -> tensor<1x1x?x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x?x128xf32>, tensor<1x1x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<1x1x?x128xf32>
  return %o : tensor<1x1x?x128xf32>
}
func.func @few(%q: tensor<1x1x1024x128xf32>, %k: tensor<1x1x16384x128xf32>) -> tensor<1x1x1024x128xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.dense) : (tensor<1x1x1024x128xf32>, tensor<1x1x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<1x1x1024x128xf32>
  return %o : tensor<1x1x1024x128xf32>
}
func.func @few_heads(%q: tensor<1x6x1024x128xf32>, %k: tensor<1x6x16384x128xf32>) -> tensor<1x6x1024x128xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.dense) : (tensor<1x6x1024x128xf32>, tensor<1x6x16384x128xf32>, tensor<1x6x16384x128xf32>) -> tensor<1x6x1024x128xf32>
  return %o : tensor<1x6x1024x128xf32>
}
