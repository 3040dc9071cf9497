// RUN: xf-opt %s -xf-repeat-exchanges=kept-bytes=128 | FileCheck %s
// RUN: xf-opt %s -xf-repeat-exchanges | FileCheck %s --check-prefix=KEPT

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  // What the forward pass got is not kept; keys that are values too travel once.
  // CHECK-LABEL: func.func @shared
  // KEPT-LABEL: func.func @shared
  func.func @shared(%q: tensor<1x1x2x9xf32>, %k: tensor<1x1x2x9xf32>, %d: tensor<1x1x2x9xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x4x9xf32> {
    // CHECK: %[[FIRST:.*]] = xf.exchange_rows
    // KEPT: %[[FIRST:.*]] = xf.exchange_rows
    %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x9xf32>, tensor<1x1x2x9xf32> to tensor<1x1x4x9xf32>
    // CHECK: xf.attention %{{.*}}, %[[FIRST]], %[[FIRST]]
    // CHECK-NEXT: %[[AGAIN:.*]] = xf.exchange_rows %[[K:.*]] for %{{.*}} plan [1, {{.*}}] over ["sequence"]
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // KEPT-NOT: xf.exchange_rows
    // KEPT: xf.attention_vjp %{{.*}}, %[[FIRST]], %[[FIRST]],
    %o, %lse = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x2xf32>)
    %dq, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    return %dk : tensor<1x1x4x9xf32>
  }

  // Values of 128 bytes are kept, keys of more are not. Of sizes of the call there may be any number.
  // CHECK-LABEL: func.func @sizes
  // KEPT-LABEL: func.func @sizes
  func.func @sizes(%q: tensor<1x1x?x9xf32>, %k: tensor<1x1x?x9xf32>, %v: tensor<1x1x4x4xf32>, %w: tensor<1x1x?x4xf32>, %d: tensor<1x1x?x4xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x?x9xf32> {
    // CHECK: %[[VALUES:.*]] = xf.exchange_rows %{{.*}} to tensor<1x1x8x4xf32>
    // KEPT: xf.exchange_rows
    // KEPT: xf.exchange_rows
    %values = xf.exchange_rows %v for %q plan [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x4x4xf32>, tensor<1x1x?x9xf32> to tensor<1x1x8x4xf32>
    %keys = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x?x9xf32>, tensor<1x1x?x9xf32> to tensor<1x1x?x9xf32>
    // CHECK: xf.attention %
    // CHECK-NEXT: %[[KEYS:.*]] = xf.exchange_rows
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[KEYS]], %[[VALUES]],
    // KEPT: xf.attention %
    // KEPT-NEXT: xf.exchange_rows
    // KEPT-NEXT: xf.attention_vjp
    %o, %lse = xf.attention %q, %keys, %values pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x?x9xf32>, tensor<1x1x?x9xf32>, tensor<1x1x8x4xf32>) -> (tensor<1x1x?x4xf32>, tensor<1x1x?xf32>)
    %dq, %dk, %dv = xf.attention_vjp %q, %keys, %values, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x?x9xf32>, tensor<1x1x?x9xf32>, tensor<1x1x8x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?xf32>, tensor<1x1x?x4xf32>) -> (tensor<1x1x?x9xf32>, tensor<1x1x?x9xf32>, tensor<1x1x8x4xf32>)
    return %dk : tensor<1x1x?x9xf32>
  }

  // A gradient by itself has its keys once.
  // CHECK-LABEL: func.func @alone
  func.func @alone(%q: tensor<1x1x2x9xf32>, %k: tensor<1x1x2x9xf32>, %o: tensor<1x1x2x9xf32>, %lse: tensor<1x1x2xf32>, %d: tensor<1x1x2x9xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x4x9xf32> {
    // CHECK: xf.exchange_rows
    // CHECK-NOT: xf.exchange_rows
    // CHECK: return
    %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x9xf32>, tensor<1x1x2x9xf32> to tensor<1x1x4x9xf32>
    %dq, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    return %dk : tensor<1x1x4x9xf32>
  }
}
