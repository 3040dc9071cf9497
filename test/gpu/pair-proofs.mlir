// What ptxas makes of score regions, masks of predicates and dropout by warpgroups: all in registers, products of a chain follow
// each other, and the code of pairs runs while the products of the block before do.
// REQUIRES: ptxas, nvdisasm
// RUN: sed 's/\$D/64/g' %s > %t.64.mlir
// RUN: sed 's/\$D/128/g' %s > %t.128.mlir
// DEFINE: %{promises} = --arch=sm_90a --no-spills --no-notes --as-expected --back-to-back=32
// DEFINE: %{all} = --kernel='^attend_[a-z]+_[a-z]+_(prefix|full|predicate)'
// DEFINE: %{regions} = --xfc-option=--entry=capped --xfc-option=--entry=slopes --xfc-option=--entry=table --xfc-option=--entry=dropped --ex2-between-waits=66
// DEFINE: %{masks} = --xfc-option=--entry=segments --xfc-option=--entry=random --ex2-between-waits=58
// RUN: %prove %t.64.mlir %{promises} %{regions} %{all}
// RUN: %prove %t.128.mlir %{promises} %{regions} %{all}
// RUN: %prove %t.64.mlir %{promises} %{masks} %{all}
// With a predicate and dropout, the launch that is careful, which most often finds nothing to do, spills what it needs behind
// its loop.
// RUN: %prove %t.128.mlir %{promises} %{masks} --kernel='^attend_(segments_intersection_predicate|random_[a-z]+_predicate(_2)?)$'
// Gradients of score regions: fewer streamed rows than without.
// RUN: %prove %t.128.mlir --arch=sm_90a --no-spills --no-notes --as-expected --kernel='^attend_vjp_[a-z]+_[a-z]+_(full|prefix)' --xfc-option=--vjp=slopes --xfc-option=--vjp=table | FileCheck %s
// CHECK-DAG: attend_vjp_table_dense_full{{.*}}20 HGMMA
// CHECK-DAG: attend_vjp_table_dense_full{{.*}}21 HGMMA
// And of dropout, beside launches that are careful, by warps.
// RUN: %prove %t.64.mlir --arch=sm_90a --no-spills --no-notes --as-expected --kernel='^attend_vjp_dropped_causal_prefix' --xfc-option=--vjp=dropped
// RUN: %prove %t.128.mlir --arch=sm_90a --no-spills --no-notes --as-expected --kernel='^attend_vjp_dropped_causal_prefix(_3)?$' --xfc-option=--vjp=dropped

func.func @capped(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) {
    %cap = arith.constant 30.0 : f32
    %x = arith.divf %s, %cap : f32
    %t = math.tanh %x : f32
    %y = arith.mulf %t, %cap : f32
    xf.yield %y : f32
  } : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @slopes(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>, %m: tensor<4xf32>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %m : tensor<4xf32>) {
    %slope = tensor.extract %t[%h] : tensor<4xf32>
    %d = arith.subi %j, %i : index
    %n = arith.index_cast %d : index to i64
    %x = arith.sitofp %n : i64 to f32
    %bias = arith.mulf %slope, %x : f32
    %y = arith.addf %s, %bias : f32
    xf.yield %y : f32
  } : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @table(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>, %m: tensor<4x1000x1000xbf16>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %m : tensor<4x1000x1000xbf16>) {
    %n = tensor.extract %t[%h, %i, %j] : tensor<4x1000x1000xbf16>
    %x = arith.extf %n : bf16 to f32
    %y = arith.addf %s, %x : f32
    xf.yield %y : f32
  } : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @dropped(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>, %seed: tensor<2xi64>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(1.0e-1, %seed : tensor<2xi64>) : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @segments(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>, %a: tensor<1x1000xi32>, %seed: tensor<2xi64>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %a : tensor<1x1000xi32>, tensor<1x1000xi32>) dropout(1.0e-1, %seed : tensor<2xi64>) : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @documents(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>, %a: tensor<1x1000xi32>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %a : tensor<1x1000xi32>, tensor<1x1000xi32>) : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
func.func @random(%q: tensor<1x4x1000x$Dxbf16>, %k: tensor<1x2x1000x$Dxbf16>, %v: tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = 64, seed = 7>) : (tensor<1x4x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>, tensor<1x2x1000x$Dxbf16>) -> tensor<1x4x1000x$Dxbf16>
  return %o : tensor<1x4x1000x$Dxbf16>
}
