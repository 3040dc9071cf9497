//===- Warpgroup.h - What groups of four warps do on Hopper --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vocabulary of kernels with roles: some warps copy, others compute, and barriers in shared memory hand stages of a
// ring from one to the other.
//
//   copying                                computing
//   wait until stage s is empty            wait until stage s is full
//   expect so many bytes, start copies     products that read it
//     .. copies arrive: s is full          wait for the products; arrive: s is empty
//
// Matrices that products read in shared memory are *boxes* of 64 columns, rows 128 bytes long, in the swizzle of 128
// bytes: the 16 bytes of number c of row r lie at number c xor (r mod 8). One box follows the other.
//
// PTX ISA: "mbarrier", "cp.async.bulk.tensor", "wgmma.mma_async", "Matrix Fragments for wgmma", "setmaxnreg".
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H

#include "compiler/Target/NVGPU/Machine/WarpProduct.h"

namespace mlir::xf::nvgpu {

/// Numbers of 32 bits.
Value toI32(KernelBuilder &kb, Value x);
Value i32(KernelBuilder &kb, int64_t value);

//===--- barriers in shared memory ---===//

/// Barriers beside each other. A barrier's phases are told apart by their parity: waiting for phase p of a new barrier
/// returns at once for p = 1.
class SharedBarriers {
public:
  SharedBarriers(ThreadBlock &block, int64_t count);

  /// By one thread, before all others use it.
  void init(int64_t n, int64_t arrivals);
  void wait(Value n, Value parity);
  void arrive(Value n);
  /// Arrives, and has the phase wait for `bytes` that copies bring.
  void expect(Value n, int64_t bytes);
  /// Barrier n, to be told to copies.
  Value at(Value n);

private:
  ThreadBlock &block;
  Value first;
};

/// Makes the initialisation of barriers visible to copies.
void fenceBarriers(KernelBuilder &kb);
/// Makes what this thread wrote to shared memory visible to copies and products that are asynchronous.
void fenceShared(KernelBuilder &kb);

/// A place in a ring of stages, as i32: the stage, and the parity of the round.
struct PipelineState {
  Value stage, parity;
  /// The one after, in a ring of `stages`.
  PipelineState next(KernelBuilder &kb, int64_t stages) const;
};

//===--- warps and registers ---===//

constexpr int64_t warpsOfWarpgroup = 4, threadsOfWarpgroup = 128;

/// x (i32), which is the same in all lanes of the warp, read from lane 0: so ptxas knows, and keeps it, and descriptors
/// made of it, in uniform registers.
Value uniform(KernelBuilder &kb, Value x);
/// x (i64), but nothing is known of it any more: what is computed from it is computed, not kept from before.
Value forget(KernelBuilder &kb, Value x);
/// Barrier `id` (i32) of the block for `threads` threads; arriving does not wait.
void synchronizeNamed(KernelBuilder &kb, Value id, int64_t threads);
void arriveNamed(KernelBuilder &kb, Value id, int64_t threads);
/// Hands registers of each thread back, or takes them, until it has `count`: once for all warps of a group.
void setRegisters(KernelBuilder &kb, int64_t count, bool isIncrease);
/// Runs `body` in one lane of the warp.
void onElectedLane(KernelBuilder &kb, function_ref<void()> body);
/// Whether `condition` holds in some lane of the warp.
Value anyInWarp(KernelBuilder &kb, Value condition);

//===--- copies ---===//

/// Copies a box of the tensor map `map` (an operand that KernelAbi gives the kernel) to the shared address `to` (i32),
/// a multiple of 128; its bytes arrive at `barrier`. By one thread.
void startTmaCopy(KernelBuilder &kb, Value map, ArrayRef<Value> coordinates, Value to, Value barrier);

//===--- products ---===//

/// A matrix of 16-bit floats in boxes.
struct SwizzledMatrix {
  static constexpr int64_t boxColumns = 64, rowBytes = 128;

  Value address; ///< in shared memory, i32, a multiple of 1024
  int64_t rows, columns;

  int64_t boxBytes() const { return rows * rowBytes; }
  int64_t boxes() const { return llvm::divideCeil(columns, boxColumns); }
  int64_t bytes() const { return boxes() * boxBytes(); }
  /// The same matrix so many bytes further.
  SwizzledMatrix offset(KernelBuilder &kb, Value bytes) const;
  /// The pointer to 16 bytes: number `chunk` (i32, constant part apart) of a row.
  Value chunk(KernelBuilder &kb, Value row, Value chunk) const;
};

/// Products of a group of warps, 64 rows of sums, of which each warp has a tile as WarpProduct describes it. They are
/// asynchronous: sums and operands must not be touched from the product on until `wait` has given the sums back.
class WarpgroupProduct {
public:
  WarpgroupProduct(KernelBuilder &kb, Type element) : kb(kb), element(element) {}

  /// Sums of `columns` columns, over 64 rows of `left` from `leftRow` (i32) on: those of left right, or of left right^T
  /// where `isTransposed`; added to `sums` unless these are empty.
  TileSums multiply(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left, Value leftRow,
                    const SwizzledMatrix &right, bool isTransposed);
  /// The same of 64 rows of left^T, which are a box of `left`: sums over the rows of the box.
  TileSums multiplyColumns(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left,
                           const SwizzledMatrix &right, bool isTransposed);
  /// The same with the left operand in registers, as `pack` gives it.
  TileSums multiply(ArrayRef<Value> sums, int64_t columns, ArrayRef<Value> left, const SwizzledMatrix &right,
                    bool isTransposed);
  /// A tile of sums rounded to `element`: a left operand.
  SmallVector<Value> pack(ArrayRef<Value> tile);

  /// Before a product: registers have their values. Gives back the sums and left operands that it takes.
  void fence(MutableArrayRef<Value> sums, MutableArrayRef<Value> left);
  /// Products since the last one are a group.
  void commit();
  /// Waits until all groups but the last `pending` are done, and gives sums back.
  TileSums wait(int64_t pending, ArrayRef<Value> sums);

private:
  struct LeftOperand;
  Value descriptor(const SwizzledMatrix &matrix, Value byteOffset, bool isTransposed);
  TileSums run(ArrayRef<Value> sums, int64_t columns, const LeftOperand &left, const SwizzledMatrix &right,
               int64_t terms, bool isTransposed);

  KernelBuilder &kb;
  Type element;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_WARPGROUP_H
