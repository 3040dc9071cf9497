//===- CpuMachine.cpp - CPUs as machines ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static std::string hostFeatures() {
  SmallVector<std::string> parts;
  for (auto &feature : llvm::sys::getHostCPUFeatures())
    parts.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(parts); // a StringMap's order is no order
  return llvm::join(parts, ",");
}

namespace {
/// An architecture that code is generated for.
struct Architecture {
  llvm::Triple::ArchType type;
  StringLiteral triple; ///< of Linux
  /// The features beyond the baseline that an object may require, because LLVM may choose their instructions by itself.
  /// A processor without a required feature must refuse the object; runtime/lib/cpu/Features.cpp can test for each of
  /// them.
  StringLiteral features;
};

/// The size of a CPU's SVE registers. LLVM knows only that it is a multiple of 128 bits.
struct SveSize {
  StringLiteral cpu;
  unsigned bytes;
};
} // namespace

static constexpr Architecture architectures[] = {
    {llvm::Triple::x86_64, "x86_64-linux-gnu",
     "cx16,sahf,sse3,ssse3,sse4.1,sse4.2,popcnt,avx,f16c,fma,avx2,bmi,bmi2,lzcnt,movbe,avx512f,avx512cd,avx512bw,"
     "avx512dq,avx512vl,avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512bitalg,avx512vpopcntdq,avx512bf16,"
     "avx512fp16,gfni,vpclmulqdq,avxvnni,avxifma,avxneconvert,avxvnniint8,avxvnniint16,amx-tile,amx-bf16"},
    {llvm::Triple::aarch64, "aarch64-linux-gnu",
     "lse,rdm,rcpc,jsconv,complxnum,fullfp16,fp16fml,dotprod,i8mm,bf16,sve,sve2,sve2p1,cssc,mops"}};

/// The sizes of SVE registers, from Technical Reference Manuals. Other CPUs have SVE registers of 128 bits, like
/// NEON's.
static constexpr SveSize sveSizes[] = {{"neoverse-v1", 32}, {"neoverse-512tvb", 32}, {"a64fx", 64}};

/// The features that can be emulated. A function that builds instructions of such a feature must first test
/// CpuMachine::emulates.
static constexpr StringLiteral emulatedFeatures = "avx512bf16,amx-bf16";

/// Returns the architecture of a triple, or null if there is no code for it.
static const Architecture *architectureOf(const llvm::Triple &triple) {
  auto *found = llvm::find_if(architectures, [&](const Architecture &one) { return one.type == triple.getArch(); });
  return found == std::end(architectures) ? nullptr : found;
}

bool CpuMachine::isTriple(StringRef text) {
  llvm::Triple triple(llvm::Triple::normalize(text));
  return architectureOf(triple) && triple.isOSLinux() && triple.isOSBinFormatELF() && !triple.isX32() &&
         triple.getEnvironment() != llvm::Triple::GNUILP32;
}

/// Sets the vector length, the number of registers and hasScalef of `machine` for the widest vectors that the CPU has.
template <typename Has>
static void describeVectors(const llvm::Triple &triple, Has has, CpuMachine &machine) {
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
  if (!triple.isAArch64() || !has("sve"))
    return;
  for (const SveSize &size : sveSizes)
    if (size.cpu == machine.cpu)
      machine.sveBytes = machine.vectorBytes = size.bytes;
}

/// Sets the size of vector registers to `bytes`, whatever the CPU has, and their number accordingly.
static void replaceVectors(const llvm::Triple &triple, unsigned bytes, CpuMachine &machine) {
  machine.vectorBytes = bytes;
  machine.registers = triple.isAArch64() || bytes == 64 ? 32 : 16;
  machine.hasScalef &= bytes == 64;
  if (bytes <= 16)
    machine.sveBytes = 0; // NEON's registers are part of SVE's, whatever their size
}

bool CpuMachine::hasScale(VectorType type) const {
  return hasScalef && type.getNumElements() * type.getElementTypeBitWidth() == 512;
}

