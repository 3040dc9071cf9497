// A block of keys arrives while the one before is computed with: one barrier for each, behind the wait for its copies.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=aligned | FileCheck %s --check-prefix=STAGES
// STAGES: .visible .entry attend_
// Queries, and the first block.
// STAGES: cp.async.cg.shared.global
// STAGES: bar.red.or.pred
// STAGES: cp.async.cg.shared.global
// STAGES: cp.async.commit_group
// All others.
// STAGES: cp.async.wait_group 0;
// STAGES-NOT: mma.sync
// STAGES: bar.red.or.pred
// STAGES-NOT: mma.sync
// STAGES: cp.async.commit_group
// STAGES-NOT: bar.sync
// STAGES-NOT: cp.async
// STAGES: mma.sync
// Copies of whole and of partial blocks stand apart.
// STAGES: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, 16;
// STAGES: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %{{.*}};
// The simulated GPU sees it where nothing waits for the copies.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=shared --entry=aligned -o %t.so && %python %S/Inputs/drop_waits.py %t.so %t.early.so
// RUN: %gpu xf-run %t.so --target=cuda "--input=arg0=random(1)" "--input=arg1=random(2)" "--input=arg2=random(3)"
// RUN: not %gpu xf-run %t.early.so --target=cuda "--input=arg0=random(1)" "--input=arg1=random(2)" "--input=arg2=random(3)" 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: kernel attend_{{.*}}: error: {{.*}}: uninitialised
func.func @aligned(%q: tensor<1x2x150x64xbf16>, %k: tensor<1x1x150x64xbf16>, %v: tensor<1x1x150x64xbf16>) -> tensor<1x2x150x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<1x1x150x64xbf16>) -> tensor<1x2x150x64xbf16>
  return %o : tensor<1x2x150x64xbf16>
}

// Rows that are not aligned are copied element by element, between the same barriers.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=unaligned | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS-NOT: cp.async.cg
// ELEMENTS: cp.async.wait_group 0;
// ELEMENTS: bar.red.or.pred
// ELEMENTS: st.shared.b16
// ELEMENTS-NOT: bar.sync
// ELEMENTS: mma.sync
// ELEMENTS-NOT: cp.async.cg
func.func @unaligned(%q: tensor<1x1x70x17xbf16>, %k: tensor<1x1x70x17xbf16>, %v: tensor<1x1x70x17xbf16>) -> tensor<1x1x70x17xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x70x17xbf16>, tensor<1x1x70x17xbf16>, tensor<1x1x70x17xbf16>) -> tensor<1x1x70x17xbf16>
  return %o : tensor<1x1x70x17xbf16>
}

// Rows so long that shared memory holds one block: the next one is fetched behind a second barrier.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=long | FileCheck %s --check-prefix=ONE
// ONE: cp.async.commit_group
// ONE: cp.async.wait_group 0;
// ONE-NOT: fma.rn
// ONE: bar.sync 0;
// ONE-NOT: cp.async
// ONE: fma.rn
// ONE: bar.red.or.pred
// ONE: cp.async.cg.shared.global
func.func @long(%q: tensor<1x1x40x784xf32>, %k: tensor<1x1x40x784xf32>, %v: tensor<1x1x40x784xf32>) -> tensor<1x1x40x784xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x40x784xf32>, tensor<1x1x40x784xf32>, tensor<1x1x40x784xf32>) -> tensor<1x1x40x784xf32>
  return %o : tensor<1x1x40x784xf32>
}
