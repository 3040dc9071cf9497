//===- CodeGen.cpp - From vector code to machine code ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/Kernel/Code/LowerToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Dialect/X86Vector/Transforms.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Lets the conversion of all dialects to LLVM convert the ops of x86vector, too. Each of these ops is one instruction.
struct X86VectorToLLVM : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void populateConvertToLLVMConversionPatterns(ConversionTarget &target, LLVMTypeConverter &types,
                                               RewritePatternSet &patterns) const override {
    target.addIllegalDialect<x86vector::X86VectorDialect>();
    populateX86VectorLegalizeForLLVMExportPatterns(types, patterns);
  }
};
} // namespace

void cpu::registerCodeGen(DialectRegistry &registry) {
  kernel::registerLowering(registry);
  registry.insert<x86vector::X86VectorDialect>();
  registry.addExtension(
      +[](MLIRContext *, x86vector::X86VectorDialect *dialect) { dialect->addInterfaces<X86VectorToLLVM>(); });
}

static std::unique_ptr<llvm::TargetMachine>
targetMachine(const Machine &machine, llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive) {
  std::string error;
  llvm::Triple triple(machine.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, machine.cpu, machine.features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, level));
}

std::unique_ptr<llvm::Module> cpu::translateToLLVM(ModuleOp module, const Machine &machine,
                                                   llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "xf");
  if (!translated)
    return nullptr;
  translated->setTargetTriple(llvm::Triple(machine.triple));
  const auto &cpu = cast<CpuMachine>(machine);
  translated->setDataLayout(targetMachine(machine)->createDataLayout());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.cpu);
    function.addFnAttr("target-features", machine.features);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("frame-pointer", "all"); // for profilers, at no measurable cost
    if (cpu.sveBytes != 0)
      function.addFnAttr(
          llvm::Attribute::getWithVScaleRangeArgs(context, cpu.sveBytes / 16, cpu.sveBytes / 16)); // units of 128 bits
    else if (cpu.vectorBytes == 64)
      function.addFnAttr("prefer-vector-width", "512");
  }
  return translated;
}

LogicalResult cpu::generateCode(llvm::Module &module, const Machine &machine, unsigned optLevel,
                                llvm::CodeGenFileType kind, SmallVectorImpl<char> &output, std::string &error) {
  auto level = optLevel == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  std::unique_ptr<llvm::TargetMachine> target = targetMachine(machine, level);
  if (optLevel >= 3)
    kernel::optimize(module, *target, llvm::OptimizationLevel::O3);
  llvm::raw_svector_ostream os(output);
  llvm::legacy::PassManager passes;
  if (target->addPassesToEmitFile(passes, os, nullptr, kind)) {
    error = "expected a target that emits this kind of file, got " + machine.triple;
    return failure();
  }
  passes.run(module);
  return success();
}
