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

/// The CPU features beyond the baseline that an object may require, because LLVM may choose their instructions by
/// itself. A processor without a required feature must refuse the object; runtime/lib/cpu/Features.cpp can test for
/// each of them.
static constexpr StringLiteral x86Features =
    "cx16,sahf,sse3,ssse3,sse4.1,sse4.2,popcnt,avx,f16c,fma,avx2,bmi,bmi2,lzcnt,movbe,avx512f,avx512cd,avx512bw,"
    "avx512dq,avx512vl,avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512bitalg,avx512vpopcntdq,avx512bf16,avx512fp16,"
    "gfni,vpclmulqdq,avxvnni,avxifma,avxneconvert,avxvnniint8,avxvnniint16";

/// The features whose instructions code can do without: what creates them asks CpuMachine::emulates.
static constexpr StringLiteral emulatedFeatures = "avx512bf16";

/// Sets the vector length, number of registers and instructions of `machine` to those of the widest vectors that the
/// CPU has.
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
}

bool CpuMachine::hasScale(VectorType type) const {
  return hasScalef && type.getNumElements() * type.getElementTypeBitWidth() == 512;
}

/// Returns whether a list of features, separated by commas, has this one.
static bool contains(StringRef features, StringRef feature) {
  return llvm::is_contained(llvm::split(features, ','), feature);
}

bool CpuMachine::has(StringRef feature) const { return contains(requiredFeatures, feature) || emulates(feature); }

bool CpuMachine::emulates(StringRef feature) const { return contains(emulated, feature); }

/// Adds the features that follow the name of a CPU, "+a+b..", to those of the machine. Returns false for a feature that
/// code cannot use.
static bool addFeatures(StringRef text, CpuMachine &machine) {
  constexpr StringLiteral emulatedPrefix = "emulated-";
  SmallVector<StringRef> names;
  text.split(names, '+');
  for (StringRef name : names) {
    bool isEmulated = name.consume_front(emulatedPrefix);
    if (!contains(isEmulated ? emulatedFeatures : x86Features, name))
      return false;
    std::string &list = isEmulated ? machine.emulated : machine.features;
    list += (list.empty() ? "" : ",") + (isEmulated ? name.str() : "+" + name.str());
  }
  return true;
}

FailureOr<CpuMachine> CpuMachine::get(StringRef name, unsigned vectorBits) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  CpuMachine machine;
  machine.triple = llvm::sys::getProcessTriple();
  auto [cpu, added] = name.split('+');
  bool native = cpu == "native";
  machine.cpu = native ? llvm::sys::getHostCPUName().str() : cpu.str();
  machine.features = native ? hostFeatures() : "";
  if (name.contains('+') && !addFeatures(added, machine))
    return failure();
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
  static_cast<CpuCaches &>(machine) = native ? hostCaches(machine.cpu) : cachesOf(machine.cpu);
  if (vectorBits != 0) {
    machine.vectorBytes = vectorBits / 8;
    machine.registers = triple.isAArch64() || vectorBits == 512 ? 32 : 16;
    machine.hasScalef &= vectorBits == 512;
  }
  return machine;
}
