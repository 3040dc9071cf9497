//===- SizeExpression.h - Polynomials of named sizes ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions of named sizes: sums, differences and products, and quotients by numbers. The frontend computes with
// them, too, so this header needs neither LLVM nor exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_SIZEEXPRESSION_H
#define XF_DIALECTS_XF_IR_SIZEEXPRESSION_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::xf {

/// A polynomial with integer coefficients. Its variables are named sizes and floor quotients of polynomials by positive
/// numbers. The form is canonical: expressions that are equal as polynomials have equal terms. An expression with a
/// number beyond 64 bits is invalid, and so is every result computed from it.
class SizeExpression {
public:
  /// A variable. It is the size `name` or, if `dividend` is not null, the floor of dividend / divisor.
  struct Factor {
    std::string name;
    std::shared_ptr<const SizeExpression> dividend;
    int64_t divisor = 1;
  };
  /// A product of a coefficient and of variables. The variables are in ascending order of their text.
  struct Term {
    int64_t coefficient;
    std::vector<Factor> factors;
  };
  /// The numbers from `min` to `max`, both included.
  struct Range {
    int64_t min, max;
  };

  SizeExpression(int64_t number = 0);
  static SizeExpression ofName(std::string name);

  bool isValid() const { return valid; }
  /// The terms with coefficients other than 0, higher degrees first.
  const std::vector<Term> &terms() const { return sum; }
  /// Returns the value of an expression that has no variables, else nullopt.
  std::optional<int64_t> constant() const;
  /// Returns the name if the expression is one named size, else null.
  const std::string *name() const;
  bool hasQuotient() const;
  /// Calls `visit` for each name in the expression, also inside quotients.
  void forEachName(const std::function<void(const std::string &)> &visit) const;

  friend SizeExpression operator+(const SizeExpression &a, const SizeExpression &b);
  friend SizeExpression operator-(const SizeExpression &a, const SizeExpression &b);
  friend SizeExpression operator*(const SizeExpression &a, const SizeExpression &b);
  /// Returns the floor of a / divisor, for a divisor of at least 1.
  friend SizeExpression floorQuotient(const SizeExpression &a, int64_t divisor);
  /// Returns the polynomial q with q * divisor = a, or nullopt if there is none.
  friend std::optional<SizeExpression> exactQuotient(SizeExpression a, const SizeExpression &divisor);
  bool operator==(const SizeExpression &other) const { return text() == other.text(); }

  /// Returns the expression as text, such as "batch * tokens + 1" or "(n + 1) / 2". `nameText` writes a name.
  std::string text(const std::function<std::string(const std::string &)> &nameText = {}) const;
  /// Returns the value of the expression, where `valueOf` returns the size of a name. Returns nullopt if `valueOf`
  /// returns nullopt for a name, or on overflow.
  std::optional<int64_t> evaluate(const std::function<std::optional<int64_t>(const std::string &)> &valueOf) const;
  /// Returns bounds of the value, where `rangeOf` returns the range of the size of a name. Ranges must not have
  /// negative numbers.
  Range range(const std::function<Range(const std::string &)> &rangeOf) const;

private:
  void add(Term term);

  std::vector<Term> sum;
  bool valid = true;
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_SIZEEXPRESSION_H
