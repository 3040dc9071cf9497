// RUN: xfc %s --stop-after=target --mcpu=x86-64-v4 -o - 2>/dev/null | FileCheck %s

// Eight rows multiply for about as long as they wait for memory. A run of several blocks of keys has a loop for its products,
// which prefetch keys ahead, then one for its weights, then one for its values.
// CHECK-LABEL: llvm.func {{.*}}@attend_decode_
// CHECK-DAG: %[[KEYS:[0-9]+]] = llvm.mlir.constant(1024 : i64)
// CHECK: llvm.add %[[FIRST:[0-9]+]], %[[KEYS]] overflow<nsw>
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%[[FIRST]] : i64)
// CHECK: ^[[LOOP]](%[[BLOCK:[0-9]+]]: i64):
// CHECK-NEXT: llvm.icmp "slt" %[[BLOCK]], %[[END:[0-9]+]]
// CHECK: llvm.intr.prefetch
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%[[FIRST]] : i64)
// CHECK: ^[[LOOP]](%[[BLOCK:[0-9]+]]: i64):
// CHECK-NEXT: llvm.icmp "slt" %[[BLOCK]], %[[END]]
// CHECK-NOT: llvm.intr.prefetch
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%[[FIRST]] : i64)
// CHECK: ^[[LOOP]](%[[BLOCK:[0-9]+]]: i64):
// CHECK-NEXT: llvm.icmp "slt" %[[BLOCK]], %[[END]]

// o is two register tiles of half the columns. While a tile reads four keys, it prefetches two whole rows of values, and
// goes on with the next two.
// CHECK: ^[[GROUPS:bb[0-9]+]]({{.*}}, %[[AHEAD:[0-9]+]]: !llvm.ptr):
// CHECK: llvm.intr.prefetch"(%[[AHEAD]])
// CHECK-NEXT: %[[LINE:.*]] = llvm.getelementptr inbounds %[[AHEAD]][16]
// CHECK-NEXT: llvm.intr.prefetch"(%[[LINE]])
// CHECK-NEXT: llvm.fence syncscope("singlethread") acq_rel
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.getelementptr inbounds %[[AHEAD]][32]
// CHECK-NEXT: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds %[[AHEAD]][%{{.*}}]
// CHECK-NEXT: llvm.intr.prefetch"(%[[ROW]])
// CHECK-COUNT-32: llvm.intr.fmuladd
// CHECK: %[[NEXT:.*]] = llvm.getelementptr inbounds %[[AHEAD]][%{{.*}}]
// CHECK-NEXT: llvm.add
// CHECK-NEXT: llvm.br ^[[GROUPS]]({{.*}}, %[[NEXT]] :
// CHECK-NOT: llvm.intr.prefetch
func.func @attend(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x900x64xf32>, %v: tensor<1x1x900x64xf32>) -> tensor<1x1x8x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x8x64xf32>, tensor<1x1x900x64xf32>, tensor<1x1x900x64xf32>) -> tensor<1x1x8x64xf32>
  return %o : tensor<1x1x8x64xf32>
}
