// Values that are not finite, in kernels that have code of their own for them.
// DEFINE: %{inputs} = --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=arg3=random\(4\)
// RUN: xf-run %s --entry=dense --target=reference %{inputs} --output=result0=@%t.dense.npy
// RUN: env XF_SIM_CAPABILITY=9.0 xf-run %s --entry=dense --target=cuda --gpu-arch=sm_90a %{inputs} --expected-output=result0=@%t.dense.npy --atol=0.01 --rtol=0.01 | count 0
// RUN: xf-run %s --entry=large --target=reference --input=arg0=random\(1\) --output=result0=@%t.large.npy
// RUN: env XF_SIM_CAPABILITY=9.0 xf-run %s --entry=large --target=cuda --gpu-arch=sm_90a --input=arg0=random\(1\) --expected-output=result0=@%t.large.npy --atol=0.01 --rtol=0.01 | count 0
// DEFINE: %{causal} = --target=cuda --gpu-arch=sm_90a --input=arg0=random\(1\) --input=arg1=random\(2\) --input=arg2=random\(3\) --input=arg3=random\(4\)
// RUN: env XF_SIM_CAPABILITY=9.0 xf-run %s --entry=finite %{causal} --output=result0=@%t.finite.npy
// RUN: env XF_SIM_CAPABILITY=9.0 XF_SIM_STATISTICS=1 xf-run %s --entry=hidden %{causal} --expected-output=result0=@%t.finite.npy --atol=0 --rtol=0 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: kernel attend_finite_causal_prefix_2: {{.*}} bytes read, {{[1-9][0-9]*}} bytes written
// HIDDEN-NOT: expected
// RUN: xf-run %s --entry=small_scale --target=reference --input=arg0=random\(1\) --input=arg1=random\(2\) --output=result0=@%t.o.npy --output=result1=@%t.lse.npy
// RUN: env XF_SIM_CAPABILITY=9.0 xf-run %s --entry=small_scale --target=cuda --gpu-arch=sm_90a --input=arg0=random\(1\) --input=arg1=random\(2\) --expected-output=result0=@%t.o.npy --expected-output=result1=@%t.lse.npy --atol=0.01 --rtol=0.01 | count 0
// RUN: xf-run %s --entry=nothing --target=reference --input=arg0=random\(1\) --output=result0=@%t.nothing.npy
// RUN: env XF_SIM_CAPABILITY=8.0 xf-run %s --entry=nothing --target=cuda --gpu-arch=sm_80 --input=arg0=random\(1\) --expected-output=result0=@%t.nothing.npy | count 0
// RUN: %sm_80 %sweep/dropout-all.mlir --vjp N=7 T=f32,bf16 --seed=2

