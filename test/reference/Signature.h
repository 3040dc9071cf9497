//===- Signature.h - A function's inputs and results by name ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_SIGNATURE_H
#define XF_TEST_REFERENCE_SIGNATURE_H

#include "runtime/tools/Assignments.h"
#include "test/reference/Interpreter.h"

namespace mlir::xf::reference {

/// Arguments and results as the command line names them: by xf.name, xf.parameter or xf.state, else arg0 .. and
/// result0 .. With a derivative, the cotangents d_RESULT follow the arguments and the gradients d_INPUT the results,
/// floating-point ones only.
struct Signature {
  std::vector<xfrt::tools::TensorSpec> arguments, cotangents, results, gradients;
  std::vector<int32_t> roles;                    ///< xfrt_role of each argument
  SmallVector<size_t> differentiable, activated; ///< the arguments of `gradients`, the results of `cotangents`

  /// Fails after an error where a type is no tensor that files can hold.
  static FailureOr<Signature> of(func::FuncOp function);

  std::vector<xfrt::tools::TensorSpec> inputSpecs(bool vjp) const;
  std::vector<xfrt::tools::TensorSpec> outputSpecs(bool vjp) const;
};

/// Weights that no assignment gave, from a safetensors file.
bool readParameters(const Signature &signature, const std::string &path,
                    std::vector<std::optional<xfrt::tools::Tensor>> &values, xfrt::tools::Failure &failure);

/// Between the tools' tensors, which hold elements of their types, and the interpreter's, which hold f64.
Tensor toReference(const xfrt::tools::Tensor &tensor, Type elementType);
bool fromReference(const Tensor &tensor, xfrt::tools::Tensor &result, xfrt::tools::Failure &failure);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_SIGNATURE_H
