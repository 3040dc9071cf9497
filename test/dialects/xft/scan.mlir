// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func private @forward
// CHECK: xft.scan %{{.*}}, %{{.*}}, %{{.*}} to %{{.*}} weights(%{{.*}} : memref<1x1x20x24xf32>) lengths(%{{.*}} : memref<?xi64>) scratch(%{{.*}} : memref<?x64xf32>) features <exponents = [1.000000e+00, -1.000000e+00], epsilon = 0.000000e+00 : f64
// CHECK-SAME: ordered value {
func.func private @forward(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>, %o: memref<?x?x?x24xf32>,
                           %w: memref<1x1x20x24xf32>, %lengths: memref<?xi64>, %tasks: memref<?x64xf32>) attributes {xft.kernel} {
  xft.scan %q, %q, %q to %o weights(%w : memref<1x1x20x24xf32>) lengths(%lengths : memref<?xi64>) scratch(%tasks : memref<?x64xf32>)
      features <exponents = [1.0, -1.0], epsilon = 0.0, input_scale = 0.5, weight = 0.05, guard = 0.0, stabilizer = #xf<stabilizer running>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> ordered value {
  ^bb0(%u: f32):
    %one = arith.constant 1.0 : f32
    xft.yield %one : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// CHECK-LABEL: func.func private @gradient
// CHECK: xft.scan_vjp %{{.*}} to %{{.*}}, %{{.*}}, %{{.*}} groups %{{.*}} features <{{.*}}> value {
// CHECK: } slope {
func.func private @gradient(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>, %rows: memref<?x?x?xf32>,
                            %groups: index) attributes {xft.kernel} {
  xft.scan_vjp %q, %q, %q, %q, %rows to %q, %q, %q groups %groups
      features <epsilon = 0.1, input_scale = 1.0, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 48>> value {
  ^bb0(%u: f32):
    %s = arith.mulf %u, %u : f32
    xft.yield %s : f32
  } slope {
  ^bb0(%u: f32):
    %s = arith.addf %u, %u : f32
    xft.yield %s : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?xf32>, memref<?x?x?x24xf32>,
    memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}

// CHECK-LABEL: func.func private @phase
// CHECK: xft.scan %{{.*}} state(%{{.*}} : memref<?x?x?x2048xf32>) features {{.*}} phase = queries, slice = 4> ordered value {
func.func private @phase(%begin: i64, %end: i64, %scratch: !llvm.ptr, %q: memref<?x?x?x24xf32>, %state: memref<?x?x?x2048xf32>) attributes {xft.kernel} {
  xft.scan %q, %q, %q to %q state(%state : memref<?x?x?x2048xf32>)
      features <epsilon = 0.0, input_scale = 0.5, weight = 1.0, guard = 0.0, stabilizer = #xf<stabilizer none>, normalizer = #xf<normalizer sum>>
      schedule <tile = #xft.attend_tile<rows = 1, registers = 1, lanes = 1, queries = 32, keys = 24>, phase = queries, slice = 4> ordered value {
  ^bb0(%u: f32):
    xft.yield %u : f32
  }
  : memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>, memref<?x?x?x24xf32>
  return
}
