//===- xf-amdgpu.cpp - From a kernel to code of an AMD GPU ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xf-amdgpu KERNELS.mlir [--gpu-arch=gfx942] [--object] [-o FILE]
//
// Takes the kernels of a file through the stages of the target beside this file, as xfc takes them through those of the
// registry.
//
//===----------------------------------------------------------------------===//

#include "AmdgpuTarget.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::xf;
namespace cl = llvm::cl;

static LogicalResult compile(ModuleOp module, const Machine &machine) {
  const Target &target = amdgpu::getTarget();
  if (failed(target.expandKernels(module, machine)))
    return failure();
  for (auto kernel : module.getOps<func::FuncOp>())
    if (kernel->hasAttr(xft::kernelAttrName) && failed(target.lowerKernelAbi(kernel)))
      return failure();
  PassManager pm(module.getContext());
  target.addLowering(pm);
  if (failed(pm.run(module)))
    return failure();
  target.markKernels(module);
  return success();
}

int main(int argc, char **argv) {
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("KERNELS.mlir"));
  cl::opt<std::string> architecture("gpu-arch", cl::desc("The processor: gfx90a, gfx942, gfx950, gfx1100"),
                                    cl::init("gfx942"));
  cl::opt<bool> object("object", cl::desc("Write an object, not assembly"));
  cl::opt<std::string> output("o", cl::desc("File to write"), cl::init("-"));
  cl::ParseCommandLineOptions(argc, argv, "From a kernel to code of an AMD GPU\n");

  const Target &target = amdgpu::getTarget();
  MachineOptions options;
  options.machine = architecture;
  MachineRef machine = target.findMachine(options);
  if (!machine) {
    llvm::errs() << "xf-amdgpu: expected one of " << llvm::join(target.machineNames(), ", ") << ", got '"
                 << architecture << "'\n";
    return 1;
  }
  DialectRegistry registry;
  registry.insert<func::FuncDialect, LLVM::LLVMDialect, xft::XftDialect>();
  target.registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects(); // attributes of kernels are translated by dialects that are there
  llvm::SourceMgr sources;
  std::string error;
  auto file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << "xf-amdgpu: " << error << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(file), {});
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(compile(*module, *machine)))
    return 1;
  FailureOr<std::string> code =
      amdgpu::emitCode(*module, *machine, object ? amdgpu::CodeForm::Object : amdgpu::CodeForm::Assembly);
  if (failed(code))
    return 1;
  auto written = openOutputFile(output, &error);
  if (!written) {
    llvm::errs() << "xf-amdgpu: " << error << "\n";
    return 1;
  }
  written->os() << *code;
  written->keep();
  return 0;
}