/// Returns whether `feature` is in `features`, a list separated by commas.
static bool contains(StringRef features, StringRef feature) {
  return llvm::is_contained(llvm::split(features, ','), feature);
}

bool CpuMachine::has(StringRef feature) const { return contains(requiredFeatures, feature) || emulates(feature); }

bool CpuMachine::emulates(StringRef feature) const { return contains(emulated, feature); }

/// Adds the features in `text` ("a+b.."), which follow the name of a CPU, to the features of the machine. Returns false
/// for a feature that code cannot use.
static bool addFeatures(StringRef text, const Architecture &architecture, CpuMachine &machine) {
  constexpr StringLiteral emulatedPrefix = "emulated-";
  SmallVector<StringRef> names;
  text.split(names, '+');
  for (StringRef name : names) {
    bool isEmulated = name.consume_front(emulatedPrefix);
    if (!contains(isEmulated ? emulatedFeatures : architecture.features, name))
      return false;
    std::string &list = isEmulated ? machine.emulated : machine.features;
    list += (list.empty() ? "" : ",") + (isEmulated ? name.str() : "+" + name.str());
  }
  return true;
}

static void initializeTargets() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

/// Returns whether LLVM has the CPU `cpu` for a triple. Looks the name up in the description of the baseline CPU,
/// because LLVM prints a message if the description of an unknown CPU is requested.
static bool hasCpu(const llvm::Triple &triple, StringRef cpu) {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::MCSubtargetInfo> baseline(target ? target->createMCSubtargetInfo(triple, "", "") : nullptr);
  return baseline && baseline->isCPUStringValid(cpu);
}

/// Returns the triple of code for the CPU `cpu` if the caller gives none. If the architecture of this process has the
/// CPU, this is the triple of the process. Otherwise it is Linux on an architecture that has the CPU.
static llvm::Triple defaultTriple(StringRef cpu) {
  llvm::Triple process(llvm::Triple::normalize(llvm::sys::getProcessTriple()));
  if (!hasCpu(process, cpu))
    for (const Architecture &architecture : architectures)
      if (llvm::Triple triple(architecture.triple); hasCpu(triple, cpu))
        return triple;
  return process;
}

FailureOr<CpuMachine> CpuMachine::get(StringRef name, unsigned vectorBits, StringRef tripleText) {
  initializeTargets();
  CpuMachine machine;
  auto [cpu, added] = name.split('+');
  bool native = cpu == "native";
  machine.cpu = native ? llvm::sys::getHostCPUName().str() : cpu.str();
  machine.features = native ? hostFeatures() : "";
  llvm::Triple triple(llvm::Triple::normalize(tripleText));
  if (tripleText.empty())
    triple = defaultTriple(machine.cpu);
  else if (!isTriple(tripleText))
    return failure();
  else if (native && triple.getArch() != llvm::Triple(llvm::sys::getProcessTriple()).getArch())
    return failure();
  const Architecture *architecture = architectureOf(triple);
  if (!architecture || !hasCpu(triple, machine.cpu) ||
      (name.contains('+') && !addFeatures(added, *architecture, machine)))
    return failure();
  machine.triple = triple.str();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, machine.cpu, machine.features));
  auto has = [&](StringRef feature) { return subtarget->checkFeatures(("+" + feature).str()); };
  if (triple.isX86() && !has("64bit"))
    return failure(); // a processor of another time: LLVM ends the process for it
  SmallVector<StringRef> used;
  architecture->features.split(used, ',');
  llvm::erase_if(used, [&](StringRef feature) { return !has(feature); });
  describeVectors(triple, has, machine);
  machine.hasHalf = triple.isAArch64() || has("f16c");
  if (vectorBits != 0)
    replaceVectors(triple, vectorBits / 8, machine);
  std::string sveSize = "sve" + std::to_string(8 * machine.sveBytes);
  if (machine.sveBytes != 0)
    used.push_back(sveSize);
  machine.requiredFeatures = llvm::join(used, ",");
  static_cast<CpuCaches &>(machine) = native ? hostCaches(machine.cpu) : cachesOf(machine.cpu);
  return machine;
}
