//===- AmdgpuTarget.cpp - AMD's GPUs as a target --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AmdgpuTarget.h"
#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "compiler/Target/Kernel/Code/LowerToLLVM.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "test/compiler/Target/NullGpu/NullGpu.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::amdgpu;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

namespace {
struct Facts {
  StringRef name;
  int64_t lanes;
  int64_t sharedBytes;
};

/// The processors of the target, older ones first: MI200, MI300, MI350, RX 7900.
constexpr Facts processors[] = {
    {"gfx90a", 64, 64 << 10}, {"gfx942", 64, 64 << 10}, {"gfx950", 64, 160 << 10}, {"gfx1100", 32, 64 << 10}};

struct AmdgpuTarget : Target {
  MachineRef findMachine(const MachineOptions &options) const override;
  ArrayRef<StringRef> machineNames() const override;
  bool runs(const Machine &machine) const override { return isa<AmdgpuMachine>(machine); }
  void registerDialects(DialectRegistry &registry) const override;
  /// Tiles of the null GPU: no structured op is expanded that could have others.
  std::unique_ptr<TileModel> createTileModel(const Machine &) const override {
    return std::make_unique<null::NullGpuTileModel>();
  }
  xfrt_device device() const override { return XFRT_CPU; } // the runtime has none of AMD's
  bool hasImage() const override { return true; }
  LogicalResult expandKernels(ModuleOp module, const Machine &machine) const override;
  LogicalResult lowerKernelAbi(func::FuncOp kernel) const override;
  void addLowering(OpPassManager &pm) const override { kernel::addLowering(pm); }
  void markKernels(ModuleOp module) const override;
};
} // namespace

MachineRef AmdgpuTarget::findMachine(const MachineOptions &options) const {
  const auto *found = llvm::find_if(processors, [&](const Facts &facts) { return facts.name == options.machine; });
  if (found == std::end(processors))
    return nullptr;
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  auto machine = std::make_shared<AmdgpuMachine>();
  machine->options = options;
  machine->cpu = machine->requiredFeatures = found->name.str();
  machine->triple = "amdgcn-amd-amdhsa";
  machine->lanes = found->lanes;
  machine->sharedBytes = found->sharedBytes;
  return machine;
}

ArrayRef<StringRef> AmdgpuTarget::machineNames() const {
  static const auto names = llvm::map_to_vector(processors, [](const Facts &facts) { return facts.name; });
  return names;
}

void AmdgpuTarget::registerDialects(DialectRegistry &registry) const {
  kernel::registerLowering(registry);
  registry.insert<ROCDL::ROCDLDialect>();
  registerROCDLDialectTranslation(registry);
}

LogicalResult AmdgpuTarget::expandKernels(ModuleOp module, const Machine &machine) const {
  WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<xft::XftDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitError("expected no structured op in a kernel for ") << machine.cpu << ", got '" << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult AmdgpuTarget::lowerKernelAbi(func::FuncOp kernel) const {
  unsigned operands = kernel.getNumArguments() - xft::kernelPrefix;
  if (operands > 0)
    return kernel.emitError("expected a kernel without operands, got ") << operands;
  Block &body = kernel.getBody().front();
  if (llvm::any_of(body.getArguments(), [](BlockArgument argument) { return !argument.use_empty(); }))
    return kernel.emitError("expected a kernel that does not read which tiles it computes");
  body.eraseArguments(0, xft::kernelPrefix);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), {}, {}));
  return success();
}

void AmdgpuTarget::markKernels(ModuleOp module) const {
  Builder b(module.getContext());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto threads = function->getAttrOfType<IntegerAttr>(kernel::threadsAttrName);
    if (!threads)
      continue;
    std::string size = std::to_string(threads.getInt());
    function->setAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function->setAttr(ROCDL::ROCDLDialect::getFlatWorkGroupSizeAttrName(), b.getStringAttr(size + "," + size));
    function.setLinkage(LLVM::Linkage::External);
  }
}

FailureOr<std::string> amdgpu::emitCode(ModuleOp module, const Machine &machine, CodeForm form) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "xf");
  if (!translated)
    return module.emitError("expected kernels that translate to LLVM IR");
  llvm::Triple triple(machine.triple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return module.emitError() << error;
  std::unique_ptr<llvm::TargetMachine> targetMachine(
      target->createTargetMachine(triple, machine.cpu, machine.features, llvm::TargetOptions(), std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  translated->setTargetTriple(triple);
  translated->setDataLayout(targetMachine->createDataLayout());
  kernel::optimize(*translated, *targetMachine, llvm::OptimizationLevel::O2);
  SmallString<0> code;
  llvm::raw_svector_ostream os(code);
  llvm::legacy::PassManager passes;
  auto type = form == CodeForm::Assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (targetMachine->addPassesToEmitFile(passes, os, nullptr, type))
    return module.emitError("expected a target that emits code, got ") << machine.cpu;
  passes.run(*translated);
  return code.str().str();
}

const Target &amdgpu::getTarget() {
  static const AmdgpuTarget target;
  return target;
}
