//===- CompiledProgram.h - A program compiled into this process -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SWEEP_COMPILEDPROGRAM_H
#define XF_TEST_SWEEP_COMPILEDPROGRAM_H

#include "compiler/Pipeline/Pipeline.h"
#include "runtime/tools/Tensor.h"
#include "test/reference/Interpreter.h"
#include "xfrt/xfrt.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace mlir::xf::sweep {

class CompiledProgram {
public:
  /// Compiles `module`, which is consumed. Fails after an error.
  static FailureOr<CompiledProgram> compile(ModuleOp module, const CompileOptions &options);

  CompiledProgram(CompiledProgram &&);
  ~CompiledProgram();

  /// The results of an entry on arguments that are rounded to their types; `results` gives the shapes. On the CPU every
  /// call runs on one thread in memory full of NaN, and on three of a handle that holds parameters, in memory of random
  /// bytes; the bits must be the same. Programs that were compiled for GPUs run on one. Fails after a message on
  /// stderr.
  FailureOr<reference::Tensors> call(StringRef entry, ArrayRef<reference::Tensor> arguments,
                                     ArrayRef<reference::Tensor> results) const;

  /// Returns the declaration of an entry of the program.
  const xfrt_entry &entry(StringRef name) const;

  /// Returns memory for tensors in the types that `declared` gives, filled with their elements. Fails after a message
  /// on stderr.
  static FailureOr<SmallVector<xfrt::tools::Tensor>> toMemory(ArrayRef<reference::Tensor> tensors,
                                                              const xfrt_tensor *declared);

private:
  CompiledProgram(std::unique_ptr<llvm::orc::LLJIT> code, const xfrt_model *model, bool onGpu);

  std::unique_ptr<llvm::orc::LLJIT> code;
  const xfrt_model *model;
  struct Destroy {
    void operator()(xfrt_context *context) const { xfrt_destroy(context); }
  };
  using Context = std::unique_ptr<xfrt_context, Destroy>;
  static Context createContext(const xfrt_model *model, const xfrt_options &options);
  SmallVector<Context, 2> contexts;
};

} // namespace mlir::xf::sweep

#endif // XF_TEST_SWEEP_COMPILEDPROGRAM_H
