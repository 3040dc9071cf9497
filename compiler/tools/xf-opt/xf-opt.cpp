//===- xf-opt.cpp - Every pass and dialect, for tests ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#if XF_PASSES
#include "compiler/Expand/Passes.h"
#include "compiler/Fuse/Passes.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Memory/Passes.h"
#include "compiler/Partition/Passes.h"
#include "compiler/Pattern/Passes.h"
#include "compiler/Target/Passes.h"
#include "compiler/Target/Target.h"
#include "compiler/Tile/Passes.h"
#endif
#include "compiler/Support/PrintHelp.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Text/ReadProgram.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ToolOutputFile.h"
#include <csignal>
#include <cstdlib>

/// Registers the passes of the compiler and the dialects of its targets, unless this build does not include the
/// compiler (XF_PARTS).
static void registerPasses([[maybe_unused]] mlir::DialectRegistry &registry) {
#if XF_PASSES
  mlir::xf::registerExpandPasses();
  mlir::xf::registerGradientPasses();
  mlir::xf::registerFusePasses();
  mlir::xf::registerPatternPasses();
  mlir::xf::registerPartitionPasses();
  mlir::xf::registerTilePasses(mlir::xf::tileModelOf);
  mlir::xf::registerMemoryPasses();
  mlir::xf::registerTargetPasses();
  for (const mlir::xf::Target *target : mlir::xf::allTargets())
    target->registerDialects(registry);
#endif
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file past a limit is an error like a full disk
  llvm::outs();             // made before, and so flushed after, what --help leaves by
  std::atexit([] {
    if (mlir::xf::flushOutput("xf-opt") != EXIT_SUCCESS)
      std::_Exit(EXIT_FAILURE);
  });
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                  mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  registry.insert<mlir::xf::XfDialect, mlir::xft::XftDialect>();
  mlir::registerTransformsPasses();
  registerPasses(registry);
  // Works like mlir-opt, except that the text is scanned first: the parser overflows its stack on some texts.
  auto [input, output] = mlir::registerAndParseCLIOptions(argc, argv, "xf optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  auto program = mlir::xf::readProgram("xf-opt", input, registry);
  if (failed(program))
    return EXIT_FAILURE;
  std::string message;
  auto file = mlir::openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "xf-opt: error: " << message << "\n";
    return EXIT_FAILURE;
  }
  bool isGood = succeeded(mlir::MlirOptMain(file->os(), std::move(*program), registry, config));
  file->os().flush();
  if (std::error_code code = file->os().error()) { // an error that is not checked ends the process
    file->os().clear_error();
    llvm::errs() << "xf-opt: error: expected to write '" << (output == "-" ? "standard output" : output)
                 << "': " << code.message() << "\n";
    return EXIT_FAILURE;
  }
  if (!isGood)
    return EXIT_FAILURE;
  file->keep();
  return EXIT_SUCCESS;
}
