// Tasks of a gradient over boxes of a grid own lines, and compute what they share with others as those do: gradients are equal to the last bit
// for any number of threads, whose calls have one strip, some, or all.
// RUN: rm -rf %t && mkdir %t
// RUN: xf-run %s --vjp --entry=box --mcpu=x86-64-v3 --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --input='d_o=random(4)' --threads=1 --output=d_q=@%t/q.npy --output=d_k=@%t/k.npy --output=d_v=@%t/v.npy --output=o=@%t/o.npy | count 0
// RUN: xf-run %s --vjp --entry=box --mcpu=x86-64-v3 --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --input='d_o=random(4)' --threads=2 --expected-output=d_q=@%t/q.npy --expected-output=d_k=@%t/k.npy --expected-output=d_v=@%t/v.npy --expected-output=o=@%t/o.npy --rtol=0 --atol=0
// RUN: xf-run %s --vjp --entry=box --mcpu=x86-64-v3 --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --input='d_o=random(4)' --threads=5 --expected-output=d_q=@%t/q.npy --expected-output=d_k=@%t/k.npy --expected-output=d_v=@%t/v.npy --expected-output=o=@%t/o.npy --rtol=0 --atol=0

func.func @box(%q: tensor<1x4x1240x17xf32> {xf.name = "q"}, %k: tensor<1x2x1240x17xf32> {xf.name = "k"}, %v: tensor<1x2x1240x9xf32> {xf.name = "v"}) -> (tensor<1x4x1240x9xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [62, 20], radius = [3, 2]>) : (tensor<1x4x1240x17xf32>, tensor<1x2x1240x17xf32>, tensor<1x2x1240x9xf32>) -> tensor<1x4x1240x9xf32>
  return %o : tensor<1x4x1240x9xf32>
}
