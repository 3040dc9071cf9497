// Products on Hopper whose operands and results do not lie row after row, and all that an epilogue reads.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --entry=heads --stop-after=tile | FileCheck %s --check-prefix=GROUPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --entry=rows_of_one_term --stop-after=tile | FileCheck %s --check-prefix=WARPS
// RUN: env XF_SIM_PROCESSORS=3 XF_SIM_SCHEDULE=random %sm_90a %s

// GROUPS: warpgroups <
// WARPS-NOT: warpgroups <

// Rows of one term each, with those of other matrices between them: boxes would have to step by less than 16 bytes.
func.func @rows_of_one_term(%x: tensor<128x8x1xbf16>, %b: tensor<8x1x64xbf16>) -> tensor<8x128x64xbf16> {
  %a = xf.transpose %x permutation [1, 0, 2] : tensor<128x8x1xbf16> to tensor<8x128x1xbf16>
  %y = xf.matmul %a, %b : (tensor<8x128x1xbf16>, tensor<8x1x64xbf16>) -> tensor<8x128x64xbf16>
  return %y : tensor<8x128x64xbf16>
}

// Batches.
func.func @heads(%x: tensor<2x70x40xbf16>, %w: tensor<2x5x72x8xbf16>) -> tensor<2x5x70x72xbf16> {
  %q = xf.split_heads %x heads 5 : (tensor<2x70x40xbf16>) -> tensor<2x5x70x8xbf16>
  %y = xf.matmul %q, %w transposed : (tensor<2x5x70x8xbf16>, tensor<2x5x72x8xbf16>) -> tensor<2x5x70x72xbf16>
  return %y : tensor<2x5x70x72xbf16>
}
func.func @merged_heads(%x: tensor<2x3x70x72xbf16>, %w: tensor<2x3x72x40xbf16>) -> tensor<2x70x120xbf16> {
  %o = xf.matmul %x, %w : (tensor<2x3x70x72xbf16>, tensor<2x3x72x40xbf16>) -> tensor<2x3x70x40xbf16>
  %y = xf.merge_heads %o : (tensor<2x3x70x40xbf16>) -> tensor<2x70x120xbf16>
  return %y : tensor<2x70x120xbf16>
}
func.func @permuted_batch(%x: tensor<66x3x5x24xf16>, %b: tensor<5x3x24x40xf16>) -> tensor<5x3x66x40xf16> {
  %a = xf.transpose %x permutation [2, 1, 0, 3] : tensor<66x3x5x24xf16> to tensor<5x3x66x24xf16>
  %y = xf.matmul %a, %b : (tensor<5x3x66x24xf16>, tensor<5x3x24x40xf16>) -> tensor<5x3x66x40xf16>
  return %y : tensor<5x3x66x40xf16>
}
func.func @repeated_in_turn(%x: tensor<2x1x3x66x24xf16>, %w: tensor<1x2x1x24x40xf16>) -> tensor<2x2x3x66x40xf16> {
  %a = xf.broadcast %x : tensor<2x1x3x66x24xf16> to tensor<2x2x3x66x24xf16>
  %b = xf.broadcast %w : tensor<1x2x1x24x40xf16> to tensor<2x2x3x24x40xf16>
  %y = xf.matmul %a, %b : (tensor<2x2x3x66x24xf16>, tensor<2x2x3x24x40xf16>) -> tensor<2x2x3x66x40xf16>
  return %y : tensor<2x2x3x66x40xf16>
}
func.func @repeated_in_six_dimensions(%x: tensor<2x1x2x1x66x24xf16>, %w: tensor<1x2x1x2x24x40xf16>) -> tensor<2x2x2x2x66x40xf16> {
  %a = xf.broadcast %x : tensor<2x1x2x1x66x24xf16> to tensor<2x2x2x2x66x24xf16>
  %b = xf.broadcast %w : tensor<1x2x1x2x24x40xf16> to tensor<2x2x2x2x24x40xf16>
  %y = xf.matmul %a, %b : (tensor<2x2x2x2x66x24xf16>, tensor<2x2x2x2x24x40xf16>) -> tensor<2x2x2x2x66x40xf16>
  return %y : tensor<2x2x2x2x66x40xf16>
}
func.func @six_dimensions(%x: tensor<2x2x66x2x2x24xf16>, %w: tensor<2x1x2x1x24x40xf16>) -> tensor<2x2x2x2x66x40xf16> {
  %a = xf.transpose %x permutation [4, 0, 3, 1, 2, 5] : tensor<2x2x66x2x2x24xf16> to tensor<2x2x2x2x66x24xf16>
  %b = xf.broadcast %w : tensor<2x1x2x1x24x40xf16> to tensor<2x2x2x2x24x40xf16>
  %y = xf.matmul %a, %b : (tensor<2x2x2x2x66x24xf16>, tensor<2x2x2x2x24x40xf16>) -> tensor<2x2x2x2x66x40xf16>
  return %y : tensor<2x2x2x2x66x40xf16>
}

