// Why each rank computes all of an attention whose tokens are shared.
// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share=shares-queries=false -o /dev/null 2>&1 | FileCheck %s --check-prefix=TARGET
// PLAN-NOT: :[[#@LINE+8]]:{{.*}} remark
// PLAN: :[[#@LINE+11]]:{{.*}} remark: every rank computes what others do too: no plan has its pairs, and the ranks do not divide its heads
// TARGET: :[[#@LINE+6]]:{{.*}} remark: every rank computes what others do too: the target has no kernels for a part of the queries, and the ranks do not divide its heads

#causal = #xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = affine_map<(i)[Nq, Nk] -> (i)>>]>
!t = tensor<1x1x8x2xf32>
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @solved(%q: !t {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> !t {
    %o = xf.attention %q, %q, %q pattern(#xf.causal) {solution = [#causal]} : (!t, !t, !t) -> !t
    return %o : !t
  }
  func.func @unsolved(%q: !t {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> !t {
    %o = xf.attention %q, %q, %q pattern(#xf.causal) : (!t, !t, !t) -> !t
    return %o : !t
  }
}
