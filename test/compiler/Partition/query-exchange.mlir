// RUN: xf-opt %s -split-input-file -xf-solve-patterns -xf-propagate-shardings -xf-take-share 2>/dev/null | FileCheck %s

// Queries 0 and 1 of rank 0 see all keys, and travel: row 0 of what it gives has place 0 among 2 rows of each of 4 ranks.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: (%[[Q:[a-z0-9]+]]: tensor<1x1x16x8xf32> {{[^%]*}}%[[K:[a-z0-9]+]]: tensor<1x1x16x8xf32> {{[^%]*}}%[[V:[a-z0-9]+]]: tensor<1x1x16x8xf32>
  func.func @forward(%q: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                     %k: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                     %v: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x64x8xf32> {
    // CHECK: %[[KEYS:.*]] = xf.exchange_rows %[[K]] for %[[Q]]
    // CHECK: %[[VALUES:.*]] = xf.exchange_rows %[[V]] for %[[Q]]
    // CHECK: %[[OWN:.*]] = xf.slice %[[Q]] offsets [0, 0, 0, 0] {{.*}} to tensor<1x1x2x8xf32>
    // CHECK: %[[ALL:.*]] = xf.exchange_rows %[[OWN]] for %[[OWN]] plan [1, 0, 1, 0, 8, 0, 2] over ["sequence"]
    // CHECK: %[[TRAVELLING:.*]] = xf.slice %[[ALL]] offsets [0, 0, 0, 0] {{.*}} to tensor<1x1x2x8xf32>
    // CHECK: %[[O:.*]]:2 = xf.attention %[[TRAVELLING]], %[[K]], %[[V]] pattern(#xf.dense)
    // CHECK: xf.all_gather %[[O]]#1 dim 2 over ["sequence"] : tensor<1x1x2xf64> to tensor<1x1x8xf64>
    // CHECK: %[[SUMMAND:.*]] = xf.mul %[[O]]#0
    // CHECK: %[[SUMMANDS:.*]] = xf.concat %[[SUMMAND]], %[[SUMMAND]], %[[SUMMAND]], %[[SUMMAND]] axis 2
    // CHECK: %[[SUM:.*]] = xf.return_reduce %[[SUMMANDS]] for %[[SUMMAND]] plan [1, 0, 1, 0, 8, 0, 2] over ["sequence"]
    // CHECK: %[[REST:.*]] = xf.attention %[[Q]], %[[KEYS]], %[[VALUES]] pattern(#xf.difference<[#xf.union<{{.*}}>, #xf.queries<[-2147483648 : 2]>]>) part
    // CHECK: %[[OLD:.*]] = xf.slice %[[REST]] offsets [0, 0, 0, 0] {{.*}} to tensor<1x1x2x8xf32>
    // CHECK: %[[IS_OWNER:.*]] = xf.all_slice %{{.*}} dim 0 over ["sequence"] : tensor<4xi64> to tensor<1xi64>
    // CHECK: xf.map (%{{.*}} = %[[IS_OWNER]] : tensor<1xi64>, %{{.*}} = %[[SUM]] : {{.*}}, %{{.*}} = %[[OLD]] : {{.*}})
    // CHECK: xf.concat
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>) : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) -> tensor<1x1x64x8xf32>
    return %o : tensor<1x1x64x8xf32>
  }

  // The gradient gives o and d_o as well; log-sum-exp is on all ranks, in f64. Of the other queries it takes what their
  // own attention has.
  // CHECK-LABEL: func.func @gradient
  // CHECK-SAME: (%[[Q:[a-z0-9]+]]: tensor<1x1x16x8xf32> {{[^%]*}}%[[K:[a-z0-9]+]]: tensor<1x1x16x8xf32> {{[^%]*}}%[[V:[a-z0-9]+]]: tensor<1x1x16x8xf32>
  func.func @gradient(%q: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                      %k: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                      %v: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                      %d: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) {
    // CHECK: %[[KEYS:.*]] = xf.exchange_rows %[[K]]
    // CHECK: %[[VALUES:.*]] = xf.exchange_rows %[[V]]
    // CHECK: %[[ALL:.*]] = xf.exchange_rows
    // CHECK: %[[TRAVELLING:.*]] = xf.slice %[[ALL]]
    // CHECK: %[[LSE:.*]] = xf.map {{.*}} -> tensor<1x1x2xf64>
    // CHECK: %[[REST:.*]]:2 = xf.attention %[[Q]], %[[KEYS]], %[[VALUES]] pattern(#xf.difference
    // CHECK-COUNT-2: xf.exchange_rows
    // CHECK-NOT: xf.exchange_rows
    // CHECK: %[[THEIRS:.*]]:3 = xf.attention_vjp %[[TRAVELLING]], %[[K]], %[[V]], %{{.*}}, %[[LSE]], %{{.*}} pattern(#xf.dense)
    // CHECK: xf.return_reduce
    // CHECK-NOT: xf.exchange_rows
    // CHECK: xf.attention_vjp %[[Q]], %[[KEYS]], %[[VALUES]], %[[REST]]#0, %[[REST]]#1, {{.*}} pattern(#xf.difference
    // CHECK: %[[RETURNED_K:.*]] = xf.return_reduce
    // CHECK: xf.add %[[RETURNED_K]], %[[THEIRS]]#1
    // CHECK: %[[RETURNED_V:.*]] = xf.return_reduce
    // CHECK: xf.add %[[RETURNED_V]], %[[THEIRS]]#2
    %o, %lse = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>) : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) -> (tensor<1x1x64x8xf32>, tensor<1x1x64xf32>)
    %d_q, %d_k, %d_v = xf.attention_vjp %q, %k, %v, %o, %lse, %d pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>)
      : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64xf32>, tensor<1x1x64x8xf32>)
      -> (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>)
    return %d_q, %d_k, %d_v : tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>
  }
}

// -----

// Queries of two ranks: 17 is the second of what rank 1 gives, at place 3 of 2 rows of each.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  // CHECK-LABEL: func.func @two_owners
  // CHECK: xf.slice %{{.*}} offsets [0, 0, 0, 0] {{.*}} to tensor<1x1x1x8xf32>
  // CHECK: xf.slice %{{.*}} offsets [0, 0, 1, 0] {{.*}} to tensor<1x1x1x8xf32>
  // CHECK: xf.exchange_rows %{{.*}} for %{{.*}} plan [1, 0, 2, 0, 8, 0, 1, 0, 8, 3, 4]
  func.func @two_owners(%q: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                        %k: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                        %v: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x64x8xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 17]>]>) : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) -> tensor<1x1x64x8xf32>
    return %o : tensor<1x1x64x8xf32>
  }

  // Queries that see many keys, but not all, stay; so do those of which keys are fewer bytes.
  // CHECK-LABEL: func.func @stay
  // CHECK-NOT: pattern(#xf.difference
  func.func @stay(%q: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                  %k: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>},
                  %v: tensor<1x1x64x8xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) {
    %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.intersection<[#xf.queries<[0 : 2]>, #xf.keys<[20 : 64]>]>]>) : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) -> tensor<1x1x64x8xf32>
    %p = xf.attention %q, %k, %v pattern(#xf.union<[#xf.causal, #xf.queries<[0 : 32]>]>) : (tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>) -> tensor<1x1x64x8xf32>
    return %o, %p : tensor<1x1x64x8xf32>, tensor<1x1x64x8xf32>
  }
}
