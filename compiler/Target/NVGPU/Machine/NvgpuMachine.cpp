//===- NvgpuMachine.cpp - NVIDIA GPUs as machines -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Target/NVGPU/Machine/NvgpuInstructions.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

namespace {
/// The properties of a GPU architecture. Capability and shared memory are from CUDA's programming guide (Technical
/// Specifications per Compute Capability). `ptx` is the oldest version of PTX that has the architecture's instructions.
/// `processorSharedBytes` and `processors` describe one model of each architecture: A100, A40, L40 and H100 (SXM). Code
/// for sm_80 runs on all later devices, too, so its thread blocks have only the 99 KB of devices 8.6, 8.9 and 12.0, not
/// the 163 KB of 8.0. `sectionBytes` is at most half of the second-level cache of the same models. (The two halves of
/// an A100's cache hold the same data.)
struct GpuFacts {
  StringRef name;
  unsigned computeCapability;
  int64_t sharedBytes;
  StringRef ptx;
  bool hasWarpgroups;
  int64_t processorSharedBytes, processors, sectionBytes;
};
} // namespace

static constexpr int64_t kib = 1024, mib = 1024 * kib;
static constexpr GpuFacts gpus[] = {{"sm_80", 80, 99 * kib, "+ptx70", false, 164 * kib, 108, 16 * mib},
                                    {"sm_86", 86, 99 * kib, "+ptx71", false, 100 * kib, 84, 3 * mib},
                                    {"sm_89", 89, 99 * kib, "+ptx78", false, 100 * kib, 142, 32 * mib},
                                    {"sm_90a", 90, 227 * kib, "+ptx80", true, 228 * kib, 132, 32 * mib}};

ArrayRef<StringRef> NvgpuMachine::architectures() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(gpus, [](auto &gpu) { return gpu.name; });
  return names;
}

ArrayRef<StringRef> NvgpuMachine::defaultArchitectures() {
  static constexpr StringRef names[] = {"sm_80", "sm_90a"};
  return names;
}

StringRef NvgpuMachine::architectureFor(int capability) {
  for (const GpuFacts &gpu : llvm::reverse(gpus)) {
    int wanted = static_cast<int>(gpu.computeCapability);
    // Code for "sm_90a" runs on that chip alone.
    if (gpu.name.ends_with("a") ? capability == wanted : capability >= wanted)
      return gpu.name;
  }
  return "";
}

FailureOr<NvgpuMachine> NvgpuMachine::get(StringRef architecture) {
  auto *found = llvm::find_if(gpus, [&](auto &gpu) { return gpu.name == architecture; });
  if (found == std::end(gpus))
    return failure();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  NvgpuMachine machine;
  machine.cpu = machine.requiredFeatures = architecture;
  machine.features = found->ptx;
  machine.triple = "nvptx64-nvidia-cuda";
  machine.computeCapability = found->computeCapability;
  machine.hasWarpgroups = found->hasWarpgroups;
  machine.sharedBytes = found->sharedBytes;
  machine.processorSharedBytes = found->processorSharedBytes;
  machine.processors = found->processors;
  machine.sectionBytes = found->sectionBytes;
  return machine;
}

const GpuInstructions &NvgpuMachine::instructions() const { return nvgpu::instructions(); }

Value NvgpuMachine::buildExp2(KernelBuilder &kb, Value x) const {
  auto name = kb.b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f");
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, TypeRange(x.getType()), name, ValueRange(x), {}).getResult(0);
}
