// RUN: xf-opt %s | xf-opt | FileCheck %s

// Sizes are canonical: equal polynomials are printed alike.
// CHECK-LABEL: func.func private @canonical
// CHECK-SAME: xf.dims = [#xf.size<m * n + n + 1>, #xf.size<2 * (n / 4)>, #xf.size<(n + 1) / 4 + 5>, #xf.size<"a b" + x.0>, #xf.size<n / 6>]
func.func private @canonical(tensor<?x?x?x?x?xf32> {xf.dims = [#xf.size<n * (m + 1) + 2 - 1>, #xf.size<n / 4 + n / 4>,
  #xf.size<(n + 21) / 4>, #xf.size<x.0 + "a b">, #xf.size<n / 2 / 3>]})

// CHECK-LABEL: func.func @ops
func.func @ops(%x: tensor<?x?x8xf32> {xf.dims = [#xf.dim<name = "b", min = 1, max = 9>, #xf.dim<name = "n", min = 1, max = 9>]},
               %c: tensor<8xf32>) {
  // CHECK: xf.broadcast %{{.*}} sizes [b] : tensor<8xf32> to tensor<?x1x8xf32>
  %0 = xf.broadcast %c sizes [b] : tensor<8xf32> to tensor<?x1x8xf32>
  // CHECK: xf.reshape %{{.*}} sizes [b * n] : tensor<?x?x8xf32> to tensor<?x8xf32>
  %1 = xf.reshape %x sizes [n * b] : tensor<?x?x8xf32> to tensor<?x8xf32>
  // CHECK: xf.slice %{{.*}} offsets [0, n - 1, 0] strides [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %2 = xf.slice %x offsets [0, n - 1, 0] strides [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  // CHECK: xf.slice %{{.*}} offsets [0, 0, 0] strides [1, 1, 1] sizes [b, n - 1] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  %3 = xf.slice %x offsets [0, 0, 0] strides [1, 1, 1] sizes [b, -1 + n] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  // CHECK: xf.pad %{{.*}} low [0, n / 2, 0] strides [1, 1, 1] sizes [b, 2 * n] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  %4 = xf.pad %x low [0, n / 2, 0] strides [1, 1, 1] sizes [b, n + n] : tensor<?x?x8xf32> to tensor<?x?x8xf32>
  return
}
