//===- Machine.cpp - The processor that kernels are generated for ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/Machine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::xf;

int64_t Machine::lanes(Type type) const { return isGpu() ? 1 : vectorBytes * 8 / type.getIntOrFloatBitWidth(); }

static std::string hostFeatures() {
  SmallVector<std::string> parts;
  for (auto &feature : llvm::sys::getHostCPUFeatures())
    parts.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(parts); // a StringMap's order is no order
  return llvm::join(parts, ",");
}

/// The features beyond the baseline whose instructions LLVM may choose by itself, so that a processor without one of
/// them must refuse the object. runtime/lib/Features.cpp can test for each of them.
static constexpr StringLiteral x86Features =
    "cx16,sahf,sse3,ssse3,sse4.1,sse4.2,popcnt,avx,f16c,fma,avx2,bmi,bmi2,lzcnt,movbe,avx512f,avx512cd,avx512bw,"
    "avx512dq,avx512vl,avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512bitalg,avx512vpopcntdq,avx512bf16,avx512fp16,"
    "gfni,vpclmulqdq,avxvnni,avxifma,avxneconvert,avxvnniint8,avxvnniint16";

/// Sets the registers and instructions of the widest vectors that the CPU has.
template <typename Has>
static void describeVectors(const llvm::Triple &triple, Has has, Machine &machine) {
  if (triple.isX86() && has("avx512f") && has("avx512vl") && has("avx512dq") && has("avx512bw")) {
    machine.vectorBytes = 64;
    machine.registers = 32;
    machine.hasScalef = true;
  } else if (triple.isX86() && has("avx2") && has("fma")) {
    machine.vectorBytes = 32;
  } else {
    machine.vectorBytes = 16; // SSE2, NEON: the vectorisable least
    machine.registers = triple.isAArch64() ? 32 : 16;
  }
}

FailureOr<Machine> Machine::get(StringRef cpu, unsigned vectorBits) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  Machine machine;
  machine.triple = llvm::sys::getProcessTriple();
  bool native = cpu == "native";
  machine.cpu = native ? llvm::sys::getHostCPUName().str() : cpu.str();
  machine.features = native ? hostFeatures() : "";
  std::string error;
  llvm::Triple triple(machine.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return failure();
  // The baseline is asked first: LLVM prints a message about an unknown name.
  std::unique_ptr<llvm::MCSubtargetInfo> baseline(target->createMCSubtargetInfo(triple, "", ""));
  if (!baseline || !baseline->isCPUStringValid(machine.cpu))
    return failure();
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, machine.cpu, machine.features));
  auto has = [&](StringRef feature) { return subtarget->checkFeatures(("+" + feature).str()); };
  if (triple.isX86() && triple.isArch64Bit() && !has("64bit"))
    return failure(); // a processor of another time: LLVM ends the process for it
  if (triple.isX86()) {
    SmallVector<StringRef> used;
    x86Features.split(used, ',');
    llvm::erase_if(used, [&](StringRef feature) { return !has(feature); });
    machine.requiredFeatures = llvm::join(used, ",");
  }
  describeVectors(triple, has, machine);
  if (vectorBits != 0) {
    machine.vectorBytes = vectorBits / 8;
    machine.registers = triple.isAArch64() || vectorBits == 512 ? 32 : 16;
    machine.hasScalef &= vectorBits == 512;
  }
  return machine;
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

namespace {
/// The facts about a GPU architecture: those of CUDA's programming guide (Technical Specifications per Compute
/// Capability), the oldest PTX that has its instructions, and the shared memory and number of the multiprocessors of a
/// model: A100, A40, L40, H100 (SXM). Code for sm_80 runs on all later devices, too: its blocks have the shared memory
/// of the smallest, 8.6, 8.9 and 12.0, and not the 163 KB of 8.0.
struct GpuFacts {
  StringRef name;
  unsigned computeCapability;
  int64_t sharedBytes;
  StringRef ptx;
  bool hasWarpgroups;
  int64_t processorSharedBytes, processors;
};
} // namespace

static constexpr int64_t kib = 1024;
static constexpr GpuFacts gpus[] = {{"sm_80", 80, 99 * kib, "+ptx70", false, 164 * kib, 108},
                                    {"sm_86", 86, 99 * kib, "+ptx71", false, 100 * kib, 84},
                                    {"sm_89", 89, 99 * kib, "+ptx78", false, 100 * kib, 142},
                                    {"sm_90a", 90, 227 * kib, "+ptx80", true, 228 * kib, 132}};

static constexpr StringRef f32ProductsTable[] = {"exact", "tf32", "bf16x3"}; // as F32Products numbers them

ArrayRef<StringRef> xf::f32ProductsNames() { return f32ProductsTable; }

std::optional<F32Products> xf::f32ProductsOf(StringRef name) {
  auto *found = llvm::find(f32ProductsTable, name);
  if (found == std::end(f32ProductsTable))
    return std::nullopt;
  return static_cast<F32Products>(found - std::begin(f32ProductsTable));
}

ArrayRef<StringRef> Machine::gpuArchitectures() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(gpus, [](auto &gpu) { return gpu.name; });
  return names;
}

ArrayRef<StringRef> Machine::defaultGpus() {
  static constexpr StringRef names[] = {"sm_80", "sm_90a"};
  return names;
}

FailureOr<Machine> Machine::getGpu(StringRef architecture) {
  auto *found = llvm::find_if(gpus, [&](auto &gpu) { return gpu.name == architecture; });
  if (found == std::end(gpus))
    return failure();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Machine machine;
  machine.cpu = machine.requiredFeatures = architecture;
  machine.features = found->ptx;
  machine.triple = "nvptx64-nvidia-cuda";
  machine.registers = 255; // of a thread
  machine.computeCapability = found->computeCapability;
  machine.hasWarpgroups = found->hasWarpgroups;
  machine.sharedBytes = found->sharedBytes;
  machine.processorSharedBytes = found->processorSharedBytes;
  machine.processors = found->processors;
  return machine;
}
