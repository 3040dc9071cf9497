//===- ExpandKernels.cpp - From kernels to code of threads ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/Kernel/Code/ExpandModule.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "compiler/Target/NVGPU/Tiling/KernelResources.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

/// Expands an op that has the attribute `warpgroups` by `byWarpgroups`, and any other op by gpu::expandOp. Emits an
/// error and fails if the kernel of an op with `warpgroups` has no tensor maps.
template <typename OpTy>
static LogicalResult expand(OpTy op, KernelBuilder &kb, LogicalResult (*byWarpgroups)(OpTy, KernelBuilder &)) {
  if (!op.getWarpgroups())
    return xf::gpu::expandOp(op, kb);
  if (!op->getParentOp()->hasAttr(xft::tensorMapsAttrName))
    return op->emitError("expected a kernel with tensor maps for warpgroups, got none");
  return byWarpgroups(op, kb);
}

static LogicalResult expandOne(Operation *op, KernelBuilder &kb) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xft::AttendOp>([&](auto attend) { return expand(attend, kb, expandAttendByWarpgroups); })
      .Case<xft::AttendVjpSide>([&](auto vjp) { return expand(vjp, kb, expandAttendVjpByWarpgroups); })
      .Case<xft::ContractOp>([&](auto contract) { return expand(contract, kb, expandContractByWarpgroups); })
      .Default([&](Operation *op) { return xf::gpu::expandOp(op, kb); });
}

/// Verifies the shared memory of an expanded kernel. Emits an error and fails if it exceeds the limit of every device.
/// Emits only a warning if it exceeds the limit of `machine`, which can happen even with the smallest tile: other
/// devices that run the same code may have enough shared memory, and the runtime checks this.
static LogicalResult checkSharedMemory(func::FuncOp kernel, const NvgpuMachine &machine) {
  auto attribute = kernel->getAttrOfType<IntegerAttr>(sharedBytesAttrName);
  int64_t bytes = attribute ? attribute.getInt() : 0; // none: no structured op was expanded
  if (bytes <= machine.sharedBytes)
    return success();
  if (bytes > NvgpuMachine::mostSharedBytes)
    return kernel.emitError("expected at most ")
           << NvgpuMachine::mostSharedBytes << " bytes of shared memory for a block on " << machine.cpu << ", got "
           << bytes;
  kernel.emitWarning("kernel for ") << machine.cpu << ": needs " << bytes
                                    << " bytes of shared memory for a block; devices "
                                    << "that have less, some only " << machine.sharedBytes << ", refuse its entry";
  return success();
}

LogicalResult nvgpu::expandKernels(ModuleOp module, const NvgpuMachine &machine) {
  SmallVector<func::FuncOp> kernels =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), [](func::FuncOp kernel) { return xft::isKernel(kernel); });
  for (func::FuncOp kernel : kernels)
    if (std::optional<KernelResources> resources = expectedResources(kernel)) // of its structured op
      kernel->setAttr(expectedAttrName, StringAttr::get(kernel.getContext(), resources->text()));
  if (failed(kernel::expandModule(module, machine, expandOne)))
    return failure();
  for (func::FuncOp kernel : kernels)
    if (failed(checkSharedMemory(kernel, machine)))
      return failure();
  return success();
}
