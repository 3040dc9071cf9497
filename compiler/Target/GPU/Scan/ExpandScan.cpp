//===- ExpandScan.cpp - Scans become code of blocks -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of scans. A thread block of `warps` warps runs a task step by step (Target/Kernel/ScanKernel.h), with
// barriers between steps. A task is a head or, in a split sequence, one or several chunks (ScanPhases.cpp). If there
// are few heads or chunks, a task has only some of a head's value columns. It then computes all features, but only
// these columns of the states.
//
// Buffers of a task lie in shared memory as long as they fit, in the order of ScanBuffers.h. The other buffers lie in
// the task's part of `scratch`. BlockProducts.cpp computes the products of warps.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Machine/GpuMachine.h"
#include "compiler/Target/GPU/Scan/BlockThreads.h"
#include "compiler/Target/Kernel/Scan/ScanKernel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr int64_t warps = 8;

/// Returns whether x, a value of an element region, is provably at least 0. Assumes that `known` is at least 0, unless
/// it is null.
static bool isNonNegative(Value x, Value known = nullptr) {
  APFloat constant(0.0);
  if (x == known || (matchPattern(x, m_ConstantFloat(&constant)) && !constant.isNegative()))
    return true;
  Operation *op = x.getDefiningOp();
  if (isa_and_nonnull<math::ExpOp, math::Exp2Op, math::AbsFOp>(op))
    return true;
  if (isa_and_nonnull<arith::MulFOp>(op) && op->getOperand(0) == op->getOperand(1))
    return true;
  if (isa_and_nonnull<arith::AddFOp, arith::MulFOp, arith::DivFOp>(op))
    return isNonNegative(op->getOperand(0), known) && isNonNegative(op->getOperand(1), known);
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!compare || !matchPattern(compare.getRhs(), m_AnyZeroFloat()))
    return false;
  bool isAbove = compare.getPredicate() == arith::CmpFPredicate::OGT,
       isBelow = compare.getPredicate() == arith::CmpFPredicate::OLT;
  return isNonNegative(select.getTrueValue(), isAbove ? compare.getLhs() : known) &&
         isNonNegative(select.getFalseValue(), isBelow ? compare.getLhs() : known);
}

/// Returns how a scan computes its products. Exact: for f64, if the op has beta (corrections of the state are
/// differences), and for f32 inputs unless `asked` is for tensor cores. TF32: for results of bf16 inputs, which are
/// less exact than TF32, and for f32 inputs if `asked` is TF32. Split, which is nearly exact: for all others. If
/// outputs are divided by sums of weights of both signs, which may cancel, Split replaces TF32.
template <typename OpTy>
static ScanFactors factorsOf(OpTy op, const xft::ScanSizes &sizes, F32Products asked) {
  Type element = cast<MemRefType>(op.getQ().getType()).getElementType();
  bool isShort = element.getIntOrFloatBitWidth() == 16;
  if (sizes.hasBeta || !sizes.real.isF32() || (!isShort && asked == F32Products::Exact))
    return ScanFactors::Exact;
  bool mayCancel = op.getFeatures().getNormalizer().getValue() == Normalizer::k_sum &&
                   !llvm::all_of(op.getValue().front().getTerminator()->getOperands(),
                                 [](Value slot) { return isNonNegative(slot); });
  bool isRounded = isShort ? element.isBF16() && !sizes.isGradient : asked == F32Products::TF32;
  return isRounded && !mayCancel ? ScanFactors::TF32 : ScanFactors::Split;
}

/// Builds the loop over the thread block's tiles with body(kernel, tile), then erases the op.
template <typename OpTy>
static void forTasks(OpTy op, KernelBuilder &kb, function_ref<void(ScanKernel &k, Value tile)> body) {
  ThreadBlock block(op->template getParentOfType<func::FuncOp>(), kb, warps * ThreadBlock::warpSize);
  ScanLayout layout(op);
  block.residentBlocks = 2; // the steps of one wait for each other
  BlockThreads threads(block, layout.real, factorsOf(op, layout, machineOf(kb).f32Products));
  int64_t sharedBytes = machineOf(kb).sharedBytes;
  Value shared = block.shared(measureScan(layout, sharedBytes).bytes(), 64);
  block.forTiles([&](Value tile) {
    Value global = op.getScratch() ? View::of(kb, op.getScratch()).at(kb, {tile}) : Value();
    Scratch scratch(kb, shared, scanRoom(sharedBytes), global);
    ScanKernel k(op, kb, threads, scratch);
    body(k, tile);
  });
  block.finish();
  op.erase();
}

int64_t xf::gpu::scanOverflowBytes(const xft::ScanSizes &sizes, int64_t sharedBytes) {
  return measureScan(sizes, sharedBytes).overflowBytes();
}

LogicalResult xf::gpu::expandScan(xft::ScanOp op, KernelBuilder &kb) {
  forTasks(op, kb, [&](ScanKernel &k, Value tile) { buildScanTask(k, View::of(kb, op.getO()), tile); });
  return success();
}

LogicalResult xf::gpu::expandScanVjp(xft::ScanVjpOp op, KernelBuilder &kb) {
  forTasks(op, kb, [&](ScanKernel &k, Value tile) { buildScanVjpTask(k, op, tile); });
  return success();
}
