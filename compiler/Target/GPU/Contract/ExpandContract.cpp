//===- ExpandContract.cpp - Products become code of warps -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of `xft.contract`. A thread block computes a tile of C: `block` rows by `columns` columns. It has
// `warps` warps. Warp w computes 16 rows of the tile from 16 w on, and every warps-th group of 16 rows after them.
// Terms come in runs, which asynchronous copies buffer in several stages:
//
//   sums = 0
//   for each run of terms
//     copy A[block, terms], B[terms, columns] of a later run to shared memory, by all threads
//     sums += A B, each warp its rows
//   out.. = epilogue(sums, in..)
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Contract/ContractOutputs.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Operands/CopyTile.h"
#include "compiler/Target/GPU/Operands/SharedMemoryPipeline.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
class ContractExpander {
public:
  ContractExpander(xft::ContractOp op, KernelBuilder &kb);
  void expand();

private:
  /// A thread block has `warps` warps and at most `mostStages` stages. Three stages suffice: while one run of terms is
  /// multiplied, two others are in flight.
  static constexpr int64_t warps = 4, mostStages = 3;
  void locate(Value tile);
  void enter(Value stage);
  void copyRun(Value term);
  void multiplyRun(MutableArrayRef<TileSums> sums);
  SmallVector<TileSums> sumUp();
  void store(ArrayRef<TileSums> sums);

  xft::ContractOp op;
  KernelBuilder &kb;
  ThreadBlock block;
  View a, b;
  ContractOutputs outputs;
  WarpProduct product;
  Stages stages;
  int64_t columns, rowTiles, run;
  bool isTransposed;             ///< whether B lies in shared memory column by column
  SharedMatrix sharedA, sharedB; ///< parts of A and B of the current run
  int64_t placeA, placeB;        ///< offsets in a stage
  Value m, n, k;

  // The tile.
  Value firstRow, firstColumn;
};
} // namespace

static int64_t lastStride(Value memref, int64_t fromEnd) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset);
  return strides[strides.size() - fromEnd];
}

ContractExpander::ContractExpander(xft::ContractOp op, KernelBuilder &kb)
    : op(op), kb(kb), block(op->getParentOfType<func::FuncOp>(), kb, warps * ThreadBlock::warpSize),
      a(View::of(kb, op.getA())), b(View::of(kb, op.getB())), outputs(op, kb), product(block, a.element),
      stages(block) {
  columns = op.getColumns();
  rowTiles = op.getBlock() / (warps * WarpProduct::tileRows);
  run = 512 / a.element.getIntOrFloatBitWidth(); // terms in 64 bytes
  isTransposed = lastStride(op.getB(), 2) == 1;
  int64_t bytes = a.element.getIntOrFloatBitWidth() / 8, rowsB = isTransposed ? columns : run;
  sharedA = {Value(), a.element, product.pitch(run)};
  sharedB = {Value(), a.element, product.pitch(isTransposed ? run : columns)};
  placeA = stages.add(op.getBlock() * sharedA.pitch * bytes);
  placeB = stages.add(rowsB * sharedB.pitch * bytes);
  stages.allocate(mostStages);
  m = a.sizes.end()[-2];
  k = a.sizes.back();
  n = b.sizes.back();
}

/// Decodes the index of a tile: selects the matrix of the batch and sets the tile's first row and column. Row blocks
/// vary fastest, then column blocks, then matrices.
void ContractExpander::locate(Value tile) {
  Value rowBlocks = kb.ceilDiv(m, op.getBlock()), columnBlocks = kb.ceilDiv(n, columns);
  firstRow = kb.mul(kb.rem(tile, rowBlocks), op.getBlock());
  Value rest = kb.div(tile, rowBlocks);
  firstColumn = kb.mul(kb.rem(rest, columnBlocks), columns);
  outputs.locate(a, kb.div(rest, columnBlocks));
}

void ContractExpander::enter(Value stage) {
  sharedA.pointer = stages.at(stage, placeA);
  sharedB.pointer = stages.at(stage, placeB);
}

