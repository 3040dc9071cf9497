//===- Warpgroup.h - mbarriers, TMA and wgmma on Hopper ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The building blocks of warp-specialised kernels. Producer warps copy, consumer warpgroups compute. Mbarriers in
// shared memory hand the stages of a pipeline from producers to consumers and back.
//
//   producer                               consumer
//   wait until stage s is empty            wait until stage s is full
//   expect bytes, start TMA copies         wgmma products that read it
//     .. copies arrive: s is full          wait for the products; arrive: s is empty
//
// Matrices that wgmma reads in shared memory are TMA *boxes* of 64 columns, with rows of 128 bytes, in the 128-byte
// swizzle: 16-byte chunk c of row r lies at chunk c xor (r mod 8). Boxes lie one after the other.
//
// PTX ISA: "mbarrier", "cp.async.bulk.tensor", "wgmma.mma_async", "Matrix Fragments for wgmma", "setmaxnreg".
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H

#include "compiler/Target/GPU/Machine/WarpProduct.h"
#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"

namespace mlir::xf::nvgpu {

/// Truncates an integer to i32.
Value toI32(KernelBuilder &kb, Value x);
/// Builds an i32 constant.
Value i32(KernelBuilder &kb, int64_t value);

/// Converts a pointer into shared memory to the 32-bit shared address that PTX instructions take.
Value sharedAddress(KernelBuilder &kb, Value pointer);

//===--- barriers in shared memory ---===//

/// An array of mbarriers in shared memory. The phases of a barrier have alternating parity, beginning with parity 0.
/// wait(n, parity) waits until barrier n has completed the phase of that parity. On a new barrier, waiting for parity 1
/// returns at once.
class SharedBarriers {
public:
  SharedBarriers(ThreadBlock &block, int64_t count);

  /// Initialises barrier n for `arrivals` arrivals per phase. Called by one thread, before any thread uses the barrier.
  void init(int64_t n, int64_t arrivals);
  void wait(Value n, Value parity);
  void arrive(Value n);
  /// Arrives at barrier n and lets its phase complete only after TMA copies have brought `bytes` bytes
  /// (arrive.expect_tx).
  void expect(Value n, int64_t bytes);
  /// Returns a pointer to barrier n, the operand of TMA copies.
  Value at(Value n);

private:
  ThreadBlock &block;
  Value first;
};

/// Builds a fence that makes the initialisation of mbarriers visible to TMA copies.
void fenceBarriers(KernelBuilder &kb);
/// Builds a proxy fence that makes this thread's writes to shared memory visible to TMA and wgmma.
void fenceShared(KernelBuilder &kb);

/// A position in the stages of a pipeline: the index of the stage, and the parity of the current round through all
/// stages. Both are i32.
struct PipelineState {
  Value stage, parity;
  /// Returns the state of the next stage in a pipeline of `stages` stages.
  PipelineState next(KernelBuilder &kb, int64_t stages) const;
  /// Returns the state of the previous stage. Its `stage` may be used, but not its parity.
  PipelineState previous(KernelBuilder &kb, int64_t stages) const;
};

//===--- warps and registers ---===//

constexpr int64_t warpsOfWarpgroup = 4, threadsOfWarpgroup = 128;

/// Returns the value that x (i32) has in lane 0. x must be the same in all lanes of the warp. This lets ptxas keep x,
/// and descriptors made of it, in uniform registers.
Value uniform(KernelBuilder &kb, Value x);
/// Returns an opaque copy of x (i32, i64 or f32). It hides the value of x from ptxas, so that derived values are
/// recomputed instead of kept in registers.
Value forget(KernelBuilder &kb, Value x);
/// Reads the lane's index in its warp again, as an opaque i64. The index comes from a special register of the machine.
/// So, unlike with `forget`, no register of the thread holds it before.
Value readLane(KernelBuilder &kb);
/// Arrives at the named barrier `id` (i32) of `threads` threads, and waits until all of them have arrived (bar.sync).
void synchronizeNamed(KernelBuilder &kb, Value id, int64_t threads);
/// Arrives at the named barrier `id` (i32) of `threads` threads, and does not wait for the other threads (bar.arrive).
void arriveNamed(KernelBuilder &kb, Value id, int64_t threads);
/// Sets the number of registers of each thread to `count` (setmaxnreg). If `isIncrease`, takes registers that other
/// warps have released. Otherwise, releases registers. Executed once by all warps of a warpgroup.
void setRegisters(KernelBuilder &kb, int64_t count, bool isIncrease);
/// Runs `body` in one lane of the warp (elect.sync).
void onElectedLane(KernelBuilder &kb, function_ref<void()> body);
/// Returns whether `condition` (i1) holds in any lane of the warp (i1).
Value anyInWarp(KernelBuilder &kb, Value condition);

//===--- copies ---===//

/// Starts a TMA copy of the box at `coordinates` of the tensor map `map` (a kernel operand, see KernelAbi.h) to the
/// shared address `to` (i32, a multiple of 128). Its bytes arrive at the mbarrier `barrier`. Called by one thread.
void startTmaCopy(KernelBuilder &kb, Value map, ArrayRef<Value> coordinates, Value to, Value barrier);

/// Starts a TMA copy from the shared address `from` (i32, a multiple of 128) to the box at `coordinates` of the tensor
/// map `map`. Elements outside the tensor are not written. Called by one thread, which must commit its copies as a
/// group.
void startTmaStore(KernelBuilder &kb, Value map, ArrayRef<Value> coordinates, Value from);
void commitTmaStores(KernelBuilder &kb);
/// Waits until the TMA copies that this thread has committed no longer read shared memory.
void awaitTmaReads(KernelBuilder &kb);

/// Stores four 8 x 8 matrices of 16-bit elements to shared memory (stmatrix). Lanes 8 n to 8 n + 7 pass the shared
/// addresses (i32) of the rows of matrix n. Lane l holds two elements of row l div 4 of each matrix.
void storeMatrices(KernelBuilder &kb, Value address, ValueRange matrices);

//===--- products ---===//

/// A matrix of 16-bit floats in shared memory, as TMA boxes in the 128-byte swizzle.
struct SwizzledMatrix {
  static constexpr int64_t boxColumns = 64, rowBytes = 128;

