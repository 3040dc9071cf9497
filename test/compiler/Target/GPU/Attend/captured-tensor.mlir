// What a score region reads of a tensor lies in global memory, and so does what stands for the elements of an empty one.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s --implicit-check-not=.local --implicit-check-not=ld.b
// The first row sees one key only, whose element does not exist.
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current xf-run %s --target=cuda --entry=bias "--input=arg0=random(1)" "--input=arg1=random(2)" \
// RUN:   "--input=arg2=random(3)" --input=arg3=2x0xf32=1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: result0 : 1x2x40x16 f32 = nan, nan, nan

// CHECK: .global .align 8 .u64 xf_no_element
// CHECK: .visible .entry attend_
// CHECK: ld.global.b32
func.func @bias(%q: tensor<1x2x40x16xf32>, %k: tensor<1x2x40x16xf32>, %v: tensor<1x2x40x16xf32>, %table: tensor<2x?xf32>) -> tensor<1x2x40x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x?xf32>) {
      %x = tensor.extract %t[%h, %j] : tensor<2x?xf32>
      %y = arith.addf %s, %x : f32
      xf.yield %y : f32
    } : (tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32>
  return %o : tensor<1x2x40x16xf32>
}
