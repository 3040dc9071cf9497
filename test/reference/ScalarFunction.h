//===- ScalarFunction.h - Regions of arith and math on scalars --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_SCALARFUNCTION_H
#define XF_TEST_REFERENCE_SCALARFUNCTION_H

#include "mlir/IR/Block.h"
#include "test/reference/ScalarRules.h"
#include "test/reference/Tensor.h"

namespace mlir::xf::reference {

/// A floating-point or an integer value; which of them, the SSA value's type says. i1 is 0 or 1.
struct Scalar {
  double real = 0;
  int64_t integer = 0;
};

/// The body of a score or map region: arith and math ops, tensor.extract of captures. Values are
/// f64 and exact 64-bit integers. Keeps the values of the last evaluation, which `differentiate` walks backwards.
class ScalarFunction {
public:
  /// `result` chooses among the values yielded. Fails after an error at an op that is not known.
  static FailureOr<ScalarFunction> create(Block &body, unsigned result = 0);

  /// `arguments` are those of the block that are no tensors, in order, `captures` the tensors. Fails after an error
  /// where an index lies outside a capture.
  FailureOr<Scalar> evaluate(ArrayRef<Scalar> arguments, ArrayRef<const Tensor *> captures);

  /// The gradient by each scalar argument (0 for integers) of `cotangent` times what was yielded last; adds the
  /// gradient by each capture to `captures`.
  ArrayRef<double> differentiate(double cotangent, MutableArrayRef<Tensor> captures);

private:
  struct Step {
    Operation *op;
    const RealRule *real = nullptr;
    const IntegerRule *integer = nullptr;
    SmallVector<unsigned, 3> operands = {};
    unsigned result = 0;
    int64_t element = 0; ///< of the capture, where the step read one
  };
  FailureOr<Scalar> compute(Step &step, ArrayRef<const Tensor *> captures);
  FailureOr<Scalar> extract(Step &step, const Tensor &capture);
  void reverse(const Step &step, MutableArrayRef<Tensor> captures);

  SmallVector<Step> steps;
  SmallVector<Scalar> values;     ///< scalar arguments, then one per step
  SmallVector<double> cotangents; ///< of the values
  unsigned scalarArguments = 0, yielded = 0;
};

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_SCALARFUNCTION_H
