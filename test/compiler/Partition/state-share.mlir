// Kernelised attention on a part of the tokens: what ranks send each other are sums over keys.
//
// RUN: xf-opt %s --xf-solve-patterns --xf-propagate-shardings --xf-take-share -split-input-file -verify-diagnostics | FileCheck %s
// RUN: xf-opt %s --xf-solve-patterns --xf-propagate-shardings --xf-take-share=shares-queries=false -split-input-file -verify-diagnostics | FileCheck %s

// Those of the ranks before, and the rank's own tokens by a causal attention of their features.
// CHECK-LABEL: func.func @causal
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x6x4xbf16> {{{.*}}}, %[[K:.*]]: tensor<1x1x6x4xbf16>
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x2x12x4xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x12x4xbf16> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x2x12x4xbf16> {
    // CHECK: %[[WIDEQ:.*]] = xf.cast %[[Q]]
    // CHECK: %[[WIDEK:.*]] = xf.cast %[[K]]
    // CHECK: %[[FK:.*]] = xf.map ({{.*}} = %[[WIDEK]] : tensor<1x1x6x4xf32>)
    // CHECK: %[[V:.*]] = xf.concat %{{.*}} axis 3 : (tensor<1x1x6x4xf32>, tensor<1x1x6x1xf32>) -> tensor<1x1x6x5xf32>
    // CHECK: %[[S:.*]] = xf.product %[[FK]] transposed, %[[V]] epilogue
    // CHECK: } : (tensor<1x1x6x4xf32>, tensor<1x1x6x5xf32>) -> (tensor<1x1x4x5xf32>)
    // CHECK: %[[BEFORE:.*]] = xf.scan_states %[[S]] over ["sequence"] : tensor<1x1x4x5xf32>
    // CHECK: %[[FQ:.*]] = xf.map ({{.*}} = %[[WIDEQ]] : tensor<1x2x6x4xf32>)
    // CHECK: %[[OWN:.*]] = xf.attention %[[FQ]], %[[FK]], %[[V]] pattern(#xf.kernelized<feature = identity, {{.*}}normalizer = none, {{.*}}of = #xf.causal>)
    // CHECK-SAME: family = "kernelized", kernel_sum = #xf.kernel_sum<feature = identity, stabilizer = none, normalizer = none, causal = true
    // CHECK: %[[ROW:.*]] = xf.reshape %[[BEFORE]]
    // CHECK: %[[GROUP:.*]] = xf.broadcast %[[ROW]] : tensor<1x1x1x4x5xf32> to tensor<1x1x2x4x5xf32>
    // CHECK: %[[SEEN:.*]] = xf.reshape %[[GROUP]]
    // CHECK: %[[SUMS:.*]] = xf.product %[[FQ]], %[[SEEN]] epilogue(%[[P:.*]] : f32, %[[E:.*]] = %[[OWN]] : tensor<1x2x6x5xf32>) {
    // CHECK-NEXT: arith.addf %[[E]], %[[P]]
    // CHECK: } : (tensor<1x2x6x4xf32>, tensor<1x2x4x5xf32>) -> (tensor<1x2x6x5xf32>)
    // CHECK: %[[N:.*]] = xf.slice %[[SUMS]] offsets [0, 0, 0, 0]
    // CHECK: %[[Z:.*]] = xf.slice %[[SUMS]] offsets [0, 0, 0, 4]
    // CHECK: %[[O:.*]] = xf.map (%{{.*}} = %[[N]] : tensor<1x2x6x4xf32>, %{{.*}} = %[[Z]] : tensor<1x2x6x1xf32>)
    // CHECK: xf.cast %[[O]] : tensor<1x2x6x4xf32> to tensor<1x2x6x4xbf16>
    %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x12x4xbf16>, tensor<1x1x12x4xbf16>, tensor<1x1x12x4xbf16>) -> tensor<1x2x12x4xbf16>
    return %o : tensor<1x2x12x4xbf16>
  }
}

// -----

