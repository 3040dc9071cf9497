//===- AttendGroup.cpp - What warpgroups copy for attention ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendGroup.h"
#include "compiler/Target/Kernel/VectorConvert.h"
#include "dialects/xft/IR/XftBoxes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static Value addI32(KernelBuilder &kb, Value x, Value y) { return arith::AddIOp::create(kb.b, kb.loc, x, y); }
static Value mulI32(KernelBuilder &kb, Value x, int64_t y) {
  return arith::MulIOp::create(kb.b, kb.loc, x, i32(kb, y));
}

/// Barriers are [matrix][full, empty][stage].
Value KeyStages::number(Matrix matrix, bool isEmpty, Value stage) {
  return addI32(kb, stage, i32(kb, (2 * matrix + isEmpty) * stages));
}

void KeyStages::init(int64_t arrivals) {
  for (int64_t n = 0; n < 4 * stages; ++n)
    barriers.init(n, n / stages % 2 ? arrivals : 1);
}

BoxMatrix KeyStages::at(Matrix matrix, Value stage) {
  const BoxMatrix &first = matrix == Keys ? keys : values;
  stage = uniform(kb, stage);
  return first.offset(kb, mulI32(kb, stage, first.bytes()));
}

void KeyStages::waitFull(Matrix matrix, const RingPlace &place) {
  barriers.wait(number(matrix, false, place.stage), place.parity);
}

void KeyStages::waitEmpty(Matrix matrix, const RingPlace &place) {
  Value before = arith::XOrIOp::create(kb.b, kb.loc, place.parity, i32(kb, 1)); // the round before this one
  barriers.wait(number(matrix, true, place.stage), before);
}

void KeyStages::release(Matrix matrix, const RingPlace &place) {
  onElectedLane(kb, [&] { barriers.arrive(number(matrix, true, place.stage)); });
}

