// RUN: xf-opt %s -xf-repeat-exchanges=kept-bytes=128 | FileCheck %s
// RUN: xf-opt %s -xf-repeat-exchanges | FileCheck %s --check-prefix=KEPT

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  // What the forward pass got is not kept; keys that are values too travel once.
  // CHECK-LABEL: func.func @shared
  // KEPT-LABEL: func.func @shared
  func.func @shared(%q: tensor<1x1x2x9xf32>, %k: tensor<1x1x2x9xf32>, %d: tensor<1x1x2x9xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x4x9xf32> {
    // CHECK: %[[FIRST:.*]] = xf.exchange_rows
    // KEPT: %[[FIRST:.*]] = xf.exchange_rows
    %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x9xf32>, tensor<1x1x2x9xf32> to tensor<1x1x4x9xf32>
    // CHECK: xf.attention %{{.*}}, %[[FIRST]], %[[FIRST]]
    // CHECK-NEXT: %[[AGAIN:.*]] = xf.exchange_rows %[[K:.*]] for %{{.*}} plan [1, {{.*}}] over ["sequence"]
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // KEPT-NOT: xf.exchange_rows
    // KEPT: xf.attention_vjp %{{.*}}, %[[FIRST]], %[[FIRST]],
    %o, %lse = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x2xf32>)
    %dq, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    return %dk : tensor<1x1x4x9xf32>
  }

  // Gradients of queries and of keys, each by itself, get one message; another attention's, behind another, one more.
  // CHECK-LABEL: func.func @twice
  func.func @twice(%q: tensor<1x1x2x9xf32>, %k: tensor<1x1x2x9xf32>, %d: tensor<1x1x2x9xf32>, %p: tensor<1x2xi64>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>) {
    // CHECK: %[[FIRST:.*]] = xf.exchange_rows
    // CHECK: xf.attention %{{.*}}, %[[FIRST]], %[[FIRST]]
    // CHECK-NEXT: %[[AGAIN:.*]] = xf.exchange_rows
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // CHECK-NEXT: xf.attention %[[Q:.*]], %{{.*}}, %{{.*}} pattern(#xf.causal)
    // CHECK-NEXT: %[[THIRD:.*]] = xf.exchange_rows
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[THIRD]], %[[THIRD]],
    %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x9xf32>, tensor<1x1x2x9xf32> to tensor<1x1x4x9xf32>
    %o, %lse = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x2xf32>)
    %dq, %dk0, %dv0 = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    %dq1, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %lse, %dq pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    %other, %lse1 = xf.attention %q, %dk, %dv pattern(#xf.causal) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x2xf32>)
    %dq2, %dk2, %dv2 = xf.attention_vjp %q, %all, %all, %o, %lse, %other pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    return %dq, %dk, %dk2 : tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>
  }

  // Values of 128 bytes are kept, keys of more are not. Of sizes of the call there may be any number.
  // CHECK-LABEL: func.func @sizes
  // KEPT-LABEL: func.func @sizes
  func.func @sizes(%q: tensor<1x1x?x9xf32>, %k: tensor<1x1x?x9xf32>, %v: tensor<1x1x4x4xf32>, %w: tensor<1x1x?x4xf32>, %d: tensor<1x1x?x4xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x?x9xf32> {
    // CHECK: %[[VALUES:.*]] = xf.exchange_rows %{{.*}} to tensor<1x1x8x4xf32>
    // KEPT: xf.exchange_rows
    // KEPT: xf.exchange_rows
    %values = xf.exchange_rows %v for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x4x4xf32>, tensor<1x1x?x9xf32> to tensor<1x1x8x4xf32>
    %keys = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x?x9xf32>, tensor<1x1x?x9xf32> to tensor<1x1x?x9xf32>
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
    %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x9xf32>, tensor<1x1x2x9xf32> to tensor<1x1x4x9xf32>
    %dq, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32>)
    return %dk : tensor<1x1x4x9xf32>
  }

  // Of two zigzag chunks, both gradients read one exchange, with a forward pass and without.
  // CHECK-LABEL: func.func @zigzag
  func.func @zigzag(%x: tensor<1x1x4x9xf32>, %k: tensor<1x1x4x9xf32>, %q: tensor<1x1x2x9xf32>, %lse: tensor<1x1x2xf32>, %d: tensor<1x1x2x9xf32>, %p: tensor<1x2xi64>) -> (tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>) {
    // CHECK: %[[FIRST:.*]] = xf.exchange_rows
    // CHECK: xf.attention %{{.*}}, %[[FIRST]], %[[FIRST]]
    // CHECK-NEXT: %[[AGAIN:.*]] = xf.exchange_rows
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[AGAIN]], %[[AGAIN]],
    // CHECK-NEXT: %[[ALONE:.*]] = xf.exchange_rows
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[ALONE]], %[[ALONE]],
    // CHECK-NEXT: xf.attention_vjp %{{.*}}, %[[ALONE]], %[[ALONE]],
    %all = xf.exchange_rows %k for %x plan [2, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32> to tensor<1x1x8x9xf32>
    %o, %m = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x2xf32>)
    %dq, %dk, %dv = xf.attention_vjp %q, %all, %all, %o, %m, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>)
    %eq, %ek, %ev = xf.attention_vjp %q, %all, %all, %o, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>)
    %alone = xf.exchange_rows %x for %x plan [2, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x4x9xf32>, tensor<1x1x4x9xf32> to tensor<1x1x8x9xf32>
    %fq, %fk, %fv = xf.attention_vjp %q, %alone, %alone, %d, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>)
    %gq, %gk, %gv = xf.attention_vjp %q, %alone, %alone, %q, %lse, %d pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x2x9xf32>, tensor<1x1x2xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x1x2x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>)
    return %dk, %ek, %fk, %gk : tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>, tensor<1x1x8x9xf32>
  }
}