// Of the gradient, those of the ranks behind; the gradient of weights is the sum of all.
// CHECK-LABEL: func.func @gradient
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @gradient(%q: tensor<1x2x12x4xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x12x4xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %w: tensor<3x4xf64>, %o: tensor<1x2x12x4xf64> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> (tensor<1x1x12x4xf64>, tensor<3x4xf64>) {
    // CHECK: %[[S:.*]] = xf.product %[[FK:.*]] transposed, %[[V:.*]] epilogue
    // CHECK: } : (tensor<1x1x6x3xf64>, tensor<1x1x6x5xf64>) -> (tensor<1x1x3x5xf64>)
    // CHECK: xf.scan_states %[[S]] over ["sequence"]
    // CHECK: %[[D:.*]] = xf.concat {{.*}} -> tensor<1x2x6x5xf64>
    // CHECK: %[[PERHEAD:.*]] = xf.product %[[FQ:.*]] transposed, %[[D]] epilogue
    // CHECK: } : (tensor<1x2x6x3xf64>, tensor<1x2x6x5xf64>) -> (tensor<1x2x3x5xf64>)
    // CHECK: %[[GROUPS:.*]] = xf.reshape %[[PERHEAD]] : tensor<1x2x3x5xf64> to tensor<1x1x2x3x5xf64>
    // CHECK: %[[R:.*]] = xf.reduce sum %[[GROUPS]] axes [2]
    // CHECK: %[[BEHIND:.*]] = xf.scan_states reverse %[[R]] over ["sequence"] : tensor<1x1x3x5xf64>
    // CHECK: %[[OWN:.*]]:3 = xf.attention_vjp %[[FQ]], %[[FK]], %[[V]], %{{.*}}, %[[D]]
    // CHECK: xf.product %[[V]], %[[BEHIND]] transposed epilogue({{.*}} : f64, {{.*}} = %[[OWN]]#1 : tensor<1x1x6x3xf64>)
    // CHECK: xf.all_reduce %{{.*}} over ["sequence"] : tensor<3x4xf64>
    %dq, %dk, %dv, %dw = xf.attention_vjp %q, %k, %k, %o, %o pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<3x4xf64>) : (tensor<1x2x12x4xf64>, tensor<1x1x12x4xf64>, tensor<1x1x12x4xf64>, tensor<1x2x12x4xf64>, tensor<1x2x12x4xf64>) -> (tensor<1x2x12x4xf64>, tensor<1x1x12x4xf64>, tensor<1x1x12x4xf64>) params(tensor<3x4xf64>)
    return %dk, %dw : tensor<1x1x12x4xf64>, tensor<3x4xf64>
  }
}

// -----

// Where queries see all tokens, the sum of all ranks.
// CHECK-LABEL: func.func @dense
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x1x12x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x8x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x12x4xf32> {
    // CHECK: %[[ALL:.*]] = xf.all_reduce %{{.*}} over ["sequence"] : tensor<1x1x4x4xf32>
    // CHECK-NOT: xf.attention
    // CHECK: %[[O:.*]] = xf.product %{{.*}}, %[[ALL]] epilogue
    // CHECK: } : (tensor<1x1x6x4xf32>, tensor<1x1x4x4xf32>) -> (tensor<1x1x6x4xf32>)
    // CHECK: return %[[O]]
    %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = identity, normalizer = none>) : (tensor<1x1x12x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x12x4xf32>
    return %o : tensor<1x1x12x4xf32>
  }
}

// -----

// Of zigzag chunks, too; the state of what is before a chunk is not that of ranks.
// CHECK-LABEL: func.func @zigzag
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @zigzag(%q: tensor<1x2x12x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence" zigzag 2}, {}]>}) -> (tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>) {
    // CHECK: xf.all_reduce %{{.*}} over ["sequence"] : tensor<1x2x4x5xf32>
    %a = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>) -> tensor<1x2x12x4xf32>
    // CHECK: xf.all_gather
    // CHECK-NOT: xf.scan_states
    // expected-remark@+1 {{every rank computes what others do too: ranks share neither its queries nor, of tokens in zigzag chunks, its heads}}
    %b = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>) -> tensor<1x2x12x4xf32>
    return %a, %b : tensor<1x2x12x4xf32>, tensor<1x2x12x4xf32>
  }
}

// -----

// Short sequences of many heads are fewer elements than states.
// CHECK-LABEL: func.func @short
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @short(%q: tensor<1x2x12x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x2x12x16xf32> {
    // CHECK: xf.all_to_all
    // CHECK-NOT: xf.scan_states
    %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x12x16xf32>
    return %o : tensor<1x2x12x16xf32>
  }
}

// -----

// What states do not carry from rank to rank: factors of distances, corrections, maxima over keys, lengths, documents, and queries at other
// places than keys.
// CHECK-LABEL: func.func @others
// CHECK-NOT: xf.scan_states
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @others(%q: tensor<1x1x12x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x24x4xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %decay: tensor<1x1x12xf32>, %w: tensor<3x4xf32>, %lengths: tensor<1xi64>, %segments: tensor<1x12xi32>) -> (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) {
    // expected-remark@+1 {{every rank computes what others do too}}
    %a = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%decay : tensor<1x1x12xf32>) : (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) -> tensor<1x1x12x4xf32>
    // expected-remark@+1 {{every rank computes what others do too}}
    %b = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.causal>) beta(%decay : tensor<1x1x12xf32>) : (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) -> tensor<1x1x12x4xf32>
    // expected-remark@+1 {{every rank computes what others do too}}
    %c = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = favor, stabilizer = sequence>) params(%w : tensor<3x4xf32>) : (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) -> tensor<1x1x12x4xf32>
    // expected-remark@+1 {{every rank computes what others do too}}
    %d = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.causal>) lengths(%lengths : tensor<1xi64>) : (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) -> tensor<1x1x12x4xf32>
    // expected-remark@+1 {{every rank computes what others do too}}
    %e = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = elu, of = #xf.segments>) segments(%segments, %segments : tensor<1x12xi32>, tensor<1x12xi32>) : (tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>) -> tensor<1x1x12x4xf32>
    // expected-remark@+1 {{every rank computes what others do too}}
    %f = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x12x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>) -> tensor<1x1x12x4xf32>
    return %a, %b, %c, %d, %e, %f : tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>, tensor<1x1x12x4xf32>
  }
}
