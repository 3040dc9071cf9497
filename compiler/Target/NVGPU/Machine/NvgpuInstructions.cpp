//===- NvgpuInstructions.cpp - The instructions of NVIDIA's GPUs ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Machine/NvgpuInstructions.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xf;
using kernel::KernelBuilder;

static Value integer32(KernelBuilder &kb, int64_t value) { return kb.integerOf(kb.b.getI32Type(), value); }

/// Builds a shuffle over the whole warp. Returns the value that x (i32) has in the lane selected by `kind` and
/// `source`.
static Value shuffle(KernelBuilder &kb, NVVM::ShflKind kind, Value x, Value source) {
  return NVVM::ShflOp::create(kb.b, kb.loc, kb.b.getI32Type(), integer32(kb, -1), x, source, integer32(kb, 31), kind,
                              UnitAttr());
}

static Value reduce(KernelBuilder &kb, NVVM::ReduxKind kind, Value x) {
  return NVVM::ReduxOp::create(kb.b, kb.loc, kb.b.getI32Type(), x, kind, integer32(kb, -1));
}

namespace {
struct NvgpuInstructions final : xf::gpu::GpuInstructions {
  Value threadNumber(KernelBuilder &kb) const override {
    return NVVM::ThreadIdXOp::create(kb.b, kb.loc, kb.b.getI32Type());
  }
  Value blockNumber(KernelBuilder &kb) const override {
    return NVVM::BlockIdXOp::create(kb.b, kb.loc, kb.b.getI32Type());
  }
  Value blockCount(KernelBuilder &kb) const override {
    return NVVM::GridDimXOp::create(kb.b, kb.loc, kb.b.getI32Type());
  }
  void synchronize(KernelBuilder &kb) const override { NVVM::Barrier0Op::create(kb.b, kb.loc); }
  void synchronizeWarp(KernelBuilder &kb) const override { NVVM::SyncWarpOp::create(kb.b, kb.loc, integer32(kb, -1)); }
  Value any(KernelBuilder &kb, Value condition) const override;
  Value ballot(KernelBuilder &kb, Value condition) const override {
    return NVVM::VoteSyncOp::create(kb.b, kb.loc, kb.b.getI32Type(), integer32(kb, -1), condition,
                                    NVVM::VoteSyncKind::ballot);
  }
  Value matchLanes(KernelBuilder &kb, Value x) const override {
    return NVVM::MatchSyncOp::create(kb.b, kb.loc, kb.b.getI32Type(), integer32(kb, -1), x, NVVM::MatchSyncKind::any);
  }
  Value leastOfWarp(KernelBuilder &kb, Value x) const override { return reduce(kb, NVVM::ReduxKind::MIN, x); }
  Value greatestOfWarp(KernelBuilder &kb, Value x) const override { return reduce(kb, NVVM::ReduxKind::MAX, x); }
  Value exchange(KernelBuilder &kb, Value x, Value mask) const override {
    return shuffle(kb, NVVM::ShflKind::bfly, x, mask);
  }
  Value fromLane(KernelBuilder &kb, Value x, Value lane) const override {
    return shuffle(kb, NVVM::ShflKind::idx, x, lane);
  }

  void startCopy(KernelBuilder &kb, Value to, Value from, Value bytes) const override;
  void groupCopies(KernelBuilder &kb) const override { NVVM::CpAsyncCommitGroupOp::create(kb.b, kb.loc); }
  void awaitCopies(KernelBuilder &kb, int64_t pending) const override {
    NVVM::CpAsyncWaitGroupOp::create(kb.b, kb.loc, pending);
  }

  SmallVector<Value> loadMatrices(KernelBuilder &kb, Value address, bool transpose) const override;
  void multiply(KernelBuilder &kb, MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right,
                Factor type, int64_t terms) const override;
  Value roundToTF32(KernelBuilder &kb, Value x) const override {
    return NVVM::ConvertFloatToTF32Op::create(kb.b, kb.loc, kb.b.getI32Type(), x, NVVM::FPRoundingMode::RNA);
  }
};
} // namespace

Value NvgpuInstructions::any(KernelBuilder &kb, Value condition) const {
  auto name = kb.b.getStringAttr("llvm.nvvm.barrier.cta.red.or.aligned.all");
  SmallVector<Value> operands = {integer32(kb, 0), condition};
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, TypeRange(kb.b.getI1Type()), name, operands, {}).getResult(0);
}

void NvgpuInstructions::startCopy(KernelBuilder &kb, Value to, Value from, Value bytes) const {
  constexpr unsigned globalSpace = 1, sharedSpace = 3;
  auto inSpace = [&](Value pointer, unsigned space) -> Value {
    auto type = LLVM::LLVMPointerType::get(kb.b.getContext(), space);
    return LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, type, pointer);
  };
  Value count = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), bytes);
  NVVM::CpAsyncOp::create(kb.b, kb.loc, inSpace(to, sharedSpace), inSpace(from, globalSpace), /*size=*/16,
                          NVVM::LoadCacheModifierKind::CG, count);
}

SmallVector<Value> NvgpuInstructions::loadMatrices(KernelBuilder &kb, Value address, bool transpose) const {
  auto shared = LLVM::LLVMPointerType::get(kb.b.getContext(), 3);
  Type i32 = kb.b.getI32Type();
  auto four = LLVM::LLVMStructType::getLiteral(kb.b.getContext(), {i32, i32, i32, i32});
  Value pointer = LLVM::AddrSpaceCastOp::create(kb.b, kb.loc, shared, address);
  Value loaded =
      NVVM::LdMatrixOp::create(kb.b, kb.loc, four, pointer, 4, transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                               NVVM::LdStMatrixShapeAttr::get(kb.b.getContext(), 8, 8), NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> matrices;
  for (int64_t n = 0; n < 4; ++n)
    matrices.push_back(LLVM::ExtractValueOp::create(kb.b, kb.loc, loaded, n));
  return matrices;
}

/// Builds mma.m16n8k16 or mma.m16n8k8. The PTX ISA lists the elements of each lane under "Matrix Fragments".
void NvgpuInstructions::multiply(KernelBuilder &kb, MutableArrayRef<Value> sums, ArrayRef<Value> left,
                                 ArrayRef<Value> right, Factor factor, int64_t terms) const {
  auto operands = [&](ArrayRef<Value> registers) {
    return llvm::map_to_vector(registers, [&](Value bits) -> Value {
      return factor == Factor::F16 ? Value(LLVM::BitcastOp::create(kb.b, kb.loc, kb.vector(kb.b.getF16Type(), 2), bits))
                                   : bits;
    });
  };
  auto type = factor == Factor::F16    ? NVVM::MMATypes::f16
              : factor == Factor::TF32 ? NVVM::MMATypes::tf32
                                       : NVVM::MMATypes::bf16;
  auto result = LLVM::LLVMStructType::getLiteral(kb.b.getContext(), SmallVector<Type>(4, sums.front().getType()));
  Value product =
      NVVM::MmaOp::create(kb.b, kb.loc, result, operands(left), operands(right), sums, {16, 8, terms}, std::nullopt,
                          std::nullopt, std::array{type, type}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (int64_t n = 0; n < 4; ++n)
    sums[n] = LLVM::ExtractValueOp::create(kb.b, kb.loc, product, n);
}

const xf::gpu::GpuInstructions &nvgpu::instructions() {
  static const NvgpuInstructions all;
  return all;
}
