//===- LinearForm.h - Checked integer linear forms --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_LINEAR_LINEARFORM_H
#define XF_COMPILER_PATTERN_LINEAR_LINEARFORM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::xf::pattern {

/// The linear form c0 + c1 x1 + c2 x2 + ... Column 0 is the constant, and the other columns are the variables and
/// divisions of a System. Columns past the end are zero, so forms stay valid and comparable when their system gains
/// divisions. A coefficient past 2^40 marks the form as overflowed for good. An overflowed form has no value and proves
/// nothing. The limit leaves room to evaluate forms in int64_t at indices up to 2^20.
class LinearForm {
public:
  static constexpr int64_t maxCoefficient = int64_t(1) << 40;

  LinearForm(int64_t constant = 0);
  static LinearForm column(unsigned number, int64_t coefficient = 1);

  int64_t operator[](unsigned column) const { return column < coefficients.size() ? coefficients[column] : 0; }
  int64_t constant() const { return (*this)[0]; }
  /// Returns the number of columns up to the last non-zero one.
  unsigned size() const { return coefficients.size(); }
  bool isConstant() const { return size() <= 1 && !overflow; }
  bool isZero() const { return size() == 0 && !overflow; }
  bool overflowed() const { return overflow; }

  void set(unsigned column, int64_t coefficient);
  LinearForm &add(const LinearForm &other, int64_t factor = 1);
  /// Divides every coefficient by `divisor`, which must divide all of them.
  LinearForm &divideExactly(int64_t divisor);
  /// Returns the greatest common divisor of all coefficients except the constant c0. Returns 0 if the form is constant.
  int64_t gcd() const;

  bool operator==(const LinearForm &other) const {
    return overflow == other.overflow && coefficients == other.coefficients;
  }

private:
  void trim();

  SmallVector<int64_t, 8> coefficients;
  bool overflow = false;
};

inline LinearForm operator+(LinearForm left, const LinearForm &right) { return left.add(right); }
inline LinearForm operator-(LinearForm left, const LinearForm &right) { return left.add(right, -1); }
inline LinearForm operator*(int64_t factor, const LinearForm &form) { return LinearForm().add(form, factor); }
inline LinearForm operator-(const LinearForm &form) { return -1 * form; }

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_LINEAR_LINEARFORM_H
