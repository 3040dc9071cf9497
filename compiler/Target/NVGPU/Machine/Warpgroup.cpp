//===- Warpgroup.cpp - Barriers, copies and registers of warpgroups -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

Value nvgpu::toI32(KernelBuilder &kb, Value x) { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), x); }

Value nvgpu::i32(KernelBuilder &kb, int64_t value) { return kb.integerOf(kb.b.getI32Type(), value); }

static LLVM::LLVMPointerType sharedPointer(KernelBuilder &kb) {
  return LLVM::LLVMPointerType::get(kb.b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
}

Value nvgpu::sharedAddress(KernelBuilder &kb, Value pointer) {
  // LLVM folds the cast of a cast, but not that of a cast with an offset.
  auto offset = pointer.getDefiningOp<LLVM::GEPOp>();
  auto array = offset && offset.getDynamicIndices().empty() ? offset.getBase().getDefiningOp<LLVM::AddrSpaceCastOp>()
                                                            : LLVM::AddrSpaceCastOp();
  Value shared;
  if (array && array.getArg().getType() == sharedPointer(kb)) {
    auto indices = llvm::to_vector_of<LLVM::GEPArg>(offset.getRawConstantIndices());
    shared = LLVM::GEPOp::create(kb.b, kb.loc, sharedPointer(kb), offset.getElemType(), array.getArg(), indices,
                                 LLVM::GEPNoWrapFlags::inbounds);
  } else {
    shared = LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, sharedPointer(kb), pointer);
  }
  return LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.b.getI32Type(), shared);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

SharedBarriers::SharedBarriers(ThreadBlock &block, int64_t count)
    : block(block), first(sharedAddress(block.kb, block.shared(8 * count, /*alignment=*/8))) {}

Value SharedBarriers::at(Value n) {
  KernelBuilder &kb = block.kb;
  Value address = arith::AddIOp::create(kb.b, kb.loc, first, arith::MulIOp::create(kb.b, kb.loc, n, i32(kb, 8)));
  return LLVM::IntToPtrOp::create(kb.b, kb.loc, sharedPointer(kb), address);
}

void SharedBarriers::init(int64_t n, int64_t arrivals) {
  KernelBuilder &kb = block.kb;
  NVVM::MBarrierInitOp::create(kb.b, kb.loc, at(i32(kb, n)), i32(kb, arrivals), Value());
}

void SharedBarriers::wait(Value n, Value parity) {
  KernelBuilder &kb = block.kb;
  constexpr int64_t ticks = 10000000; // the longest sleep of one try, in nanoseconds
  NVVM::MBarrierTryWaitParityOp::create(kb.b, kb.loc, at(n), parity, i32(kb, ticks));
}

void SharedBarriers::arrive(Value n) {
  KernelBuilder &kb = block.kb;
  NVVM::MBarrierArriveOp::create(kb.b, kb.loc, Type(kb.i64()), at(n), Value());
}

void SharedBarriers::expect(Value n, int64_t bytes) {
  KernelBuilder &kb = block.kb;
  NVVM::MBarrierArriveExpectTxOp::create(kb.b, kb.loc, TypeRange(), at(n), i32(kb, bytes), NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}

void nvgpu::fenceBarriers(KernelBuilder &kb) { NVVM::FenceMbarrierInitOp::create(kb.b, kb.loc); }

void nvgpu::fenceShared(KernelBuilder &kb) {
  auto space = NVVM::SharedSpaceAttr::get(kb.b.getContext(), NVVM::SharedSpace::shared_cta);
  NVVM::FenceProxyOp::create(kb.b, kb.loc, NVVM::ProxyKind::async_shared, space);
}

PipelineState PipelineState::next(KernelBuilder &kb, int64_t stages) const {
  Value following = arith::AddIOp::create(kb.b, kb.loc, stage, i32(kb, 1));
  Value isLast = kb.compare(arith::CmpIPredicate::eq, following, i32(kb, stages));
  Value other = arith::XOrIOp::create(kb.b, kb.loc, parity, i32(kb, 1));
  return {kb.select(isLast, i32(kb, 0), following), kb.select(isLast, other, parity)};
}

PipelineState PipelineState::previous(KernelBuilder &kb, int64_t stages) const {
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, stage, i32(kb, 0));
  Value before = arith::SubIOp::create(kb.b, kb.loc, stage, i32(kb, 1));
  return {kb.select(isFirst, i32(kb, stages - 1), before), parity};
}

//===----------------------------------------------------------------------===//
// Warps and registers
//===----------------------------------------------------------------------===//