void ContractExpander::copyRun(Value term) {
  Value left = kb.sub(k, term), zero = kb.integer(0);
  auto rowExists = [&](Value row) { return kb.compare(slt, kb.add(firstRow, row), m); };
  auto rowOfA = [&](Value row) { return outputs.at(a, kb.add(firstRow, row), term); };
  bool isRowMajor = lastStride(op.getA(), 1) == 1;
  copyTile(block, sharedA, op.getBlock(), run,
           {rowOfA, rowExists, left, isRowMajor ? Value() : a.strides.back(),
            isRowMajor ? isAligned(kb, a.element, outputs.at(a, zero, zero), {a.strides.end()[-2]}, k) : Value(),
            lastStride(op.getA(), 2) == 1});
  if (isTransposed) {
    auto exists = [&](Value column) { return kb.compare(slt, kb.add(firstColumn, column), n); };
    auto columnOfB = [&](Value column) { return outputs.at(b, term, kb.add(firstColumn, column)); };
    copyTile(
        block, sharedB, columns, run,
        {columnOfB, exists, left, Value(), isAligned(kb, b.element, outputs.at(b, zero, zero), {b.strides.back()}, k)});
    return;
  }
  bool isContiguous = lastStride(op.getB(), 1) == 1;
  auto exists = [&](Value row) { return kb.compare(slt, row, left); };
  auto rowOfB = [&](Value row) { return outputs.at(b, kb.add(term, row), firstColumn); };
  copyTile(block, sharedB, run, columns,
           {rowOfB, exists, kb.sub(n, firstColumn), isContiguous ? Value() : b.strides.back(),
            isContiguous ? isAligned(kb, b.element, outputs.at(b, zero, zero), {b.strides.end()[-2]}, n) : Value()});
}

void ContractExpander::multiplyRun(MutableArrayRef<TileSums> sums) {
  for (int64_t term = 0; term < run; term += product.terms())
    for (auto [number, tile] : llvm::enumerate(sums)) {
      Value row = kb.mul(kb.add(block.warp, number * warps), WarpProduct::tileRows);
      WarpProduct::Left left = product.loadLeft(sharedA, row, kb.integer(term));
      product.multiply(tile, left, sharedB, isTransposed, kb.integer(term));
    }
}

SmallVector<TileSums> ContractExpander::sumUp() {
  SmallVector<Value> state;
  for (int64_t tile = 0; tile < rowTiles; ++tile)
    state.append(product.zeros(columns));
  size_t size = state.size() / rowTiles;
  auto split = [&](ArrayRef<Value> values) {
    SmallVector<TileSums> tiles;
    for (int64_t tile = 0; tile < rowTiles; ++tile)
      tiles.emplace_back(values.slice(tile * size, size));
    return tiles;
  };
  auto find = [&](Value from) -> FoundBlock {
    block.synchronize();
    return {from};
  };
  auto fetch = [&](ArrayRef<Value> found, Value stage) {
    enter(stage);
    copyRun(found[0]);
  };
  auto multiply = [&](ArrayRef<Value>, Value stage, ValueRange carried) {
    enter(stage);
    SmallVector<TileSums> sums = split(SmallVector<Value>(carried));
    multiplyRun(sums);
    SmallVector<Value> next;
    for (const TileSums &tile : sums)
      next.append(tile);
    return next;
  };
  return split(streamBlocks(block, stages, {kb.integer(0), k, run}, state, {find, fetch, multiply}));
}

void ContractExpander::store(ArrayRef<TileSums> sums) {
  for (auto [number, tile] : llvm::enumerate(sums))
    for (int64_t e = 0; e < static_cast<int64_t>(tile.size()); ++e) {
      Value inBlock = kb.mul(kb.add(block.warp, number * warps), WarpProduct::tileRows);
      Value row = kb.add(firstRow, kb.add(inBlock, product.row(e % 4 / 2)));
      Value column = kb.add(firstColumn, kb.add(product.column(), e / 4 * WarpProduct::atomColumns + e % 2));
      Value exists = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, row, m), kb.compare(slt, column, n));
      kb.ifThen(exists, [&] { outputs.store(tile[e], row, column, /*lanes=*/1); });
    }
}

void ContractExpander::expand() {
  block.forTiles([&](Value tile) {
    locate(tile);
    store(sumUp());
  });
  block.finish();
  op.erase();
}

LogicalResult xf::gpu::expandContract(xft::ContractOp op, KernelBuilder &kb) {
  ContractExpander(op, kb).expand();
  return success();
}
