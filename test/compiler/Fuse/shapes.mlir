// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[X:.*]]: tensor<2x6xf32>
// CHECK-NEXT: %[[Y:.*]] = xf.reshape %[[X]] : tensor<2x6xf32> to tensor<4x3xf32>
// CHECK-NEXT: return %[[Y]], %[[X]]
func.func @reshapes(%x: tensor<2x6xf32>) -> (tensor<4x3xf32>, tensor<2x6xf32>) {
  %a = xf.reshape %x : tensor<2x6xf32> to tensor<12xf32>
  %b = xf.reshape %a : tensor<12xf32> to tensor<4x3xf32>
  %c = xf.reshape %a : tensor<12xf32> to tensor<2x6xf32>
  return %b, %c : tensor<4x3xf32>, tensor<2x6xf32>
}

// Two sizes that only the program's run knows: the middle shape says how they divide.
// CHECK-LABEL: func.func @dynamic_reshapes
// CHECK-COUNT-2: xf.reshape
func.func @dynamic_reshapes(%x: tensor<?x6xf32>) -> tensor<?x?x2xf32> {
  %a = xf.reshape %x : tensor<?x6xf32> to tensor<?x3x2xf32>
  %b = xf.reshape %a : tensor<?x3x2xf32> to tensor<?x?x2xf32>
  return %b : tensor<?x?x2xf32>
}

// CHECK-LABEL: func.func @transposes
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[Y:.*]] = xf.transpose %[[X]] permutation [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
// CHECK-NEXT: return %[[Y]], %[[X]]
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<2x3x4xf32>) {
  %a = xf.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  %b = xf.transpose %a permutation [2, 0, 1] : tensor<4x2x3xf32> to tensor<3x4x2xf32>
  %c = xf.transpose %a permutation [1, 2, 0] : tensor<4x2x3xf32> to tensor<2x3x4xf32>
  return %b, %c : tensor<3x4x2xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[X:.*]]: tensor<20xf32>
// CHECK-NEXT: xf.slice %[[X]] offsets [5] strides [6] : tensor<20xf32> to tensor<3xf32>
// CHECK-NEXT: return
func.func @slices(%x: tensor<20xf32>) -> tensor<3xf32> {
  %a = xf.slice %x offsets [1] strides [2] : tensor<20xf32> to tensor<9xf32>
  %b = xf.slice %a offsets [2] strides [3] : tensor<9xf32> to tensor<3xf32>
  %c = xf.slice %b offsets [0] strides [1] : tensor<3xf32> to tensor<3xf32>
  return %c : tensor<3xf32>
}

// CHECK-LABEL: func.func @slice_of_pad
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
// CHECK-NEXT: return %[[X]]
func.func @slice_of_pad(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = xf.pad %x low [1] strides [2] : tensor<3xf32> to tensor<9xf32>
  %b = xf.slice %a offsets [1] strides [2] : tensor<9xf32> to tensor<3xf32>
  return %b : tensor<3xf32>
}

// CHECK-LABEL: func.func @heads
// CHECK-SAME: %[[X:.*]]: tensor<1x3x8xf32>
// CHECK-NEXT: return %[[X]]
func.func @heads(%x: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %a = xf.split_heads %x heads 2 : (tensor<1x3x8xf32>) -> tensor<1x2x3x4xf32>
  %b = xf.merge_heads %a : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
  return %b : tensor<1x3x8xf32>
}

// Rounded to nearest even.
// CHECK-LABEL: func.func @cast_constant
// CHECK-NEXT: arith.constant dense<[1.000000e+00, 1.015630e+00]> : tensor<2xbf16>
// CHECK-NEXT: return
func.func @cast_constant() -> tensor<2xbf16> {
  %a = arith.constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
  %b = xf.cast %a : tensor<2xf32> to tensor<2xbf16>
  return %b : tensor<2xbf16>
}