Value nvgpu::uniform(KernelBuilder &kb, Value x) {
  return NVVM::ShflOp::create(kb.b, kb.loc, kb.b.getI32Type(), i32(kb, -1), x, i32(kb, 0),
                              i32(kb, ThreadBlock::warpSize - 1), NVVM::ShflKind::idx, UnitAttr());
}

void nvgpu::synchronizeNamed(KernelBuilder &kb, Value id, int64_t threads) {
  NVVM::BarrierOp::create(kb.b, kb.loc, TypeRange(), id, i32(kb, threads), NVVM::BarrierReductionAttr(), Value());
}

void nvgpu::arriveNamed(KernelBuilder &kb, Value id, int64_t threads) {
  NVVM::BarrierArriveOp::create(kb.b, kb.loc, id, i32(kb, threads));
}

void nvgpu::setRegisters(KernelBuilder &kb, int64_t count, bool isIncrease) {
  auto action = isIncrease ? NVVM::SetMaxRegisterAction::increase : NVVM::SetMaxRegisterAction::decrease;
  NVVM::SetMaxRegisterOp::create(kb.b, kb.loc, static_cast<uint32_t>(count), action);
}

void nvgpu::onElectedLane(KernelBuilder &kb, function_ref<void()> body) {
  kb.ifThen(NVVM::ElectSyncOp::create(kb.b, kb.loc, Type(kb.b.getI1Type()), Value()), body);
}

Value nvgpu::anyInWarp(KernelBuilder &kb, Value condition) {
  return NVVM::VoteSyncOp::create(kb.b, kb.loc, Type(kb.b.getI1Type()), i32(kb, -1), condition,
                                  NVVM::VoteSyncKind::any);
}

//===----------------------------------------------------------------------===//
// Copies and boxes
//===----------------------------------------------------------------------===//

void nvgpu::startTmaCopy(KernelBuilder &kb, Value map, ArrayRef<Value> coordinates, Value to, Value barrier) {
  auto cluster = LLVM::LLVMPointerType::get(kb.b.getContext(), 7);
  Value shared = LLVM::IntToPtrOp::create(kb.b, kb.loc, sharedPointer(kb), to);
  Value target = LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, cluster, shared);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(kb.b, kb.loc, target, map, coordinates, barrier, ValueRange(),
                                                         Value(), Value(), NVVM::TMALoadMode::TILE,
                                                         /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}

void nvgpu::startTmaStore(KernelBuilder &kb, Value map, ArrayRef<Value> coordinates, Value from) {
  Value shared = LLVM::IntToPtrOp::create(kb.b, kb.loc, sharedPointer(kb), from);
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(kb.b, kb.loc, map, shared, coordinates, Value(),
                                                     NVVM::TMAStoreMode::TILE, Value());
}

void nvgpu::commitTmaStores(KernelBuilder &kb) { NVVM::CpAsyncBulkCommitGroupOp::create(kb.b, kb.loc); }

void nvgpu::awaitTmaReads(KernelBuilder &kb) {
  NVVM::CpAsyncBulkWaitGroupOp::create(kb.b, kb.loc, /*group=*/0, kb.b.getUnitAttr());
}

void nvgpu::storeMatrices(KernelBuilder &kb, Value address, ValueRange matrices) {
  Value shared = LLVM::IntToPtrOp::create(kb.b, kb.loc, sharedPointer(kb), address);
  NVVM::StMatrixOp::create(kb.b, kb.loc, shared, matrices, NVVM::MMALayout::row,
                           NVVM::LdStMatrixShapeAttr::get(kb.b.getContext(), 8, 8), NVVM::LdStMatrixEltType::B16);
}

SwizzledMatrix SwizzledMatrix::offset(KernelBuilder &kb, Value bytes) const {
  return {arith::AddIOp::create(kb.b, kb.loc, address, bytes), rows, columns};
}

Value SwizzledMatrix::chunk(KernelBuilder &kb, Value row, Value chunk) const {
  constexpr int64_t chunksOfRow = 8;
  auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(kb.b, kb.loc, x, y); };
  auto mul = [&](Value x, int64_t y) -> Value { return arith::MulIOp::create(kb.b, kb.loc, x, i32(kb, y)); };
  auto low = [&](Value x) -> Value { return arith::AndIOp::create(kb.b, kb.loc, x, i32(kb, chunksOfRow - 1)); };
  Value box = arith::ShRUIOp::create(kb.b, kb.loc, chunk, i32(kb, 3));
  Value place = arith::XOrIOp::create(kb.b, kb.loc, low(chunk), low(row));
  Value inBox = add(mul(row, rowBytes), mul(place, 16));
  Value pointer =
      LLVM::IntToPtrOp::create(kb.b, kb.loc, sharedPointer(kb), add(address, add(mul(box, boxBytes()), inBox)));
  return LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, kb.pointer(), pointer);
}
