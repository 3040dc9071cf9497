//===- ExpandKernels.cpp - From kernels to code of threads ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/Kernel/Code/ExpandModule.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "compiler/Target/NVGPU/Tiling/KernelResources.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

/// Checks that the kernel of an op with warpgroups has the tensor maps by which they copy.
static LogicalResult checkTensorMaps(Operation *op) {
  bool hasWarpgroups = llvm::TypeSwitch<Operation *, bool>(op)
                           .Case<xft::AttendOp, xft::AttendVjpSide, xft::ContractOp>(
                               [](auto kernel) { return static_cast<bool>(kernel.getWarpgroups()); })
                           .Default(false);
  if (!hasWarpgroups || op->getParentOp()->hasAttr(xft::tensorMapsAttrName))
    return success();
  return op->emitError("expected a kernel with tensor maps for warpgroups, got none");
}

static LogicalResult expand(Operation *op, kernel::KernelBuilder &kb) {
  if (failed(checkTensorMaps(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xft::AttendOp>([&](auto attend) { return nvgpu::expandAttend(attend, kb); })
      .Case<xft::AttendVjpSide>([&](auto vjp) { return nvgpu::expandAttendVjp(vjp, kb); })
      .Case<xft::ContractOp>([&](auto contract) {
        return contract.getWarpgroups() ? nvgpu::expandContractByWarpgroups(contract, kb)
                                        : nvgpu::expandContract(contract, kb);
      })
      .Case<xft::RowsOp>([&](auto rows) { return nvgpu::expandRows(rows, kb); })
      .Case<xft::ScanOp>([&](auto scan) { return nvgpu::expandScan(scan, kb); })
      .Case<xft::ScanVjpOp>([&](auto vjp) { return nvgpu::expandScanVjp(vjp, kb); })
      .Case<xft::SortListsOp>([&](auto sort) { return nvgpu::expandSortLists(sort, kb); })
      .Case<xft::TabulateOp>([&](auto tabulate) { return nvgpu::expandTabulate(tabulate, kb); })
      .Default([](Operation *op) -> LogicalResult {
        return op->emitError("not implemented: ") << op->getName() << " for the CUDA target";
      });
}

/// Checks the shared memory that an expanded kernel takes. Its tile was chosen to fit, but the smallest tile may still
/// be too large for `machine`: that is an error only above the limit of all devices, else a warning, because other
/// devices that run the same code may have enough; the runtime checks the device.
static LogicalResult checkSharedMemory(func::FuncOp kernel, const nvgpu::NvgpuMachine &machine) {
  auto attribute = kernel->getAttrOfType<IntegerAttr>(nvgpu::sharedBytesAttrName);
  int64_t bytes = attribute ? attribute.getInt() : 0; // none: no structured op was expanded
  if (bytes <= machine.sharedBytes)
    return success();
  if (bytes > nvgpu::NvgpuMachine::mostSharedBytes)
    return kernel.emitError("expected at most ")
           << nvgpu::NvgpuMachine::mostSharedBytes << " bytes of shared memory for a block on " << machine.cpu
           << ", got " << bytes;
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
  if (failed(kernel::expandModule(module, machine, expand)))
    return failure();
  for (func::FuncOp kernel : kernels)
    if (failed(checkSharedMemory(kernel, machine)))
      return failure();
  return success();
}
