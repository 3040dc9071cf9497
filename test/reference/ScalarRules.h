//===- ScalarRules.h - Scalar ops and their derivatives ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_SCALARRULES_H
#define XF_TEST_REFERENCE_SCALARRULES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::xf::reference {

/// A scalar op on reals: its value at x[0], x[1], .., and its partial derivatives there, where it has the value y.
struct RealRule {
  llvm::StringLiteral name;
  double (*value)(const double *x);
  double (*slopes[3])(const double *x, double y);
};

/// A scalar op on integers; `isUnsigned`: operands are zero-extended from their width. The result is wrapped to its
/// own.
struct IntegerRule {
  llvm::StringLiteral name;
  int64_t (*value)(const int64_t *x);
  bool isUnsigned = false;
};

/// Null where no row has that name.
const RealRule *findRealRule(llvm::StringRef name);
const IntegerRule *findIntegerRule(llvm::StringRef name);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_SCALARRULES_H
