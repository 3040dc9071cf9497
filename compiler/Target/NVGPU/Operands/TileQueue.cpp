//===- TileQueue.cpp - Tiles of a persistent kernel, by demand ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Operands/TileQueue.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr StringLiteral counterName = "xf_tiles_taken";
static constexpr unsigned globalSpace = 1;

/// Returns the counter of tiles in global memory, which all kernels of the image share. Creates it if needed. It is 0
/// when the image is loaded.
static LLVM::GlobalOp counterOf(func::FuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::GlobalOp>(counterName))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Type type = b.getI32Type();
  return LLVM::GlobalOp::create(b, kernel.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal, counterName,
                                b.getI32IntegerAttr(0), /*alignment=*/4, globalSpace);
}

TileQueue::TileQueue(func::FuncOp kernel, ThreadBlock &block)
    : block(block), counter(counterOf(kernel)), slots(block.shared(8, /*alignment=*/8)), barriers(block, /*count=*/4) {}

void TileQueue::init(int64_t readers) {
  for (int64_t slot : {0, 1}) {
    barriers.init(Full + slot, 1);
    barriers.init(Empty + slot, readers);
  }
}

Value TileQueue::parity(KernelBuilder &kb, Value n) { return arith::AndIOp::create(kb.b, kb.loc, n, i32(kb, 1)); }

Value TileQueue::number(Barrier barrier, Value n) {
  KernelBuilder &kb = block.kb;
  return arith::AddIOp::create(kb.b, kb.loc, parity(kb, n), i32(kb, barrier));
}

/// Waits until the slot of the n-th tile holds this tile (Full), or until the tile that the slot held before has been
/// read (Empty).
void TileQueue::wait(Barrier barrier, Value n) {
  KernelBuilder &kb = block.kb;
  Value round = arith::ShRUIOp::create(kb.b, kb.loc, n, i32(kb, 1));
  if (barrier == Empty)
    round = arith::AddIOp::create(kb.b, kb.loc, round, i32(kb, 1));
  barriers.wait(number(barrier, n), parity(kb, round));
}

Value TileQueue::slot(Value n) {
  KernelBuilder &kb = block.kb;
  Value number = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), parity(kb, n));
  return kb.at(kb.b.getI32Type(), slots, number);
}

Value TileQueue::readAgain(Value n) {
  KernelBuilder &kb = block.kb;
  Value tile = uniform(kb, kb.load(kb.b.getI32Type(), slot(n), 4));
  return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), tile);
}

/// Waits until the slot of the thread block's n-th tile is empty, and writes `tile` to it.
void TileQueue::publish(Value tile, Value n) {
  KernelBuilder &kb = block.kb;
  wait(Empty, n);
  onElectedLane(kb, [&] {
    kb.store(toI32(kb, tile), slot(n), 4);
    barriers.arrive(number(Full, n));
  });
  block.synchronizeWarp(); // readAgain
}

/// Takes a tile: adds 1 to the counter. Returns the counter's value before (i32, in lane 0), the number of tiles that
/// thread blocks have taken by the counter so far.
Value TileQueue::take() {
  KernelBuilder &kb = block.kb;
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, block.lane, kb.integer(0)), none = i32(kb, 0);
  auto increment = [&] {
    Value address = LLVM::AddressOfOp::create(kb.b, kb.loc, counter), last = toI32(kb, kb.add(block.tiles(), -1));
    return SmallVector<Value>{LLVM::AtomicRMWOp::create(kb.b, kb.loc, LLVM::AtomicBinOp::uinc_wrap, address, last,
                                                        LLVM::AtomicOrdering::monotonic, "device")};
  };
  return kb.ifElse(isFirst, none.getType(), increment, [&] { return SmallVector<Value>{none}; })[0];
}

/// Builds n = 0; while (hasTile(n, state)) { state = body(n, state); ++n }. Returns the last state.
static SmallVector<Value> countTiles(KernelBuilder &kb, ValueRange state,
                                     function_ref<Value(Value n, ValueRange state)> hasTile,
                                     function_ref<SmallVector<Value>(Value n, ValueRange state)> body) {
  SmallVector<Value> start = {i32(kb, 0)};
  llvm::append_range(start, state);
  SmallVector<Value> last = kb.repeat(start, [&](ValueRange carried) {
    Value n = carried[0], again = hasTile(n, carried.drop_front());
    auto work = [&] {
      SmallVector<Value> next = body(n, carried.drop_front());
      next.insert(next.begin(), arith::AddIOp::create(kb.b, kb.loc, n, i32(kb, 1)));
      return next;
    };
    auto next = kb.ifElse(again, carried.getTypes(), work, [&] { return SmallVector<Value>(carried); });
    next.push_back(again);
    return next;
  });
  last.erase(last.begin());
  return last;
}

SmallVector<Value> TileQueue::forFetched(ValueRange state, Body body) {
  KernelBuilder &kb = block.kb;
  SmallVector<Value> start = {block.number()};
  llvm::append_range(start, state);
  auto hasTile = [&](Value n, ValueRange carried) {
    publish(carried[0], n);
    return kb.compare(arith::CmpIPredicate::slt, carried[0], block.tiles());
  };
  SmallVector<Value> last = countTiles(kb, start, hasTile, [&](Value n, ValueRange carried) {
    Value taken = take(); // comes while the warp works
    SmallVector<Value> next = body(carried[0], n, carried.drop_front());
    Value following = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), uniform(kb, taken));
    next.insert(next.begin(), kb.add(block.count(), following));
    return next;
  });
  last.erase(last.begin());
  return last;
}

SmallVector<Value> TileQueue::forRead(ValueRange state, Body body) {
  KernelBuilder &kb = block.kb;
  Value tile;
  auto hasTile = [&](Value n, ValueRange) {
    wait(Full, n);
    tile = readAgain(n);
    return kb.compare(arith::CmpIPredicate::slt, tile, block.tiles());
  };
  return countTiles(kb, state, hasTile, [&](Value n, ValueRange carried) {
    SmallVector<Value> next = body(tile, n, carried);
    onElectedLane(kb, [&] { barriers.arrive(number(Empty, n)); });
    return next;
  });
}
