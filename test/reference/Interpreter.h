//===- Interpreter.h - Programs of xf ops in double precision --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle that compiled programs are judged by. It computes what the specification says, in f64 and one op at a
// time, and differentiates a function by walking the recorded values backwards. It is made to be read, not to be fast.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_INTERPRETER_H
#define XF_TEST_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/reference/Rules.h"

namespace mlir::xf::reference {

using Tensors = SmallVector<Tensor>;

struct Gradients {
  Tensors results;
  /// One per argument; zeros for integer arguments.
  Tensors gradients;
};

class Interpreter {
public:
  Interpreter();

  /// The results of `function` on `arguments`, which have the function's types. Fails after an error at the op that is
  /// not known, or that refuses its operands.
  FailureOr<Tensors> evaluate(func::FuncOp function, ArrayRef<Tensor> arguments) const;

  /// The results on each rank of a function that is a rank's share (xf.share), from the arguments of each.
  FailureOr<SmallVector<Tensors>> evaluateRanks(func::FuncOp share, ArrayRef<Tensors> arguments) const;

  /// The results, and the gradients of sum over r of <cotangents[r], result r>.
  FailureOr<Gradients> vjp(func::FuncOp function, ArrayRef<Tensor> arguments, ArrayRef<Tensor> cotangents) const;

  /// The same of the body of a region that captures nothing.
  FailureOr<Tensors> evaluate(Block &body, ArrayRef<Tensor> arguments) const;
  FailureOr<Gradients> vjp(Block &body, ArrayRef<Tensor> arguments, ArrayRef<Tensor> cotangents) const;

private:
  FailureOr<Tensors> runBlock(Block &block, ArrayRef<Tensor> arguments, Frame &frame, int depth) const;
  FailureOr<Tensors> reverseBlock(Block &block, ArrayRef<Tensor> cotangents, const Frame &frame, int depth) const;
  LogicalResult run(Operation &op, Frame &frame, int depth) const;
  LogicalResult bindSizes(Block &block, Frame &frame) const;
  LogicalResult runCall(Operation &op, Block &body, Frame &frame, int depth) const;
  LogicalResult reverseCall(Operation &op, Block &body, const Frame &frame, Cotangents &cotangents, int depth) const;
  template <typename OpTy>
  LogicalResult runDerivative(OpTy op, Frame &frame, int depth) const;
  LogicalResult reverse(Operation &op, const Frame &frame, Cotangents &cotangents, int depth) const;

  Rules rules;
};

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_INTERPRETER_H