// Attention without bounds has blocks of 176 keys, two boxes each, which the launch that is careful goes through; one column
// becomes infinite.
func.func @dense(%q: tensor<1x1x150x128xbf16>, %k: tensor<1x1x200x128xbf16>, %v: tensor<1x1x199x128xbf16>, %row: tensor<1x1x1x127xbf16>) -> tensor<1x1x150x128xbf16> {
  %one = arith.constant dense<1.0> : tensor<1x1x1x1xbf16>
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1xbf16>
  %infinity = xf.div %one, %zero : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x1xbf16>
  %last = xf.concat %infinity, %row axis 3 : (tensor<1x1x1x1xbf16>, tensor<1x1x1x127xbf16>) -> tensor<1x1x1x128xbf16>
  %values = xf.concat %v, %last axis 2 : (tensor<1x1x199x128xbf16>, tensor<1x1x1x128xbf16>) -> tensor<1x1x200x128xbf16>
  %o = xf.attention %q, %k, %values pattern(#xf.dense) : (tensor<1x1x150x128xbf16>, tensor<1x1x200x128xbf16>, tensor<1x1x200x128xbf16>) -> tensor<1x1x150x128xbf16>
  return %o : tensor<1x1x150x128xbf16>
}
// A later key is e^5 times as probable as those before it, to which probabilities stay relative. Its value, times that, is
// beyond f32: weights of bf16 are at most 1.
func.func @large(%v: tensor<1x1x299x128xbf16>) -> tensor<1x1x150x128xbf16> {
  %q = arith.constant dense<1.0> : tensor<1x1x150x128xbf16>
  %k = arith.constant dense<0.0> : tensor<1x1x299x128xbf16>
  %last_k = arith.constant dense<0.0390625> : tensor<1x1x1x128xbf16>
  %last_v = arith.constant dense<1.0e+37> : tensor<1x1x1x128xbf16>
  %keys = xf.concat %k, %last_k axis 2 : (tensor<1x1x299x128xbf16>, tensor<1x1x1x128xbf16>) -> tensor<1x1x300x128xbf16>
  %values = xf.concat %v, %last_v axis 2 : (tensor<1x1x299x128xbf16>, tensor<1x1x1x128xbf16>) -> tensor<1x1x300x128xbf16>
  %o = xf.attention %q, %keys, %values pattern(#xf.dense) scale 1.0 : (tensor<1x1x150x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> tensor<1x1x150x128xbf16>
  return %o : tensor<1x1x150x128xbf16>
}
// A value that one row sees: the others have the bits that they have without it, though a launch that is careful computes
// them. Their maxima grow from block to block of keys, by less than 2^8.
func.func @finite(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x299x64xbf16>, %row: tensor<1x2x1x64xbf16>) -> tensor<1x2x299x64xbf16> {
  %values = xf.concat %v, %row axis 2 : (tensor<1x2x299x64xbf16>, tensor<1x2x1x64xbf16>) -> tensor<1x2x300x64xbf16>
  %o = xf.attention %q, %k, %values pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  %before = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x300x64xbf16> to tensor<1x2x299x64xbf16>
  return %before : tensor<1x2x299x64xbf16>
}
func.func @hidden(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x299x64xbf16>, %row: tensor<1x2x1x64xbf16>) -> tensor<1x2x299x64xbf16> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1xbf16>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x1xbf16>
  %lost = xf.mul %row, %nan : (tensor<1x2x1x64xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x2x1x64xbf16>
  %values = xf.concat %v, %lost axis 2 : (tensor<1x2x299x64xbf16>, tensor<1x2x1x64xbf16>) -> tensor<1x2x300x64xbf16>
  %o = xf.attention %q, %k, %values pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  %before = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x300x64xbf16> to tensor<1x2x299x64xbf16>
  return %before : tensor<1x2x299x64xbf16>
}
// By such a scale f32 cannot divide: neither sums that a second launch goes on with, nor distances of scores.
func.func @small_scale(%q: tensor<1x1x300x128xbf16>, %k: tensor<1x1x300x128xbf16>) -> (tensor<1x1x300x128xbf16>, tensor<1x1x300xf32>) {
  %o, %lse = xf.attention %q, %k, %k pattern(#xf.strided<stride = 32>) scale 1.0e-39 : (tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> (tensor<1x1x300x128xbf16>, tensor<1x1x300xf32>)
  return %o, %lse : tensor<1x1x300x128xbf16>, tensor<1x1x300xf32>
}
// What is left of a product with NaN are stores: long rows of bf16 that begin at multiples of 16 bytes.
func.func @nothing(%x: tensor<2x1104xbf16>) -> tensor<4x1104xbf16> {
  %zero = arith.constant dense<0.0> : tensor<1x1xbf16>
  %nan = xf.div %zero, %zero : (tensor<1x1xbf16>, tensor<1x1xbf16>) -> tensor<1x1xbf16>
  %lost = xf.mul %x, %nan : (tensor<2x1104xbf16>, tensor<1x1xbf16>) -> tensor<2x1104xbf16>
  %y = xf.concat %x, %lost axis 0 : (tensor<2x1104xbf16>, tensor<2x1104xbf16>) -> tensor<4x1104xbf16>
  return %y : tensor<4x1104xbf16>
}