  Value address; ///< in shared memory, i32, a multiple of 1024
  int64_t rows, columns;

  int64_t boxBytes() const { return rows * rowBytes; }
  int64_t boxes() const { return llvm::divideCeil(columns, boxColumns); }
  int64_t bytes() const { return boxes() * boxBytes(); }
  /// Returns a matrix of the same shape that lies `bytes` bytes (i32) after this one in shared memory.
  SwizzledMatrix offset(KernelBuilder &kb, Value bytes) const;
  /// Returns a pointer to 16-byte chunk `chunk` (i32) of row `row` (i32).
  Value chunk(KernelBuilder &kb, Value row, Value chunk) const;
};

/// Builds products of a warpgroup (wgmma). Their sums have 64 rows. Each warp holds a tile of 16 rows, laid out as in
/// WarpProduct. Products are asynchronous: neither sums nor operands may be touched from the start of a product to the
/// `wait` that returns its sums.
class WarpgroupProduct {
public:
  WarpgroupProduct(KernelBuilder &kb, Type element) : kb(kb), element(element) {}

  /// Starts sums += left right, or left right^T if `isTransposed`, for `columns` columns of sums. Takes the 64 rows of
  /// `left` from `leftRow` (i32) on. Empty `sums` stand for zeros. Returns the sums, which are in flight until `wait`.
  TileSums multiply(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left, Value leftRow,
                    const SwizzledMatrix &right, bool isTransposed);
  /// Starts sums += left^T right, or left^T right^T if `isTransposed`, for `columns` columns of sums. The 64 rows of
  /// left^T are the columns of the first box of `left`. Terms are the rows of `left`.
  TileSums multiplyColumns(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left,
                           const SwizzledMatrix &right, bool isTransposed);
  /// Starts sums += left right, or left right^T if `isTransposed`, for `columns` columns of sums. The 64 rows of `left`
  /// are in registers, as `pack` returns them. If `accumulates` (i1) is given and false, sums = left right, whatever
  /// `sums` are.
  TileSums multiply(ArrayRef<Value> sums, int64_t columns, ArrayRef<Value> left, const SwizzledMatrix &right,
                    bool isTransposed, Value accumulates = {});
  /// Rounds a tile of sums to `element` and packs it as a left operand in registers, two elements in each i32.
  SmallVector<Value> pack(ArrayRef<Value> tile);
  /// Returns whether some element of `packed`, a result of `pack`, is infinite or NaN (i1).
  Value isNonFinite(ArrayRef<Value> packed);

  /// Builds wgmma.fence, which must precede a product whose registers were accessed before. Replaces `sums` and `left`
  /// by the values that must be passed to the product.
  void fence(MutableArrayRef<Value> sums, MutableArrayRef<Value> left);
  /// Commits all products since the last commit, as one wgmma group.
  void commit();
  /// Waits until at most the last `pending` wgmma groups are in flight. Returns the sums.
  TileSums wait(int64_t pending, ArrayRef<Value> sums);

private:
  struct LeftOperand;
  struct RightOperand;
  Value descriptor(const SwizzledMatrix &matrix, Value byteOffset, bool isTransposed);
  TileSums run(ArrayRef<Value> sums, int64_t columns, const LeftOperand &left, const RightOperand &right,
               Value accumulates = {});

  KernelBuilder &kb;
  Type element;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H