Value KeyStages::expect(Matrix matrix, const RingPlace &place) {
  Value barrier = number(matrix, false, place.stage);
  barriers.expect(barrier, (matrix == Keys ? keys : values).bytes());
  return barriers.at(barrier);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

static BoxMatrix shareBoxes(ThreadBlock &block, int64_t rows, int64_t columns, int64_t stages) {
  constexpr int64_t swizzleBytes = 1024; // after which its pattern repeats
  BoxMatrix matrix{Value(), rows, columns};
  matrix.address = block.sharedAddress(block.shared(stages * matrix.bytes(), swizzleBytes));
  return matrix;
}

AttendGroupKernel::AttendGroupKernel(xft::AttendOp op, KernelBuilder &kb)
    : AttendKernel(op, kb, (op.getWarpgroupsAttr().getConsumers() + 1) * threadsOfGroup),
      consumers(op.getWarpgroupsAttr().getConsumers()), isCareful(op.getCareful()), groups(kb, product.element) {
  int64_t stages = op.getWarpgroupsAttr().getStages();
  queryBoxes = shareBoxes(block, blockRows, std::max(columns, valueColumns), 1); // and of o
  queryBoxes.columns = columns;
  BoxMatrix keys = shareBoxes(block, blockKeys, columns, stages);
  BoxMatrix values = shareBoxes(block, blockKeys, valueColumns, stages);
  ring.emplace(block, stages, keys, values);
  func::FuncOp kernel = op->getParentOfType<func::FuncOp>();
  for (size_t n = 0; n < kernel->getAttrOfType<ArrayAttr>(xft::tensorMapsAttrName).size(); ++n)
    maps.push_back(kernel.getBody().front().addArgument(kb.pointer(), kb.loc));
}

/// Named barriers: 1 and 2 are turns; those of groups come behind, and last that of all of them.
static Value barrierOf(AttendGroupKernel &k, int64_t first) { return addI32(k.kb, k.group, i32(k.kb, first)); }

void AttendGroupKernel::synchronizeGroup() { synchronizeNamed(kb, barrierOf(*this, 3), threadsOfGroup); }

void AttendGroupKernel::synchronizeConsumers() {
  synchronizeNamed(kb, i32(kb, 3 + consumers), consumers * threadsOfGroup);
}

void AttendGroupKernel::waitForTurn() {
  if (takesTurns())
    synchronizeNamed(kb, barrierOf(*this, 1), 2 * threadsOfGroup);
}

void AttendGroupKernel::passTurn() {
  if (takesTurns())
    arriveNamed(kb, arith::SubIOp::create(kb.b, kb.loc, i32(kb, 2), group), 2 * threadsOfGroup);
}

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

namespace {
/// Where the ranks of one copy lie.
struct RankCopies {
  AttendGroupKernel &k;
  xft::RankBoxes boxes;
  Value head, barrier;
  BoxMatrix to;
  SmallVector<Value> maps;

  /// Copies one box for each 64 columns, `rows` of them from row `first` of `to` on.
  void copy(Value map, ArrayRef<Value> rowCoordinates, int64_t firstRow);
};
} // namespace

void RankCopies::copy(Value map, ArrayRef<Value> rowCoordinates, int64_t firstRow) {
  KernelBuilder &kb = k.kb;
  for (int64_t box = 0; box < to.boxes(); ++box) {
    SmallVector<Value> coordinates = {i32(kb, box * BoxMatrix::boxColumns)};
    for (Value coordinate : rowCoordinates)
      coordinates.push_back(toI32(kb, coordinate));
    coordinates.append({toI32(kb, head), toI32(kb, k.b)});
    Value address = addI32(kb, to.address, i32(kb, box * to.boxBytes() + firstRow * BoxMatrix::rowBytes));
    copyBox(kb, map, coordinates, address, barrier);
  }
}

void nvgpu::copyRanks(AttendGroupKernel &k, PieceAttr piece, KeyStages::Matrix matrix, Value rank, const BoxMatrix &to,
                      Value barrier) {
  KernelBuilder &kb = k.kb;
  bool isKeys = matrix == KeyStages::Keys;
  Value operand = isKeys ? k.op.getKeys()[0] : k.op.getValues()[0];
  RankCopies copies{k, {piece.getKeys(), k.blockKeys}, isKeys ? k.keyHead : k.valueHead, barrier, to, {}};
  auto listed = k.op->getParentOfType<func::FuncOp>()->getAttrOfType<ArrayAttr>(xft::tensorMapsAttrName);
  for (xft::TensorMapAttr map : copies.boxes.maps(cast<BlockArgument>(operand).getArgNumber() - xft::kernelPrefix))
    copies.maps.push_back(k.maps[llvm::find(listed, map) - listed.begin()]);
  ResidueMap ranks = ResidueMap::of(kb, piece.getKeys(), k.r);
  if (copies.boxes.isStrided()) {
    Value hasMore = kb.compare(slt, ranks.start, kb.rem(k.nk, kb.integer(piece.getKeys().getPeriod())));
    auto copyFrom = [&](size_t n) {
      return [&, n] {
        copies.copy(copies.maps[n], {ranks.start, rank}, 0);
        return SmallVector<Value>();
      };
    };
    kb.ifElse(hasMore, {}, copyFrom(0), copyFrom(1));
    return;
  }
  for (int64_t first = 0; first < k.blockKeys; first += copies.boxes.rows())
    copies.copy(copies.maps[0], {ranks.at(kb, kb.add(rank, first))}, first);
}

//===----------------------------------------------------------------------===//
// Queries and outputs
//===----------------------------------------------------------------------===//

/// body(row of the group, i64; 16 bytes of it, i64) for all of `columns` columns, each in one thread of the group.
static void forChunks(AttendGroupKernel &k, int64_t columns, function_ref<void(Value row, Value chunk)> body) {
  KernelBuilder &kb = k.kb;
  int64_t chunks = llvm::divideCeil(columns, 8);
  Value thread = kb.floorMod(k.block.thread, threadsOfGroup);
  kb.loop(thread, kb.integer(groupRows * chunks), threadsOfGroup,
          [&](Value n) { body(kb.floorDiv(n, chunks), kb.floorMod(n, chunks)); });
}

static Type chunkType(AttendGroupKernel &k) { return k.kb.vector(k.kb.b.getI32Type(), 4); }

void nvgpu::copyGroupQueries(AttendGroupKernel &k) {
  KernelBuilder &kb = k.kb;
  k.synchronizeGroup(); // the task before has read its own
  forChunks(k, k.columns, [&](Value row, Value chunk) {
    Value inBlock = kb.add(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), k.groupRow), row);
    Value from = kb.at(k.q.element, atRow(k, k.q, k.rowOf(inBlock)), kb.mul(chunk, 8));
    Value exists = kb.compare(slt, chunk, kb.integer(k.depth / 8));
    auto load = [&]() -> SmallVector<Value> { return {kb.load(chunkType(k), from, 16)}; };
    auto zero = [&]() -> SmallVector<Value> { return {kb.integerOf(chunkType(k), 0)}; };
    Value values = kb.ifElse(exists, chunkType(k), load, zero)[0];
    kb.store(values, k.queryBoxes.chunk(kb, toI32(kb, inBlock), toI32(kb, chunk)), 16);
  });
  fenceShared(kb);
  k.synchronizeGroup();
}

void nvgpu::storeGroupOutput(AttendGroupKernel &k, ArrayRef<Value> tile) {
  KernelBuilder &kb = k.kb;
  BoxMatrix boxes = k.queryBoxes;
  boxes.columns = k.valueColumns;
  SmallVector<Value> packed = k.groups.pack(tile);
  // Forgotten, or the addresses of all elements would be kept in registers from the first task on.
  Value inBlock = forget(kb, kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(0)));
  k.synchronizeGroup(); // Q has been read
  for (size_t n = 0; n < packed.size(); ++n) { // 2 columns of atom n / 2
    Value row = addI32(kb, toI32(kb, inBlock), i32(kb, 8 * (n % 2)));
    Value chunk = boxes.chunk(kb, row, i32(kb, n / 2));
    kb.store(packed[n], kb.at(k.o.element, chunk, k.product.column()), 4);
  }
  k.synchronizeGroup();
  forChunks(k, k.valueDepth, [&](Value row, Value chunk) {
    Value inBlock = kb.add(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), k.groupRow), row);
    kb.ifThen(kb.compare(slt, inBlock, k.rowCount), [&] {
      Value values = kb.load(chunkType(k), boxes.chunk(kb, toI32(kb, inBlock), toI32(kb, chunk)), 16);
      kb.store(values, kb.at(k.o.element, atRow(k, k.o, k.rowOf(inBlock)), kb.mul(chunk, 8)), 16);
    });
  });
}
