// RUN: xfc %s --stop-after=partition | FileCheck %s
// RUN: xf-opt %s --xf-solve-patterns --xf-propagate-shardings --xf-take-share | FileCheck %s --check-prefix=TAKEN

// The numbers of all tokens are gathered once, and keys and values are exchanged by them. A rank that has all numbers
// gives its part.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  // CHECK-LABEL: func.func @documents
  // CHECK-SAME: %[[IDS:[a-z0-9]*]]: tensor<1x4xi32>
  func.func @documents(%q: tensor<1x2x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x2x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x2x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x8xi32> {xf.sharding = #xf.sharding<[{}, {"sequence"}]>}) -> tensor<1x2x8x4xf32> {
    // CHECK: %[[ALL:.*]] = xf.all_gather %[[IDS]] dim 1 over ["sequence"] : tensor<1x4xi32> to tensor<1x8xi32>
    // CHECK-NOT: xf.all_gather
    // CHECK: %[[K:.*]] = xf.exchange_rows %{{.*}} for %{{.*}} segments(%[[ALL]], %[[ALL]] : tensor<1x8xi32>, tensor<1x8xi32>) plan [1, 1,
    // CHECK: %[[V:.*]] = xf.exchange_rows %{{.*}} for %{{.*}} segments(%[[ALL]], %[[ALL]] : tensor<1x8xi32>, tensor<1x8xi32>) plan [1, 1,
    // CHECK: xf.attention %{{.*}}, %[[K]], %[[V]] pattern({{.*}}) segments(%[[ALL]], %[[ALL]] : tensor<1x8xi32>, tensor<1x8xi32>) part(
    %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x8xi32>, tensor<1x8xi32>) : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
    return %o : tensor<1x2x8x4xf32>
  }

  // TAKEN-LABEL: func.func @replicated
  func.func @replicated(%q: tensor<1x3x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x8xi64>) -> tensor<1x3x8x4xf32> {
    // TAKEN: %[[PART:.*]] = xf.all_slice %{{.*}} dim 1 over ["sequence"] : tensor<1x8xi64> to tensor<1x4xi64>
    // TAKEN: xf.all_gather %[[PART]] dim 1
    %o = xf.attention %q, %q, %q pattern(#xf.segments) segments(%ids, %ids : tensor<1x8xi64>, tensor<1x8xi64>) : (tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>) -> tensor<1x3x8x4xf32>
    return %o : tensor<1x3x8x4xf32>
  }

  // Pairs that need no document have no plan.
  // TAKEN-LABEL: func.func @either
  // TAKEN-NOT: xf.exchange_rows
  func.func @either(%q: tensor<1x3x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x8xi32>) -> tensor<1x3x8x4xf32> {
    %o = xf.attention %q, %q, %q pattern(#xf.union<[#xf.window<left = 2, right = 0>, #xf.segments]>) segments(%ids, %ids : tensor<1x8xi32>, tensor<1x8xi32>) : (tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>) -> tensor<1x3x8x4xf32>
    return %o : tensor<1x3x8x4xf32>
  }

  // Nor have documents that see others.
  // TAKEN-LABEL: func.func @related
  // TAKEN-NOT: xf.exchange_rows
  func.func @related(%q: tensor<1x3x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %ids: tensor<1x8xi32>) -> tensor<1x3x8x4xf32> {
    %o = xf.attention %q, %q, %q pattern(#xf.segments<relation = [[1, 0], [1, 1]]>) segments(%ids, %ids : tensor<1x8xi32>, tensor<1x8xi32>) : (tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>, tensor<1x3x8x4xf32>) -> tensor<1x3x8x4xf32>
    return %o : tensor<1x3x8x4xf32>
  }
}
