// Slices of keys are the same for any number of threads, and a row's bits for any rows beside it: results are equal to the last bit.
// RUN: rm -rf %t && mkdir %t
// RUN: xf-run %s --entry=one --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --threads=1 --output=o=@%t/o.npy --output=lse=@%t/lse.npy | count 0
// RUN: xf-run %s --entry=one --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --threads=2 --expected-output=o=@%t/o.npy --expected-output=lse=@%t/lse.npy --rtol=0 --atol=0
// RUN: xf-run %s --entry=one --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --threads=5 --expected-output=o=@%t/o.npy --expected-output=lse=@%t/lse.npy --rtol=0 --atol=0
// RUN: xf-run %s --entry=one --input='q=random(1)' --input='k=random(2)' --input='v=random(3)' --output=o=@%t/one.npy --output=lse=@%t/lse.npy | count 0
// RUN: xf-run %s --entry=three --input='q=@%t/one.npy' --input='x=random(5)' --input='k=random(2)' --input='v=random(3)' --output=first=@%t/first.npy --output=rest=@%t/rest.npy | count 0
// RUN: xf-run %s --entry=again --input='q=@%t/one.npy' --input='k=random(2)' --input='v=random(3)' --expected-output=o=@%t/first.npy --rtol=0 --atol=0

func.func @one(%q: tensor<1x1x1x80xf32> {xf.name = "q"}, %k: tensor<1x1x5003x80xf32> {xf.name = "k"}, %v: tensor<1x1x5003x80xf32> {xf.name = "v"}) -> (tensor<1x1x1x80xf32> {xf.name = "o"}, tensor<1x1x1xf32> {xf.name = "lse"}) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x80xf32>, tensor<1x1x5003x80xf32>, tensor<1x1x5003x80xf32>) -> (tensor<1x1x1x80xf32>, tensor<1x1x1xf32>)
  return %o, %lse : tensor<1x1x1x80xf32>, tensor<1x1x1xf32>
}
func.func @again(%q: tensor<1x1x1x80xf32> {xf.name = "q"}, %k: tensor<1x1x5003x80xf32> {xf.name = "k"}, %v: tensor<1x1x5003x80xf32> {xf.name = "v"}) -> (tensor<1x1x1x80xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x80xf32>, tensor<1x1x5003x80xf32>, tensor<1x1x5003x80xf32>) -> tensor<1x1x1x80xf32>
  return %o : tensor<1x1x1x80xf32>
}
// The same row beside six others.
func.func @three(%q: tensor<1x1x1x80xf32> {xf.name = "q"}, %x: tensor<1x1x6x80xf32> {xf.name = "x"}, %k: tensor<1x1x5003x80xf32> {xf.name = "k"}, %v: tensor<1x1x5003x80xf32> {xf.name = "v"}) -> (tensor<1x1x1x80xf32> {xf.name = "first"}, tensor<1x1x6x80xf32> {xf.name = "rest"}) {
  %y = xf.concat %x, %q axis 2 : (tensor<1x1x6x80xf32>, tensor<1x1x1x80xf32>) -> tensor<1x1x7x80xf32>
  %o = xf.attention %y, %k, %v pattern(#xf.dense) : (tensor<1x1x7x80xf32>, tensor<1x1x5003x80xf32>, tensor<1x1x5003x80xf32>) -> tensor<1x1x7x80xf32>
  %first = xf.slice %o offsets [0, 0, 6, 0] strides [1, 1, 1, 1] : tensor<1x1x7x80xf32> to tensor<1x1x1x80xf32>
  %rest = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x7x80xf32> to tensor<1x1x6x80xf32>
  return %first, %rest : tensor<1x1x1x80xf32>, tensor<1x1x6x80xf32>
}
