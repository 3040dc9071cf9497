//===- CodeGen.cpp - From vector code to machine code ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/Kernel/Code/Optimize.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

void cpu::registerCodeGen(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, x86vector::X86VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void cpu::addLowering(OpPassManager &pm) {
  // Constants are created once and addresses folded while kernels are built: one CSE and one hoisting pass are the only
  // clean-up that pays.
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectorOptions;
  vectorOptions.x86Vector = true;
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static std::unique_ptr<llvm::TargetMachine> targetMachine(const Machine &machine) {
  std::string error;
  llvm::Triple triple(machine.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, machine.cpu, machine.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

std::unique_ptr<llvm::Module> cpu::translateToLLVM(ModuleOp module, const Machine &machine,
                                                   llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "xf");
  if (!translated)
    return nullptr;
  translated->setTargetTriple(llvm::Triple(machine.triple));
  bool hasWideVectors = cast<CpuMachine>(machine).vectorBytes == 64;
  translated->setDataLayout(targetMachine(machine)->createDataLayout());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.cpu);
    function.addFnAttr("target-features", machine.features);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (hasWideVectors)
      function.addFnAttr("prefer-vector-width", "512");
  }
  return translated;
}

LogicalResult cpu::generateCode(llvm::Module &module, const Machine &machine, unsigned optLevel,
                                llvm::CodeGenFileType kind, SmallVectorImpl<char> &output, std::string &error) {
  std::unique_ptr<llvm::TargetMachine> target = targetMachine(machine);
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
