//===- CreateOnce.h - One op for equal ones ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shares of several ops often need the same slice or message. createOnce builds it once.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_CREATEONCE_H
#define XF_COMPILER_PARTITION_CREATEONCE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::xf {

/// Builds an op with one result, from the arguments `args` of OpTy::create. `operand` is one of its operands. If an
/// equal op already uses `operand`, returns the result of that op instead.
template <typename OpTy, typename... Args>
Value createOnce(OpBuilder &b, Location location, Value operand, Args &&...args) {
  auto created = OpTy::create(b, location, std::forward<Args>(args)...);
  for (Operation *user : operand.getUsers())
    if (user != created && OperationEquivalence::isEquivalentTo(user, created, OperationEquivalence::IgnoreLocations)) {
      created.erase();
      return user->getResult(0);
    }
  return created;
}

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_CREATEONCE_H
