// RUN: xf-opt %s | xf-opt | FileCheck %s

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4>} {
  // CHECK-LABEL: func.func @sums
  func.func @sums(%x: tensor<8x3xf32>, %s: tensor<f64>) -> (tensor<8x3xf32>, tensor<f64>, tensor<1x3xf32>) {
    // CHECK: xf.all_reduce %{{.*}} over ["data", "sequence"] : tensor<8x3xf32>
    %a = xf.all_reduce %x over ["data", "sequence"] : tensor<8x3xf32>
    // CHECK: xf.all_reduce %{{.*}} over ["data"] : tensor<f64>
    %b = xf.all_reduce %s over ["data"] : tensor<f64>
    // CHECK: xf.reduce_scatter %{{.*}} dim 0 over ["data", "sequence"] : tensor<8x3xf32> to tensor<1x3xf32>
    %c = xf.reduce_scatter %x dim 0 over ["data", "sequence"] : tensor<8x3xf32> to tensor<1x3xf32>
    return %a, %b, %c : tensor<8x3xf32>, tensor<f64>, tensor<1x3xf32>
  }

  // CHECK-LABEL: func.func @scans
  func.func @scans(%x: tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>) {
    // CHECK: xf.scan_states %{{.*}} over ["sequence"] : tensor<2x?xf64>
    %a = xf.scan_states %x over ["sequence"] : tensor<2x?xf64>
    // CHECK: xf.scan_states reverse %{{.*}} over ["data", "sequence"] : tensor<2x?xf64>
    %b = xf.scan_states reverse %x over ["data", "sequence"] : tensor<2x?xf64>
    return %a, %b : tensor<2x?xf64>, tensor<2x?xf64>
  }

  // Dynamic sizes are those of a rank.
  // CHECK-LABEL: func.func @parts
  func.func @parts(%x: tensor<?x6xi32>) -> (tensor<?x6xi32>, tensor<?x6xi32>, tensor<?x24xi32>) {
    // CHECK: xf.all_gather %{{.*}} dim 0 over ["sequence"] : tensor<?x6xi32> to tensor<?x6xi32>
    %a = xf.all_gather %x dim 0 over ["sequence"] : tensor<?x6xi32> to tensor<?x6xi32>
    // CHECK: xf.all_slice %{{.*}} dim 0 over ["data"] : tensor<?x6xi32> to tensor<?x6xi32>
    %b = xf.all_slice %x dim 0 over ["data"] : tensor<?x6xi32> to tensor<?x6xi32>
    // CHECK: xf.all_to_all %{{.*}} split 0 join 1 over ["sequence"] : tensor<?x6xi32> to tensor<?x24xi32>
    %c = xf.all_to_all %x split 0 join 1 over ["sequence"] : tensor<?x6xi32> to tensor<?x24xi32>
    return %a, %b, %c : tensor<?x6xi32>, tensor<?x6xi32>, tensor<?x24xi32>
  }
}

// Keys that queries see, and what is computed for them.
module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // CHECK-LABEL: func.func @keys
  func.func @keys(%k: tensor<1x2x?x8xf64>, %q: tensor<1x4x5x8xf64>, %ids: tensor<1x10xi32>, %others: tensor<1x?xi32>) -> tensor<1x2x?x8xf64> {
    // CHECK: %[[K:.*]] = xf.exchange_rows %{{.*}} for %{{.*}} plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    %a = xf.exchange_rows %k for %q plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    // CHECK: xf.return_reduce %[[K]] for %{{.*}} plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    %b = xf.return_reduce %a for %q plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    // CHECK: xf.exchange_rows %{{.*}} for %{{.*}} segments(%[[IDS:.*]], %[[OTHERS:.*]] : tensor<1x10xi32>, tensor<1x?xi32>) plan [1, 0, 0] over ["data"]
    %c = xf.exchange_rows %k for %q segments(%ids, %others : tensor<1x10xi32>, tensor<1x?xi32>) plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    // CHECK: xf.return_reduce %{{.*}} for %{{.*}} segments(%[[IDS]], %[[OTHERS]] : tensor<1x10xi32>, tensor<1x?xi32>) plan [1, 0, 0] over ["data"]
    %e = xf.return_reduce %c for %q segments(%ids, %others : tensor<1x10xi32>, tensor<1x?xi32>) plan [1, 0, 0] over ["data"] : tensor<1x2x?x8xf64>, tensor<1x4x5x8xf64> to tensor<1x2x?x8xf64>
    return %b : tensor<1x2x?x8xf64>
  }
}

// Of as many ranks as a job has, sizes are not known.
module attributes {xf.mesh = #xf.mesh<"data" = 0>} {
  // CHECK-LABEL: func.func @open
  func.func @open(%x: tensor<8x3xf32>) -> tensor<?x3xf32> {
    %y = xf.all_gather %x dim 0 over ["data"] : tensor<8x3xf32> to tensor<?x3xf32>
    return %y : tensor<?x3xf32>
  }
}
