//===- EmulatedProgram.h - A program that an emulator runs ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SWEEP_EMULATEDPROGRAM_H
#define XF_TEST_SWEEP_EMULATEDPROGRAM_H

#include "test/sweep/NativeProgram.h"
#include "llvm/ADT/SmallString.h"

namespace mlir::xf::sweep {

/// A program compiled for another architecture, whose entries the xf-run of that architecture calls.
class EmulatedProgram {
public:
  /// Compiles `module`, which is consumed. `command` is how xf-run is started: words with spaces between them. Fails
  /// after an error.
  static FailureOr<EmulatedProgram> compile(ModuleOp module, const CompileOptions &options, StringRef command);

  EmulatedProgram(EmulatedProgram &&other);
  ~EmulatedProgram();

  /// As NativeProgram::call on a CPU.
  FailureOr<reference::Tensors> call(StringRef entry, ArrayRef<reference::Tensor> arguments,
                                     ArrayRef<reference::Tensor> like) const;

private:
  EmulatedProgram(NativeProgram declared, StringRef command) : declared(std::move(declared)), command(command) {}

  std::string pathOf(const Twine &name) const;
  /// Calls an entry, whose arguments are in files, on so many threads. Leaves the results in files.
  LogicalResult start(const xfrt_entry &entry, unsigned threads) const;

  NativeProgram declared; ///< the program for this machine, which declares the same entries
  std::string command;
  SmallString<128> folder; ///< of the library, and of the files of a call
};

} // namespace mlir::xf::sweep

#endif // XF_TEST_SWEEP_EMULATEDPROGRAM_H
