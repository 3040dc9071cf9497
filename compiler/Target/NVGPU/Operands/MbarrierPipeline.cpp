//===- MbarrierPipeline.cpp - Producer and consumer warpgroups ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

/// Returns the number of registers of a consumer thread. `copying` is the number of registers that a producer thread
/// keeps. All warpgroups of a thread block start with equal shares of the 64 K registers, in units of 8. Consumers then
/// share the registers that the producer warpgroup releases.
static int64_t computingRegisters(int64_t consumers, int64_t copying) {
  constexpr int64_t all = 65536, unit = 8, most = 240;
  int64_t share = all / ((consumers + 1) * threadsOfWarpgroup) / unit * unit;
  return std::min(((consumers + 1) * share - copying) / consumers / unit * unit, most);
}

void nvgpu::buildRoles(ThreadBlock &block, int64_t consumers, int64_t copyingRegisters, function_ref<void()> copy,
                       function_ref<void()> compute) {
  KernelBuilder &kb = block.kb;
  block.synchronize();
  auto runCopy = [&] {
    setRegisters(kb, copyingRegisters, /*isIncrease=*/false);
    copy();
    return SmallVector<Value>();
  };
  auto runCompute = [&] {
    setRegisters(kb, computingRegisters(consumers, copyingRegisters), /*isIncrease=*/true);
    block.warp = kb.sub(block.warp, kb.integer(warpsOfWarpgroup));
    compute();
    return SmallVector<Value>();
  };
  kb.ifElse(kb.compare(arith::CmpIPredicate::slt, block.warp, kb.integer(warpsOfWarpgroup)), {}, runCopy, runCompute);
}

SwizzledMatrix nvgpu::allocateSwizzled(ThreadBlock &block, int64_t rows, int64_t columns, int64_t stages) {
  constexpr int64_t swizzleBytes = 1024; // the swizzle pattern repeats after these
  SwizzledMatrix matrix{Value(), rows, columns};
  matrix.address = sharedAddress(block.kb, block.shared(stages * matrix.bytes(), swizzleBytes));
  return matrix;
}

MbarrierPipeline::MbarrierPipeline(ThreadBlock &block, int64_t stages, ArrayRef<SwizzledMatrix> matrices,
                                   int64_t otherParts)
    : stages(stages), matrices(matrices), barriers(block, 2 * (matrices.size() + otherParts) * stages), kb(block.kb) {}

/// Returns the index of an mbarrier of part `part` of stage `stage`: the empty mbarrier if `isEmpty`, else the full
/// one. The mbarriers lie in the order [part][full, empty][stage].
Value MbarrierPipeline::number(int64_t part, bool isEmpty, Value stage) {
  return arith::AddIOp::create(kb.b, kb.loc, stage, i32(kb, (2 * part + isEmpty) * stages));
}

void MbarrierPipeline::init(int64_t part, int64_t fullArrivals, int64_t emptyArrivals) {
  for (int64_t n = 0; n < 2 * stages; ++n)
    barriers.init(2 * part * stages + n, n < stages ? fullArrivals : emptyArrivals);
}

SwizzledMatrix MbarrierPipeline::at(int64_t part, Value stage) {
  Value bytes = arith::MulIOp::create(kb.b, kb.loc, uniform(kb, stage), i32(kb, matrices[part].bytes()));
  return matrices[part].offset(kb, bytes);
}

void MbarrierPipeline::waitFull(int64_t part, const PipelineState &place) {
  barriers.wait(number(part, false, place.stage), place.parity);
}

void MbarrierPipeline::waitEmpty(int64_t part, const PipelineState &place) {
  Value before = arith::XOrIOp::create(kb.b, kb.loc, place.parity, i32(kb, 1)); // parity of the previous round
  barriers.wait(number(part, true, place.stage), before);
}

void MbarrierPipeline::fill(int64_t part, const PipelineState &place) {
  onElectedLane(kb, [&] { barriers.arrive(number(part, false, place.stage)); });
}

void MbarrierPipeline::release(int64_t part, const PipelineState &place) {
  onElectedLane(kb, [&] { barriers.arrive(number(part, true, place.stage)); });
}

Value MbarrierPipeline::expect(int64_t part, const PipelineState &place) {
  Value barrier = number(part, false, place.stage);
  barriers.expect(barrier, matrices[part].bytes());
  return barriers.at(barrier);
}
