// Which products have Hopper's form, with which tiles: those that take the least time on as many processors as there are.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=large | FileCheck %s --check-prefix=LARGE
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=few_tiles | FileCheck %s --check-prefix=FEW
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=shared_weights | FileCheck %s --check-prefix=SHARED
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=any_rows | FileCheck %s --check-prefix=ANY
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=few_rows | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=odd_terms | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=floats | FileCheck %s --check-prefix=WARPS
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=tile --entry=large | FileCheck %s --check-prefix=WARPS

// WARPS-NOT: warpgroups

// LARGE: xft.launch @matmul_large{{.*}} tiles(%c704)
// LARGE: func.func private @matmul_large
// LARGE-SAME: xft.blocks_per_processor = 1
// LARGE-SAME: xft.tensor_maps = [#xft.tensor_map<operand = 0, sizes = (d0, d1) -> (d1, d0), strides = (d0, d1) -> (1, d0), box = [64, 256]>, #xft.tensor_map<operand = 1, sizes = (d0, d1) -> (d0, d1), strides = (d0, d1) -> (1, d1), box = [64, 192]>]
// LARGE: rows 64 columns 192 block 256 depth 512 warpgroups <consumers = 2, stages = 3>
func.func @large(%x: tensor<8192x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<8192x4096xbf16> {
  %y = xf.linear %x, %w : (tensor<8192x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<8192x4096xbf16>
  return %y : tensor<8192x4096xbf16>
}

// Wide tiles would leave processors idle.
// FEW: columns 64 block 128 depth 512 warpgroups <consumers = 2, stages = 8>
func.func @few_tiles(%x: tensor<512x768xbf16>, %w: tensor<768x768xbf16>) -> tensor<512x768xbf16> {
  %y = xf.linear %x, %w : (tensor<512x768xbf16>, tensor<768x768xbf16>) -> tensor<512x768xbf16>
  return %y : tensor<512x768xbf16>
}

// One matrix for all of the batch has no coordinate there; the other has its columns beside each other.
// SHARED: xft.tensor_maps = [#xft.tensor_map<operand = 0, sizes = (d0, d1, d2) -> (d1, d2), strides = (d0, d1, d2) -> (1, d2), box = [64, 64]>, #xft.tensor_map<operand = 1, sizes = (d0, d1, d2) -> (d2, d1, d0), strides = (d0, d1, d2) -> (1, d1, d0), box = [64, 64, 1]>]
func.func @shared_weights(%a: tensor<512x256xf16>, %b: tensor<3x512x320xf16>) -> tensor<3x256x320xf16> {
  %y = xf.matmul %a transposed, %b : (tensor<512x256xf16>, tensor<3x512x320xf16>) -> tensor<3x256x320xf16>
  return %y : tensor<3x256x320xf16>
}

// ANY: warpgroups
func.func @any_rows(%x: tensor<?x768xbf16>, %w: tensor<768x768xbf16>) -> tensor<?x768xbf16> {
  %y = xf.linear %x, %w : (tensor<?x768xbf16>, tensor<768x768xbf16>) -> tensor<?x768xbf16>
  return %y : tensor<?x768xbf16>
}

func.func @few_rows(%x: tensor<64x768xbf16>, %w: tensor<768x768xbf16>) -> tensor<64x768xbf16> {
  %y = xf.linear %x, %w : (tensor<64x768xbf16>, tensor<768x768xbf16>) -> tensor<64x768xbf16>
  return %y : tensor<64x768xbf16>
}
// Rows that do not start at multiples of 16 bytes.
func.func @odd_terms(%x: tensor<512x765xbf16>, %w: tensor<768x765xbf16>) -> tensor<512x768xbf16> {
  %y = xf.linear %x, %w : (tensor<512x765xbf16>, tensor<768x765xbf16>) -> tensor<512x768xbf16>
  return %y : tensor<512x768xbf16>
}
func.func @floats(%x: tensor<512x768xf32>, %w: tensor<768x768xf32>) -> tensor<512x768xf32> {
  %y = xf.linear %x, %w : (tensor<512x768xf32>, tensor<768x768xf32>) -> tensor<512x768xf32>
  return %y : tensor<512x768xf32>
}

// A gradient of weights: few tiles, whose sums are long. Slices of them, then their sum with the epilogue.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --stop-after=tile --entry=long_sums | FileCheck %s --check-prefix=SLICES
// SLICES: memref.alloc() : memref<[[S:[248]]]x768x768xf32>
// SLICES: xft.launch @matmul_long_sums{{.*}}memref<[[S]]x768x768xf32>)
// SLICES: xft.launch @contract_sum
// SLICES: func.func private @contract_sum
// SLICES: xft.rows
func.func @long_sums(%x: tensor<16384x768xbf16>, %d: tensor<16384x768xbf16>) -> tensor<768x768xbf16> {
  %y = xf.matmul %x transposed, %d : (tensor<16384x768xbf16>, tensor<16384x768xbf16>) -> tensor<768x768xbf16>
  return %y : tensor<768x768xbf16>
}
