// The second level of a CPU decides how many keys a block of the gradient has: 1 MiB is enough for 256 keys of 256
// columns, half of it for fewer.
// RUN: xfc %s --mcpu=x86-64-v4 --vjp=middle --stop-after=tile --entry=middle | FileCheck %s --check-prefix=V4-MIDDLE
// V4-MIDDLE: xft.attend_vjp {{.*}}queries = 96, keys = 256>
// RUN: xfc %s --mcpu=x86-64-v4 --vjp=deep --stop-after=tile --entry=deep | FileCheck %s --check-prefix=V4-DEEP
// V4-DEEP: xft.attend_vjp {{.*}}queries = 96, keys = 256>
// RUN: xfc %s --mcpu=x86-64-v3 --vjp=middle --stop-after=tile --entry=middle | FileCheck %s --check-prefix=V3-MIDDLE
// V3-MIDDLE: xft.attend_vjp {{.*}}queries = 96, keys = 192>
// RUN: xfc %s --mcpu=x86-64-v3 --vjp=deep --stop-after=tile --entry=deep | FileCheck %s --check-prefix=V3-DEEP
// V3-DEEP: xft.attend_vjp {{.*}}queries = 96, keys = 96>

// RUN: xfc explain %s --mcpu=x86-64-v3 --vjp=deep --entry=deep | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: keys: blocks of 96, so that what each product of two blocks touches stays in 512 KiB of second-level cache

// Without the gradient, keys and values of a block take at most a quarter of the second level.
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=deep | FileCheck %s --check-prefix=V4-FORWARD
// V4-FORWARD: xft.attend {{.*}}queries = 48, keys = 128
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=middle | FileCheck %s --check-prefix=V3-FORWARD-MIDDLE
// V3-FORWARD-MIDDLE: xft.attend {{.*}}queries = 48, keys = 128
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=deep | FileCheck %s --check-prefix=V3-FORWARD-DEEP
// V3-FORWARD-DEEP: xft.attend {{.*}}queries = 48, keys = 64
// RUN: xfc explain %s --mcpu=x86-64-v3 --entry=deep | FileCheck %s --check-prefix=EXPLAIN-FORWARD
// EXPLAIN-FORWARD: keys: blocks of 64, whose keys and values are 128 KiB of the 512 KiB of second-level cache

func.func @deep(%x: tensor<1x1x2048x256xf32>) -> tensor<1x1x2048x256xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x2048x256xf32>, tensor<1x1x2048x256xf32>, tensor<1x1x2048x256xf32>) -> tensor<1x1x2048x256xf32>
  return %o : tensor<1x1x2048x256xf32>
}
func.func @middle(%x: tensor<1x1x2048x128xf32>) -> tensor<1x1x2048x128xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x2048x128xf32>, tensor<1x1x2048x128xf32>, tensor<1x1x2048x128xf32>) -> tensor<1x1x2048x128xf32>
  return %o : tensor<1x1x2048x128xf32>
}
