//===- CodeGen.cpp - From kernels to PTX ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/CodeGen.h"
#include "compiler/Target/Kernel/Code/LowerToLLVM.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::xf;

void xf::nvgpu::registerCodeGen(DialectRegistry &registry) {
  kernel::registerLowering(registry);
  registry.insert<NVVM::NVVMDialect>();
  registerConvertNVVMToLLVMInterface(registry);
  registerNVVMDialectTranslation(registry);
}

static int64_t residentBlocks(LLVM::LLVMFuncOp function) {
  auto blocks = function->getAttrOfType<IntegerAttr>(kernel::residentBlocksAttrName);
  return blocks ? blocks.getInt() : 1;
}

/// Sets the attributes that make a function a kernel. Always gives the minimum number of thread blocks per
/// multiprocessor, because ptxas must know the number of registers at entry. Without that, it ignores setmaxnreg.
static void markKernel(LLVM::LLVMFuncOp function, int64_t threads, int64_t residentBlocks) {
  OpBuilder b(function.getContext());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), b.getDenseI32ArrayAttr({static_cast<int32_t>(threads)}));
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    b.getI32IntegerAttr(static_cast<int32_t>(residentBlocks)));
  for (unsigned n = 0; n < function.getNumArguments(); ++n)
    if (function.getArgAttr(n, LLVM::LLVMDialect::getByValAttrName())) // grid constant: read in place, not copied
      function.setArgAttr(n, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
  function.setLinkage(LLVM::Linkage::External);
}

void xf::nvgpu::markKernels(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto threads = function->getAttrOfType<IntegerAttr>(threadsAttrName))
      markKernel(function, threads.getInt(), residentBlocks(function));
    else if (!function.isExternal()) // kernels call it
      function.setLinkage(LLVM::Linkage::Internal);
}

FailureOr<std::string> xf::nvgpu::translateToPtx(ModuleOp module, const Machine &machine) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "xf");
  if (!translated)
    return module.emitError("expected kernels that translate to LLVM IR");
  std::string error;
  llvm::Triple triple(machine.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return module.emitError() << error;
  std::unique_ptr<llvm::TargetMachine> targetMachine(
      target->createTargetMachine(triple, machine.cpu, machine.features, llvm::TargetOptions(), std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  translated->setTargetTriple(triple);
  translated->setDataLayout(targetMachine->createDataLayout());
  // Infers address spaces; without them every access is a generic one.
  kernel::optimize(*translated, *targetMachine, llvm::OptimizationLevel::O2);
  SmallString<0> ptx;
  llvm::raw_svector_ostream os(ptx);
  llvm::legacy::PassManager passes;
  if (targetMachine->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("expected a target that emits PTX, got ") << machine.cpu;
  passes.run(*translated);
  return ptx.str().str();
}
