// A row's bits do not depend on the block that it is computed in: with static sizes blocks are large, with dynamic ones
// small. 500 rows end within a block of either.
// RUN: xf-run %s --entry=large --input=q=random\(1\) --input=k=random\(2\) --input=v=random\(3\) --output=o=@%t.large.npy
// RUN: xf-run %s --entry=small --input=q=1x8x500x128xf32=random\(1\) --input=k=1x1x8200x128xf32=random\(2\) --input=v=1x1x8200x128xf32=random\(3\) --output=o=@%t.small.npy
// RUN: cmp %t.large.npy %t.small.npy

// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=large | FileCheck %s --check-prefix=LARGE
// LARGE: xft.attend {{.*}}queries = 96,
// RUN: xfc %s --mcpu=x86-64-v4 --stop-after=tile --entry=small | FileCheck %s --check-prefix=SMALL
// SMALL: xft.attend {{.*}}queries = 48,

func.func @large(%q: tensor<1x8x500x128xf32> {xf.name = "q"}, %k: tensor<1x1x8200x128xf32> {xf.name = "k"}, %v: tensor<1x1x8200x128xf32> {xf.name = "v"}) -> (tensor<1x8x500x128xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x500x128xf32>, tensor<1x1x8200x128xf32>, tensor<1x1x8200x128xf32>) -> tensor<1x8x500x128xf32>
  return %o : tensor<1x8x500x128xf32>
}
func.func @small(%q: tensor<1x8x?x128xf32> {xf.name = "q"}, %k: tensor<1x1x?x128xf32> {xf.name = "k"}, %v: tensor<1x1x?x128xf32> {xf.name = "v"}) -> (tensor<1x8x?x128xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x?x128xf32>, tensor<1x1x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<1x8x?x128xf32>
  return %o : tensor<1x8x?x128xf32>
}
