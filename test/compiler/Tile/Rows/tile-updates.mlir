// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// Maps that replace arguments side by side are one kernel, in place; a map that reads what another computes has the number itself.
// CHECK-LABEL: func.func @momentum
// CHECK-NOT: memref.alloc
// CHECK: xft.launch @map{{.*}} : memref<1x8xf32{{.*}}>, memref<1x8xf32{{.*}}>, memref<1x8xf32{{.*}}>, memref<1x8xf32{{.*}}>, memref<1x8xf32{{.*}}>,
// CHECK-NOT: xft.launch
// CHECK: return
func.func @momentum(%p: tensor<8xf32> {xf.name = "p"}, %g: tensor<8xf32> {xf.name = "g"}, %m: tensor<8xf32> {xf.name = "m"}, %rate: tensor<f32> {xf.name = "rate"})
    -> (tensor<8xf32> {xf.name = "new_m", xf.updates = "m"}, tensor<8xf32> {xf.name = "new_p", xf.updates = "p"}) {
  %new_m = xf.map (%a = %m : tensor<8xf32>, %b = %g : tensor<8xf32>) -> tensor<8xf32> {
    %c = arith.addf %a, %b : f32
    xf.yield %c : f32
  }
  %new_p = xf.map (%a = %p : tensor<8xf32>, %b = %new_m : tensor<8xf32>, %r = %rate : tensor<f32>) -> tensor<8xf32> {
    %c = arith.mulf %b, %r : f32
    %d = arith.subf %a, %c : f32
    xf.yield %d : f32
  }
  return %new_m, %new_p : tensor<8xf32>, tensor<8xf32>
}

// A parameter of 16 bits is its master rounded.
// CHECK-LABEL: func.func @master
// CHECK-NOT: memref.alloc
// CHECK: xft.launch @map
// CHECK-NOT: xft.launch
// CHECK: return
func.func @master(%p: tensor<8xbf16> {xf.name = "p"}, %w: tensor<8xf32> {xf.name = "w"}, %g: tensor<8xbf16> {xf.name = "g"})
    -> (tensor<8xf32> {xf.name = "new_w", xf.updates = "w"}, tensor<8xbf16> {xf.name = "new_p", xf.updates = "p"}) {
  %new_w = xf.map (%a = %w : tensor<8xf32>, %b = %g : tensor<8xbf16>) -> tensor<8xf32> {
    %c = arith.extf %b : bf16 to f32
    %d = arith.subf %a, %c : f32
    xf.yield %d : f32
  }
  %new_p = xf.map (%a = %new_w : tensor<8xf32>) -> tensor<8xbf16> {
    %b = arith.truncf %a : f32 to bf16
    xf.yield %b : bf16
  }
  return %new_w, %new_p : tensor<8xf32>, tensor<8xbf16>
}

// Apart stay: other shapes, results that replace nothing, maps that share nothing, and one that reads a rounded result.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-5: xft.launch @map
// CHECK-NOT: xft.launch @map
// CHECK: return
func.func @apart(%p: tensor<8xbf16> {xf.name = "p"}, %q: tensor<8xf32> {xf.name = "q"}, %r: tensor<1x8xf32> {xf.name = "r"}, %s: tensor<8xf32> {xf.name = "s"})
    -> (tensor<8xbf16> {xf.name = "new_p", xf.updates = "p"}, tensor<8xf32> {xf.name = "new_q", xf.updates = "q"},
        tensor<1x8xf32> {xf.name = "new_r", xf.updates = "r"}, tensor<1x8xf32> {xf.name = "other"}, tensor<8xf32> {xf.name = "new_s", xf.updates = "s"}) {
  %new_p = xf.map (%a = %p : tensor<8xbf16>) -> tensor<8xbf16> {
    %b = arith.addf %a, %a : bf16
    xf.yield %b : bf16
  }
  %new_q = xf.map (%a = %q : tensor<8xf32>, %b = %new_p : tensor<8xbf16>) -> tensor<8xf32> {
    %c = arith.extf %b : bf16 to f32
    %d = arith.addf %a, %c : f32
    xf.yield %d : f32
  }
  %new_r = xf.map (%a = %r : tensor<1x8xf32>, %b = %new_q : tensor<8xf32>) -> tensor<1x8xf32> {
    %c = arith.addf %a, %b : f32
    xf.yield %c : f32
  }
  %other = xf.map (%a = %new_r : tensor<1x8xf32>) -> tensor<1x8xf32> {
    %b = arith.addf %a, %a : f32
    xf.yield %b : f32
  }
  %new_s = xf.map (%a = %s : tensor<8xf32>) -> tensor<8xf32> {
    %b = arith.mulf %a, %a : f32
    xf.yield %b : f32
  }
  return %new_p, %new_q, %new_r, %other, %new_s : tensor<8xbf16>, tensor<8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<8xf32>
}
