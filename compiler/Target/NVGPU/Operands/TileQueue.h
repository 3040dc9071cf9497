//===- TileQueue.h - Tiles of a persistent kernel, by demand ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic scheduling of tiles. The first tile of a thread block has the number of the thread block. Each next one is
// the first tile that no thread block has taken, by a counter in global memory:
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
// With the fixed tiles blockIdx.x, blockIdx.x + gridDim.x, .., thread blocks wait for the slowest one. On an H200, this
// wait takes a sixth of the time of a causal kernel, whose tiles differ in work, and a twentieth if tiles have equal
// work. With the queue, if the longest tiles come first, a thread block waits for less than a tile.
//
// Each tile is followed by one atomicInc, which wraps around at the last tile, so the counter is 0 again at the end of
// a launch. Launches that use the counter must not overlap. All belong to one loaded image, and a handle runs them in
// order. The sum of the numbers of tiles and of thread blocks is less than 2^32.
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

  /// body(tile, n, state) returns the next state. `tile` (i64) is the thread block's n-th tile, the same in all lanes.
  /// n is an i32.
  using Body = function_ref<SmallVector<Value>(Value tile, Value n, ValueRange state)>;
  /// Builds the loop of the fetching warp over the thread block's tiles. Returns the last state. Called by all lanes of
  /// the warp.
  SmallVector<Value> forFetched(ValueRange state, Body body);
  /// Builds the loop of a reading warp over the thread block's tiles. Returns the last state. Called by all lanes of
  /// the warp.
  SmallVector<Value> forRead(ValueRange state, Body body);
  /// Reads the thread block's n-th tile again, so that no register must hold it in between. Called within the body for
  /// this tile.
  Value readAgain(Value n);
  /// Returns n mod 2.
  static Value parity(KernelBuilder &kb, Value n);

private:
  enum Barrier { Full = 0, Empty = 2 }; ///< index of the barrier of slot 0; the barrier of slot 1 follows

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