// Results.
func.func @batch_last(%a: tensor<4x72x40xbf16>, %b: tensor<4x40x64xbf16>) -> tensor<72x64x4xbf16> {
  %o = xf.matmul %a, %b : (tensor<4x72x40xbf16>, tensor<4x40x64xbf16>) -> tensor<4x72x64xbf16>
  %y = xf.transpose %o permutation [1, 2, 0] : tensor<4x72x64xbf16> to tensor<72x64x4xbf16>
  return %y : tensor<72x64x4xbf16>
}
func.func @columns_first(%a: tensor<5x72x40xbf16>, %b: tensor<5x68x40xbf16>) -> tensor<68x5x72xbf16> {
  %o = xf.matmul %a, %b transposed : (tensor<5x72x40xbf16>, tensor<5x68x40xbf16>) -> tensor<5x72x68xbf16>
  %y = xf.transpose %o permutation [2, 0, 1] : tensor<5x72x68xbf16> to tensor<68x5x72xbf16>
  return %y : tensor<68x5x72xbf16>
}
func.func @side_by_side(%a: tensor<72x40xf16>, %b: tensor<36x40xf16>, %c: tensor<44x40xf16>) -> tensor<72x80xf16> {
  %o = xf.matmul %a, %b transposed : (tensor<72x40xf16>, tensor<36x40xf16>) -> tensor<72x36xf16>
  %p = xf.matmul %a, %c transposed : (tensor<72x40xf16>, tensor<44x40xf16>) -> tensor<72x44xf16>
  %y = xf.concat %o, %p axis 1 : (tensor<72x36xf16>, tensor<72x44xf16>) -> tensor<72x80xf16>
  return %y : tensor<72x80xf16>
}
func.func @any_terms(%a: tensor<?x136xbf16>, %b: tensor<?x72xbf16>) -> tensor<136x72xbf16> {
  %y = xf.matmul %a transposed, %b : (tensor<?x136xbf16>, tensor<?x72xbf16>) -> tensor<136x72xbf16>
  return %y : tensor<136x72xbf16>
}

// What an epilogue reads: values per column and row, of any width, and whole matrices.
func.func @masks(%a: tensor<2x72x40xbf16>, %b: tensor<2x68x40xbf16>, %m: tensor<72x68xi1>, %n: tensor<2x1x68xi1>, %r: tensor<2x72x68xbf16>) -> tensor<2x72x68xbf16> {
  %o = xf.matmul %a, %b transposed : (tensor<2x72x40xbf16>, tensor<2x68x40xbf16>) -> tensor<2x72x68xbf16>
  %u = xf.where %m, %o, %r : (tensor<72x68xi1>, tensor<2x72x68xbf16>, tensor<2x72x68xbf16>) -> tensor<2x72x68xbf16>
  %z = arith.constant dense<0.0> : tensor<1xbf16>
  %y = xf.where %n, %u, %z : (tensor<2x1x68xi1>, tensor<2x72x68xbf16>, tensor<1xbf16>) -> tensor<2x72x68xbf16>
  return %y : tensor<2x72x68xbf16>
}
func.func @wider_than_factors(%a: tensor<72x40xbf16>, %b: tensor<40x64xbf16>, %r: tensor<72x1xf32>, %c: tensor<64xf16>) -> tensor<72x64xf32> {
  %o = xf.matmul %a, %b : (tensor<72x40xbf16>, tensor<40x64xbf16>) -> tensor<72x64xbf16>
  %f = xf.cast %o : tensor<72x64xbf16> to tensor<72x64xf32>
  %p = xf.mul %f, %r : (tensor<72x64xf32>, tensor<72x1xf32>) -> tensor<72x64xf32>
  %d = xf.cast %c : tensor<64xf16> to tensor<64xf32>
  %y = xf.add %p, %d : (tensor<72x64xf32>, tensor<64xf32>) -> tensor<72x64xf32>
  return %y : tensor<72x64xf32>
}
func.func @row_and_matrix(%a: tensor<3x72x40xf16>, %b: tensor<44x40xf16>, %r: tensor<3x72x1xf16>, %s: tensor<3x1x1xf16>) -> tensor<3x72x44xf16> {
  %o = xf.matmul %a, %b transposed : (tensor<3x72x40xf16>, tensor<44x40xf16>) -> tensor<3x72x44xf16>
  %p = xf.add %o, %r : (tensor<3x72x44xf16>, tensor<3x72x1xf16>) -> tensor<3x72x44xf16>
  %y = xf.mul %p, %s : (tensor<3x72x44xf16>, tensor<3x1x1xf16>) -> tensor<3x72x44xf16>
  return %y : tensor<3x72x44xf16>
}
func.func @row_of_a_slice(%a: tensor<72x40xf16>, %b: tensor<44x40xf16>, %r: tensor<72x3xf16>) -> tensor<72x44xf16> {
  %o = xf.matmul %a, %b transposed : (tensor<72x40xf16>, tensor<44x40xf16>) -> tensor<72x44xf16>
  %t = xf.slice %r offsets [0, 1] strides [1, 1] : tensor<72x3xf16> to tensor<72x1xf16>
  %y = xf.add %o, %t : (tensor<72x44xf16>, tensor<72x1xf16>) -> tensor<72x44xf16>
  return %y : tensor<72x44xf16>
}
func.func @transposed_residual(%a: tensor<72x40xbf16>, %b: tensor<40x64xbf16>, %r: tensor<64x72xbf16>) -> tensor<72x64xbf16> {
  %o = xf.matmul %a, %b : (tensor<72x40xbf16>, tensor<40x64xbf16>) -> tensor<72x64xbf16>
  %s = xf.transpose %r permutation [1, 0] : tensor<64x72xbf16> to tensor<72x64xbf16>
  %y = xf.add %o, %s : (tensor<72x64xbf16>, tensor<72x64xbf16>) -> tensor<72x64xbf16>
  return %y : tensor<72x64xbf16>
}
