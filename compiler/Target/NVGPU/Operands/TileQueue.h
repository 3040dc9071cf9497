//===- TileQueue.h - Tiles of a persistent kernel, by demand ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic scheduling of tiles. A block's first tile has its number; each next one is the first that no block has taken,
// by a counter in global memory:
//
//   fetching warp                                   each of the reading warps
//     tile = blockIdx.x                               for n = 0, 1, ..:
//     for n = 0, 1, ..:                                 wait until slot n mod 2 is full
//       wait until slot n mod 2 is empty                tile = slot; stop unless tile < tiles
//       slot = tile; stop unless tile < tiles           work on the tile
//       taken = atomicInc(counter, tiles - 1)           the slot is empty
//       work on the tile
//       tile = gridDim.x + taken
//
// Blocks that take the tiles blockIdx.x, blockIdx.x + gridDim.x, .. wait for the slowest of them: on an H200 for a
// sixth of the time of a causal kernel, whose tiles differ in work, and for a twentieth where they are alike. Where the
// longest tiles come first, a block waits for less than a tile.
//
// Each tile is followed by one atomicInc, which wraps around at the last: the counter is 0 again at the end of a
// launch. So launches that use it must not overlap; they are those of one loaded image, which a handle runs in order.
// There are less than 2^32 tiles and blocks together.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_TILEQUEUE_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_TILEQUEUE_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"

namespace mlir::xf::nvgpu {

class TileQueue {
public:
  TileQueue(func::FuncOp kernel, ThreadBlock &block);

  /// Initialises the slots for `readers` reading warps. Called by one thread.
  void init(int64_t readers);

  /// body(tile, n, state) returns the next state. `tile` (i64) is the block's n-th tile, the same in all lanes. n is an
  /// i32.
  using Body = function_ref<SmallVector<Value>(Value tile, Value n, ValueRange state)>;
  /// Builds the loop of the fetching warp over the block's tiles. Returns the last state. Called by all lanes of the
  /// warp.
  SmallVector<Value> forFetched(ValueRange state, Body body);
  /// Builds the loop of a reading warp over the block's tiles. Returns the last state. Called by all lanes of the warp.
  SmallVector<Value> forRead(ValueRange state, Body body);
  /// Reads the block's n-th tile again, so that no register need hold it in between. Called within the body for that
  /// tile.
  Value readAgain(Value n);
  /// Returns n mod 2.
  static Value parity(KernelBuilder &kb, Value n);

private:
  enum Barrier { Full = 0, Empty = 2 }; ///< index of the barrier of slot 0, before that of slot 1

  Value number(Barrier barrier, Value n);
  void wait(Barrier barrier, Value n);
  Value slot(Value n);
  void publish(Value tile, Value n);
  Value take();

  ThreadBlock &block;
  LLVM::GlobalOp counter;
  Value slots; ///< two tiles, i32
  SharedBarriers barriers;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_TILEQUEUE_H
