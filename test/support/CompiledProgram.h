//===- CompiledProgram.h - Programs compiled and run in process ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests compile a program once and call it on many tensors of the reference interpreter. Results and the workspace are
// full of NaN before a call: what a kernel leaves out or reads too early shows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SUPPORT_COMPILEDPROGRAM_H
#define XF_TEST_SUPPORT_COMPILEDPROGRAM_H

#include "compiler/Pipeline/Pipeline.h"
#include "runtime/tools/Tensor.h"
#include "test/reference/Interpreter.h"
#include "xfrt/xfrt.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace xftest {

using mlir::xf::reference::Tensor;
using mlir::xf::reference::Tensors;

/// Memory for a tensor, with its elements rounded to a type of the runtime (xfrt_dtype).
xfrt::tools::Tensor memoryOf(const Tensor &tensor, int32_t dtype);

/// A tensor as it lies in memory.
struct Array {
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> bytes;

  /// The elements are rounded to `elementType`.
  static Array of(const Tensor &tensor, mlir::Type elementType);
  static Array uninitialized(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  Tensor toTensor() const;
  /// Row n of the tensor as it lies in memory.
  llvm::StringRef row(int64_t n) const;
};

class CompiledProgram {
public:
  /// A program for function() only. Null, after an error, where the text is no program.
  static std::unique_ptr<CompiledProgram> parse(llvm::StringRef text, mlir::MLIRContext &context);
  /// Null, after an error, where the program does not compile. Calls of a program for GPUs run on one.
  static std::unique_ptr<CompiledProgram> create(mlir::ModuleOp written, const mlir::xf::CompileOptions &options);
  static std::unique_ptr<CompiledProgram> create(llvm::StringRef text, mlir::MLIRContext &context,
                                                 const mlir::xf::CompileOptions &options = {});

  /// Calls the entry number `entry`, as one of several ranks where there is a communicator; ends the test program where
  /// the call fails.
  std::vector<Array> call(llvm::ArrayRef<Tensor> arguments, int threads = 1, int entry = 0,
                          const xfrt_communicator *communicator = nullptr) const;
  /// The same for several calls of one handle, of any sizes, one after the other.
  std::vector<std::vector<Array>> callInTurn(llvm::ArrayRef<Tensors> calls, int threads = 1, int entry = 0,
                                             const xfrt_communicator *communicator = nullptr) const;

  /// Calls an entry of a handle that the caller made of model(). The results have the shapes of `like`: the sizes of
  /// some do not follow from those of arguments. Fails after a message on stderr.
  llvm::FailureOr<std::vector<Array>> call(xfrt_context *handle, int entry, llvm::ArrayRef<Tensor> arguments,
                                           llvm::ArrayRef<Tensor> like) const;

  const xfrt_model &model() const { return *compiled; }
  /// The number of the entry of that name, which the program has.
  int find(llvm::StringRef name) const;
  mlir::func::FuncOp function() const;
  bool runsOnGpu() const { return onGpu; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> written; ///< the program before it was compiled
  std::unique_ptr<llvm::orc::LLJIT> jit;
  const xfrt_model *compiled = nullptr;
  bool onGpu = false;
};

} // namespace xftest

#endif // XF_TEST_SUPPORT_COMPILEDPROGRAM_H