// The gradients of the slices of one projection: written side by side, not added.
// CHECK-LABEL: func.func @pads
// CHECK-SAME: %[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<3x1xf32>, %[[C:.*]]: tensor<3x4xf32>
// CHECK-NEXT: xf.concat %[[A]], %[[B]], %[[C]] axis 1
// CHECK-NEXT: return
func.func @pads(%a: tensor<3x2xf32>, %b: tensor<3x1xf32>, %c: tensor<3x4xf32>) -> tensor<3x7xf32> {
  %pc = xf.pad %c low [0, 3] strides [1, 1] : tensor<3x4xf32> to tensor<3x7xf32>
  %pa = xf.pad %a low [0, 0] strides [1, 1] : tensor<3x2xf32> to tensor<3x7xf32>
  %pb = xf.pad %b low [0, 2] strides [1, 1] : tensor<3x1xf32> to tensor<3x7xf32>
  %s = xf.add %pc, %pb : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
  %t = xf.add %s, %pa : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
  return %t : tensor<3x7xf32>
}

// Parts that overlap or leave gaps: of the sum only the first writes everything.
// CHECK-LABEL: func.func @overlapping_pads
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<1xf32>
// CHECK-NEXT: %[[P:.*]] = xf.pad %[[A]] low [0] strides [1]
// CHECK-NEXT: %[[Q:.*]] = xf.add_at %[[P]], %[[B]] offsets [1] strides [2]
// CHECK-NEXT: %[[R:.*]] = xf.add_at %[[Q]], %[[C]] offsets [1] strides [1]
// CHECK-NEXT: return %[[R]]
func.func @overlapping_pads(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<1xf32>) -> tensor<5xf32> {
  %pa = xf.pad %a low [0] strides [1] : tensor<2xf32> to tensor<5xf32>
  %pb = xf.pad %b low [1] strides [2] : tensor<2xf32> to tensor<5xf32>
  %pc = xf.pad %c low [1] strides [1] : tensor<1xf32> to tensor<5xf32>
  %s = xf.add %pa, %pb : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %t = xf.add %s, %pc : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %t : tensor<5xf32>
}

// A part of a tensor that has other readers is no part of that tensor's memory.
// CHECK-LABEL: func.func @read_pad
// CHECK: %[[P:.*]] = xf.pad
// CHECK-NOT: xf.add_at
// CHECK: return %{{.*}}, %[[P]]
func.func @read_pad(%a: tensor<2xf32>, %g: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %pa = xf.pad %a low [0] strides [1] : tensor<2xf32> to tensor<5xf32>
  %s = xf.add %pa, %g : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %s, %pa : tensor<5xf32>, tensor<5xf32>
}

// However many ops move the parts' elements between the pads and their sum, pads of pads among them.
// CHECK-LABEL: func.func @moved_pads
// CHECK-NOT: xf.pad
// CHECK: %[[S:.*]] = xf.concat %{{.*}}, %{{.*}}, %{{.*}} axis 0 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<24xf32>
// CHECK-NEXT: return %[[S]]
func.func @moved_pads(%a: tensor<1x2x1x4xf32>, %b: tensor<1x1x2x4xf32>, %c: tensor<8x1xf32>) -> tensor<24xf32> {
  %pa = xf.pad %a low [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x1x4xf32> to tensor<1x2x3x4xf32>
  %ma = xf.merge_heads %pa : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
  %fa = xf.reshape %ma : tensor<1x3x8xf32> to tensor<24xf32>
  %pb = xf.pad %b low [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x2x4xf32> to tensor<1x2x2x4xf32>
  %qb = xf.pad %pb low [0, 1, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x2x4xf32> to tensor<1x3x2x4xf32>
  %tb = xf.transpose %qb permutation [0, 2, 1, 3] : tensor<1x3x2x4xf32> to tensor<1x2x3x4xf32>
  %mb = xf.merge_heads %tb : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
  %sb = xf.split_heads %mb heads 4 : (tensor<1x3x8xf32>) -> tensor<1x4x3x2xf32>
  %nb = xf.merge_heads %sb : (tensor<1x4x3x2xf32>) -> tensor<1x3x8xf32>
  %fb = xf.reshape %nb : tensor<1x3x8xf32> to tensor<24xf32>
  %pc = xf.pad %c low [0, 2] strides [1, 1] : tensor<8x1xf32> to tensor<8x3xf32>
  %tc = xf.transpose %pc permutation [1, 0] : tensor<8x3xf32> to tensor<3x8xf32>
  %fc = xf.reshape %tc : tensor<3x8xf32> to tensor<24xf32>
  %s = xf.add %fa, %fb : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %t = xf.add %s, %fc : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  return %t : tensor<24xf32>
}
