// On CPUs a kernel reads k and v as they lie where rows are few; its slices of keys do not depend on threads.
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=decode | FileCheck %s --check-prefix=DECODE --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=long | FileCheck %s --check-prefix=LONG --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=any | FileCheck %s --check-prefix=ANY --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=gradient | FileCheck %s --check-prefix=KEPT
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=many | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_decode
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=short | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_decode
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=most | FileCheck %s --check-prefix=MOST --implicit-check-not=gather_panels
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=narrow | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_decode
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=scored | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_decode
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=columns | FileCheck %s --check-prefix=OTHERS --implicit-check-not=attend_decode
// RUN: xfc %s --mcpu=x86-64-v3 --stop-after=tile --entry=per_head | FileCheck %s --check-prefix=TILES --implicit-check-not=attend_decode

// Four heads that share keys are four rows; 300 keys are one slice.
// DECODE: xft.launch @attend_decode_decode_causal_prefix tiles(%c6)
// DECODE-NOT: xft.launch
// DECODE: xft.attend_decode {{.*}} lse(%{{.*}} tile <sums = 8, lanes = 8, keys = 64, slice = 1024> : memref<?x?x4x64xbf16, {{.*}}>, memref<?x?x?x64xbf16,
func.func @decode(%q: tensor<3x8x1x64xbf16>, %k: tensor<3x2x300x64xbf16>, %v: tensor<3x2x300x64xbf16>) -> (tensor<3x8x1x64xbf16>, tensor<3x8x1xf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<3x8x1x64xbf16>, tensor<3x2x300x64xbf16>, tensor<3x2x300x64xbf16>) -> (tensor<3x8x1x64xbf16>, tensor<3x8x1xf32>)
  return %o, %lse : tensor<3x8x1x64xbf16>, tensor<3x8x1xf32>
}
// Two heads in five slices; then their six rows.
// LONG: xft.launch @attend_decode_long_causal_prefix tiles(%c10)
// LONG: xft.launch @merge_slices_long_causal tiles(%c6)
// LONG-NOT: xft.launch
// LONG: xft.attend_decode {{.*}} sums({{.*}} accumulator({{.*}} lengths({{.*}} save
// LONG: xft.merge_slices to {{.*}} sums({{.*}} accumulator(
func.func @long(%q: tensor<1x2x3x64xf32>, %k: tensor<1x2x5000x64xf32>, %v: tensor<1x2x5000x64xf32>, %n: tensor<1xi64>) -> tensor<1x2x3x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) lengths(%n : tensor<1xi64>) : (tensor<1x2x3x64xf32>, tensor<1x2x5000x64xf32>, tensor<1x2x5000x64xf32>) -> tensor<1x2x3x64xf32>
  return %o : tensor<1x2x3x64xf32>
}
// As many slices as a call has keys for.
// ANY: xft.launch @attend_decode_
// ANY: xft.launch @merge_slices
func.func @any(%q: tensor<1x2x3x64xf32>, %k: tensor<1x2x?x64xf32>, %v: tensor<1x2x?x64xf32>) -> tensor<1x2x3x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 100>) : (tensor<1x2x3x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>) -> tensor<1x2x3x64xf32>
  return %o : tensor<1x2x3x64xf32>
}
// A gradient reads what the last launch keeps.
// KEPT: xft.attend_decode {{.*}} save
// KEPT: xft.merge_slices to {{.*}} kept(%{{.*}}, %{{.*}}, %{{.*}} :
func.func @gradient(%q: tensor<1x1x2x64xbf16>, %k: tensor<1x1x2000x64xbf16>, %d: tensor<1x1x2x64xbf16>) -> tensor<1x1x2x64xbf16> {
  %o, %lse = xf.attention %q, %k, %k pattern(#xf.dense) : (tensor<1x1x2x64xbf16>, tensor<1x1x2000x64xbf16>, tensor<1x1x2000x64xbf16>) -> (tensor<1x1x2x64xbf16>, tensor<1x1x2xf32>)
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %k, %o, %lse, %d pattern(#xf.dense) : (tensor<1x1x2x64xbf16>, tensor<1x1x2000x64xbf16>, tensor<1x1x2000x64xbf16>, tensor<1x1x2x64xbf16>, tensor<1x1x2xf32>, tensor<1x1x2x64xbf16>) -> (tensor<1x1x2x64xbf16>, tensor<1x1x2000x64xbf16>, tensor<1x1x2000x64xbf16>)
  return %dq : tensor<1x1x2x64xbf16>
}
// MOST: xft.attend_decode
func.func @most(%q: tensor<1x8x8x64xf32>, %k: tensor<1x1x512x64xf32>, %v: tensor<1x1x512x64xf32>) -> tensor<1x8x8x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x8x64xf32>, tensor<1x1x512x64xf32>, tensor<1x1x512x64xf32>) -> tensor<1x8x8x64xf32>
  return %o : tensor<1x8x8x64xf32>
}
// More rows, more than eight rows with few keys, rows shorter than a register, a score region, and solutions of their own
// for heads take register tiles.
// TILES: xft.launch @attend_
func.func @many(%q: tensor<1x1x65x64xf32>, %k: tensor<1x1x1000x64xf32>, %v: tensor<1x1x1000x64xf32>) -> tensor<1x1x65x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x65x64xf32>, tensor<1x1x1000x64xf32>, tensor<1x1x1000x64xf32>) -> tensor<1x1x65x64xf32>
  return %o : tensor<1x1x65x64xf32>
}
func.func @short(%q: tensor<1x1x9x64xf32>, %k: tensor<1x1x71x64xf32>, %v: tensor<1x1x71x64xf32>) -> tensor<1x1x9x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x9x64xf32>, tensor<1x1x71x64xf32>, tensor<1x1x71x64xf32>) -> tensor<1x1x9x64xf32>
  return %o : tensor<1x1x9x64xf32>
}
func.func @narrow(%q: tensor<1x1x1x7xf32>, %k: tensor<1x1x300x7xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x1x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x1x7xf32>, tensor<1x1x300x7xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x1x64xf32>
  return %o : tensor<1x1x1x64xf32>
}
func.func @scored(%q: tensor<1x1x1x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x1x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) {
    %x = arith.addf %s, %s : f32
    xf.yield %x : f32
  } : (tensor<1x1x1x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x1x64xf32>
  return %o : tensor<1x1x1x64xf32>
}
// OTHERS: xft.launch @attend_
func.func @columns(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x8x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8, part = column>) : (tensor<1x1x8x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x8x64xf32>
  return %o : tensor<1x1x8x64xf32>
}
func.func @per_head(%q: tensor<1x2x1x64xf32>, %k: tensor<1x2x300x64xf32>, %v: tensor<1x2x300x64xf32>) -> tensor<1x2x1x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.causal, #xf.window<left = 9>]>) : (tensor<1x2x1x64xf32>, tensor<1x2x300x64xf32>, tensor<1x2x300x64xf32>) -> tensor<1x2x1x64xf32>
  return %o : tensor<1x2x1x64xf32>
}
