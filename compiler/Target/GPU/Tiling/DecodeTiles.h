//===- DecodeTiles.h - Decoding on GPUs -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_TILING_DECODETILES_H
#define XF_COMPILER_TARGET_GPU_TILING_DECODETILES_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"

namespace mlir::xf::gpu {

/// How the warps of a thread block share its rows and a key block. Warp w computes row tile w mod `rowTiles` (16 rows)
/// with the keys of group w div `rowTiles`.
struct DecodeWarps {
  int64_t rowTiles, keyGroups;

  /// Returns the warps for `rows` rows and key blocks of `keys` keys.
  static DecodeWarps of(int64_t rows, int64_t keys);
  int64_t threads() const;
};

/// The shared memory of a thread block: the bytes that are allocated once, and the bytes of each stage of keys and
/// values.
struct DecodeMemory {
  int64_t fixedBytes, stageBytes;

  static DecodeMemory of(int64_t rows, int64_t keys, Type element, int64_t depth, int64_t valueDepth);
  /// Returns the number of stages for slices of `blocks` key blocks: as many as two thread blocks on a multiprocessor
  /// have room for, but at least 2, and at most 4 and at most `blocks`.
  int64_t stages(const GpuMachine &machine, int64_t blocks) const;
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_TILING_DECODETILES_H
