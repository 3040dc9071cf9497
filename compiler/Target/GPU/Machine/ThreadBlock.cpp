//===- ThreadBlock.cpp - The threads that run a kernel's tile -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr StringLiteral sharedName = "xf_shared";

static Value integer32(KernelBuilder &kb, int64_t value) { return kb.integerOf(kb.b.getI32Type(), value); }

Value ThreadBlock::readRegister(Value special) { return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), special); }

ThreadBlock::ThreadBlock(func::FuncOp kernel, KernelBuilder &kb, int64_t threads)
    : kb(kb), threads(threads), kernel(kernel), gpu(machineOf(kb).instructions()) {
  Value inBlock = gpu.threadNumber(kb);
  thread = readRegister(inBlock);
  lane = readRegister(arith::AndIOp::create(kb.b, kb.loc, inBlock, integer32(kb, warpSize - 1)));
  Value warpNumber = arith::ShRUIOp::create(kb.b, kb.loc, inBlock, integer32(kb, llvm::Log2_64(warpSize)));
  // Read from lane 0, so that values derived from it stay in uniform registers.
  warp = readRegister(gpu.fromLane(kb, warpNumber, integer32(kb, 0)));
}

Value ThreadBlock::tiles() { return kernel.getArgument(1); }

void ThreadBlock::forTiles(function_ref<void(Value tile)> body) {
  forTiles(ValueRange(), [&](Value tile, ValueRange) {
    body(tile);
    return SmallVector<Value>();
  });
}

SmallVector<Value> ThreadBlock::forTiles(ValueRange state, KernelBuilder::LoopBody body) {
  Value first = number(), step = count();
  auto loop = scf::ForOp::create(kb.b, kb.loc, first, tiles(), step, state,
                                 [&](OpBuilder &, Location, Value tile, ValueRange carried) {
                                   OpBuilder::InsertionGuard guard(kb.b);
                                   kb.b.setInsertionPointToEnd(tile.getParentBlock());
                                   SmallVector<Value> next = body(tile, carried);
                                   scf::YieldOp::create(kb.b, kb.loc, next);
                                 });
  return SmallVector<Value>(loop.getResults());
}

Value ThreadBlock::anyTile(function_ref<Value(Value tile)> holds) {
  Value step = count(), no = kb.constant(kb.b.getBoolAttr(false));
  Value first = kb.add(number(), kb.mul(thread, step));
  auto found = kb.loop(first, tiles(), kb.mul(step, threads), no, [&](Value tile, ValueRange before) {
    return SmallVector<Value>{arith::OrIOp::create(kb.b, kb.loc, before[0], holds(tile))};
  });
  return any(found[0]);
}

void ThreadBlock::onFirstLane(function_ref<void()> body) {
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, lane, kb.integer(0)), body);
}

void ThreadBlock::synchronize() { gpu.synchronize(kb); }

void ThreadBlock::synchronizeWarp() { gpu.synchronizeWarp(kb); }

Value ThreadBlock::any(Value condition) { return gpu.any(kb, condition); }

Value ThreadBlock::ballot(Value condition) { return gpu.ballot(kb, condition); }

Value ThreadBlock::leastOfWarp(Value x) { return gpu.leastOfWarp(kb, x); }

Value ThreadBlock::greatestOfWarp(Value x) { return gpu.greatestOfWarp(kb, x); }

Value ThreadBlock::matchLanes(Value x) { return gpu.matchLanes(kb, x); }

void ThreadBlock::startCopy(Value to, Value from, Value bytes) { gpu.startCopy(kb, to, from, bytes); }

void ThreadBlock::groupCopies() { gpu.groupCopies(kb); }

void ThreadBlock::awaitCopies(int64_t pending) { gpu.awaitCopies(kb, pending); }

/// Returns the bits of a scalar of at most 32 bits as an i32.
static Value toBits(KernelBuilder &kb, Value x) {
  unsigned width = x.getType().getIntOrFloatBitWidth();
  Type bits = kb.b.getIntegerType(width);
  if (x.getType() != bits)
    x = arith::BitcastOp::create(kb.b, kb.loc, bits, x);
  return width < 32 ? Value(arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI32Type(), x)) : x;
}

static Value fromBits(KernelBuilder &kb, Value bits, Type type) {
  Type narrow = kb.b.getIntegerType(type.getIntOrFloatBitWidth());
  if (bits.getType() != narrow)
    bits = arith::TruncIOp::create(kb.b, kb.loc, narrow, bits);
  return type == narrow ? bits : Value(arith::BitcastOp::create(kb.b, kb.loc, type, bits));
}

Value ThreadBlock::shuffle(Value x, function_ref<Value(Value bits)> move) {
  if (auto vector = dyn_cast<VectorType>(x.getType())) {
    Value scalar = vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0});
    return vector::BroadcastOp::create(kb.b, kb.loc, vector, shuffle(scalar, move));
  }
  Type type = x.getType(), i32 = kb.b.getI32Type();
  if (type.getIntOrFloatBitWidth() <= 32)
    return fromBits(kb, move(toBits(kb, x)), type);
  Type i64 = kb.i64();
  Value bits = type == i64 ? x : Value(arith::BitcastOp::create(kb.b, kb.loc, i64, x)), half = kb.integer(32);
  Value low = move(arith::TruncIOp::create(kb.b, kb.loc, i32, bits));
  Value high = move(arith::TruncIOp::create(kb.b, kb.loc, i32, arith::ShRUIOp::create(kb.b, kb.loc, bits, half)));
  Value upper = arith::ShLIOp::create(kb.b, kb.loc, arith::ExtUIOp::create(kb.b, kb.loc, i64, high), half);
  Value whole = arith::OrIOp::create(kb.b, kb.loc, upper, arith::ExtUIOp::create(kb.b, kb.loc, i64, low));
  return type == i64 ? whole : Value(arith::BitcastOp::create(kb.b, kb.loc, type, whole));
}

Value ThreadBlock::exchange(Value x, int64_t mask) {
  Value differs = integer32(kb, mask);
  return shuffle(x, [&](Value bits) { return gpu.exchange(kb, bits, differs); });
}

Value ThreadBlock::fromLane(Value x, Value from) {
  Value source = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), from);
  return shuffle(x, [&](Value bits) { return gpu.fromLane(kb, bits, source); });
}

/// Returns the module's global array of dynamic shared memory, and creates it if needed. Its size is set at the launch.
static LLVM::GlobalOp sharedArray(func::FuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::GlobalOp>(sharedName))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  return LLVM::GlobalOp::create(b, kernel.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External, sharedName,
                                Attribute(), /*alignment=*/1024, /*addrSpace=*/3);
}

Value ThreadBlock::shared(int64_t bytes, int64_t alignment) {
  int64_t offset = llvm::alignTo(sharedBytes, alignment);
  sharedBytes = offset + bytes;
  Value array = LLVM::AddressOfOp::create(kb.b, kb.loc, sharedArray(kernel));
  Value generic = LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, kb.pointer(), array);
  return kb.at(kb.b.getI8Type(), generic, offset);
}

void ThreadBlock::finish() {
  kernel->setAttr(threadsAttrName, kb.b.getI64IntegerAttr(threads));
  kernel->setAttr(sharedBytesAttrName, kb.b.getI64IntegerAttr(sharedBytes));
  constexpr int64_t reserved = 1024; // shared memory of each block
  int64_t resident = std::min(machineOf(kb).processorSharedBytes / (sharedBytes + reserved), residentBlocks);
  if (resident > 1)
    kernel->setAttr(residentBlocksAttrName, kb.b.getI64IntegerAttr(resident));
}
