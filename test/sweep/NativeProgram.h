//===- NativeProgram.h - A program on handles of every kind -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SWEEP_NATIVEPROGRAM_H
#define XF_TEST_SWEEP_NATIVEPROGRAM_H

#include "test/support/CompiledProgram.h"

namespace mlir::xf::sweep {

/// A program compiled for this machine, whose entries are called in every way that may change no bit.
class NativeProgram {
public:
  /// Fails after an error.
  static FailureOr<NativeProgram> compile(ModuleOp module, const CompileOptions &options);

  /// The results of an entry, in the shapes of `like`, on arguments that are rounded to their types. On the CPU every
  /// call runs on one thread in memory full of NaN, and on three of a handle that holds parameters, in memory of random
  /// bytes; the bits must be the same. Programs that were compiled for GPUs run on one. Fails after a message on
  /// stderr.
  FailureOr<reference::Tensors> call(StringRef entry, ArrayRef<reference::Tensor> arguments,
                                     ArrayRef<reference::Tensor> like) const;

  /// Returns the declaration of an entry of the program.
  const xfrt_entry &entry(StringRef name) const { return program->model().entries[program->find(name)]; }

private:
  LogicalResult open(const xfrt_options &options);

  std::unique_ptr<xftest::CompiledProgram> program;
  struct Destroy {
    void operator()(xfrt_context *handle) const { xfrt_destroy(handle); }
  };
  SmallVector<std::unique_ptr<xfrt_context, Destroy>, 2> handles;
};

} // namespace mlir::xf::sweep

#endif // XF_TEST_SWEEP_NATIVEPROGRAM_H
