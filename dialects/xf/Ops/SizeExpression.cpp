//===- SizeExpression.cpp - Polynomials of named sizes --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/SizeExpression.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir::xf;

using Term = SizeExpression::Term;
using Factor = SizeExpression::Factor;
using Range = SizeExpression::Range;
using NameText = std::function<std::string(const std::string &)>;

/// The largest number of terms. It is limited because every operation walks the terms. An expression with more terms is
/// invalid, like one with an overflow.
static constexpr size_t mostTerms = 64;

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && a % b < 0 ? 1 : 0); }

static std::string factorText(const Factor &factor, const NameText &nameText) {
  if (!factor.dividend)
    return nameText ? nameText(factor.name) : factor.name;
  const std::vector<Term> &terms = factor.dividend->terms();
  bool isPlain = terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1;
  std::string text = factor.dividend->text(nameText);
  return (isPlain ? text : "(" + text + ")") + " / " + std::to_string(factor.divisor);
}

/// Returns the texts of `factors`. Terms are ordered and compared by this key.
static std::vector<std::string> keyOf(const std::vector<Factor> &factors) {
  std::vector<std::string> key;
  for (const Factor &factor : factors)
    key.push_back(factorText(factor, {}));
  return key;
}

/// Returns whether term `a` comes before `b` in graded lexicographic order. Exact division relies on this order,
/// because products preserve it.
static bool isBefore(const Term &a, const Term &b) {
  if (a.factors.size() != b.factors.size())
    return a.factors.size() > b.factors.size();
  return keyOf(a.factors) < keyOf(b.factors);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

SizeExpression::SizeExpression(int64_t number) {
  if (number != 0)
    sum.push_back({number, {}});
}

SizeExpression SizeExpression::ofName(std::string name) {
  SizeExpression result;
  result.sum.push_back({1, {{std::move(name), nullptr, 1}}});
  return result;
}

std::optional<int64_t> SizeExpression::constant() const {
  if (!valid || sum.size() > 1 || (sum.size() == 1 && !sum[0].factors.empty()))
    return std::nullopt;
  return sum.empty() ? 0 : sum[0].coefficient;
}

const std::string *SizeExpression::name() const {
  bool isName = valid && sum.size() == 1 && sum[0].coefficient == 1 && sum[0].factors.size() == 1;
  return isName && !sum[0].factors[0].dividend ? &sum[0].factors[0].name : nullptr;
}

bool SizeExpression::hasQuotient() const {
  return std::any_of(sum.begin(), sum.end(), [](const Term &term) {
    return std::any_of(term.factors.begin(), term.factors.end(), [](const Factor &factor) { return factor.dividend; });
  });
}

void SizeExpression::forEachName(const std::function<void(const std::string &)> &visit) const {
  for (const Term &term : sum)
    for (const Factor &factor : term.factors) {
      if (factor.dividend)
        factor.dividend->forEachName(visit);
      else
        visit(factor.name);
    }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void SizeExpression::add(Term term) {
  auto place = std::lower_bound(sum.begin(), sum.end(), term, isBefore);
  if (place == sum.end() || isBefore(term, *place)) {
    if (term.coefficient != 0)
      sum.insert(place, std::move(term));
    valid &= sum.size() <= mostTerms;
    return;
  }
  valid &= !__builtin_add_overflow(place->coefficient, term.coefficient, &place->coefficient);
  if (place->coefficient == 0)
    sum.erase(place);
}

namespace mlir::xf {
SizeExpression operator+(const SizeExpression &a, const SizeExpression &b) {
  SizeExpression result = a;
  result.valid &= b.valid;
  for (const Term &term : b.sum)
    result.add(term);
  return result;
}

SizeExpression operator-(const SizeExpression &a, const SizeExpression &b) { return a + b * SizeExpression(-1); }

SizeExpression operator*(const SizeExpression &a, const SizeExpression &b) {
  SizeExpression result;
  result.valid = a.valid && b.valid;
  for (const Term &x : a.sum)
    for (const Term &y : b.sum) {
      Term product = x;
      result.valid &= !__builtin_mul_overflow(x.coefficient, y.coefficient, &product.coefficient);
      product.factors.insert(product.factors.end(), y.factors.begin(), y.factors.end());
      std::sort(product.factors.begin(), product.factors.end(),
                [](const Factor &l, const Factor &r) { return factorText(l, {}) < factorText(r, {}); });
      result.add(std::move(product));
    }
  return result;
}

SizeExpression floorQuotient(const SizeExpression &a, int64_t divisor) {
  // floor((divisor q + r) / divisor) = q + floor(r / divisor), with all coefficients of r in [0, divisor).
  SizeExpression whole, rest;
  whole.valid = rest.valid = a.valid && divisor >= 1;
  if (!whole.valid)
    return whole;
  for (const Term &term : a.sum) {
    int64_t quotient = floorDivide(term.coefficient, divisor);
    whole.add({quotient, term.factors});
    rest.add({term.coefficient - quotient * divisor, term.factors});
  }
  if (rest.constant())
    return whole;           // the constant is less than the divisor
  int64_t common = divisor; // of the divisor and all coefficients
  for (const Term &term : rest.sum)
    common = std::gcd(common, term.coefficient);
  for (Term &term : rest.sum)
    term.coefficient /= common;
  Factor factor{"", nullptr, divisor / common};
  const Term &first = rest.sum[0];
  bool isQuotient = rest.sum.size() == 1 && first.coefficient == 1 && first.factors.size() == 1 &&
                    first.factors[0].dividend &&
                    !__builtin_mul_overflow(divisor / common, first.factors[0].divisor, &factor.divisor);
  factor.dividend = isQuotient ? first.factors[0].dividend : std::make_shared<SizeExpression>(rest);
  whole.add({1, {factor}});
  return whole;
}

std::optional<SizeExpression> exactQuotient(SizeExpression a, const SizeExpression &divisor) {
  if (!a.valid || !divisor.valid || divisor.sum.empty())
    return std::nullopt;
  SizeExpression result;
  while (!a.sum.empty()) {
    Term lead = a.sum[0];
    if (lead.coefficient % divisor.sum[0].coefficient != 0)
      return std::nullopt;
    lead.coefficient /= divisor.sum[0].coefficient;
    for (const Factor &factor : divisor.sum[0].factors) {
      auto same = [&](const Factor &other) { return factorText(other, {}) == factorText(factor, {}); };
      auto found = std::find_if(lead.factors.begin(), lead.factors.end(), same);
      if (found == lead.factors.end())
        return std::nullopt;
      lead.factors.erase(found);
    }
    SizeExpression part;
    part.sum.push_back(lead);
    a = a - part * divisor;
    result = result + part;
    if (!a.valid || !result.valid)
      return std::nullopt;
  }
  return result;
}
} // namespace mlir::xf

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string SizeExpression::text(const NameText &nameText) const {
  if (!valid)
    return "a size beyond 64 bits";
  std::string text;
  for (const Term &term : sum) {
    uint64_t magnitude = term.coefficient < 0 ? -static_cast<uint64_t>(term.coefficient) : term.coefficient;
    if (text.empty())
      text = term.coefficient < 0 ? "-" : "";
    else
      text += term.coefficient < 0 ? " - " : " + ";
    bool hasNumber = magnitude != 1 || term.factors.empty() || (&term == &sum[0] && term.coefficient < 0);
    if (hasNumber)
      text += std::to_string(magnitude);
    bool isAlone = term.factors.size() == 1 && !hasNumber;
    for (size_t n = 0; n < term.factors.size(); ++n) {
      std::string factor = factorText(term.factors[n], nameText);
      text += hasNumber || n ? " * " : "";
      text += term.factors[n].dividend && !isAlone ? "(" + factor + ")" : factor;
    }
  }
  return text.empty() ? "0" : text;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t>
SizeExpression::evaluate(const std::function<std::optional<int64_t>(const std::string &)> &valueOf) const {
  if (!valid)
    return std::nullopt;
  int64_t total = 0;
  for (const Term &term : sum) {
    int64_t product = term.coefficient;
    for (const Factor &factor : term.factors) {
      std::optional<int64_t> value = factor.dividend ? factor.dividend->evaluate(valueOf) : valueOf(factor.name);
      if (!value ||
          __builtin_mul_overflow(product, factor.dividend ? floorDivide(*value, factor.divisor) : *value, &product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(total, product, &total))
      return std::nullopt;
  }
  return total;
}

static constexpr int64_t largest = std::numeric_limits<int64_t>::max();

/// Return a sum or a product, clamped to [-(2^63 - 1), 2^63 - 1].
static int64_t saturatedSum(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? (a < 0 ? -largest : largest) : std::max(result, -largest);
}
static int64_t saturatedProduct(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? ((a < 0) != (b < 0) ? -largest : largest) : std::max(result, -largest);
}

static Range productOf(Range a, Range b) {
  int64_t corners[] = {saturatedProduct(a.min, b.min), saturatedProduct(a.min, b.max), saturatedProduct(a.max, b.min),
                       saturatedProduct(a.max, b.max)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Range SizeExpression::range(const std::function<Range(const std::string &)> &rangeOf) const {
  Range total{0, 0};
  for (const Term &term : sum) {
    Range product{term.coefficient, term.coefficient};
    for (const Factor &factor : term.factors) {
      Range own = factor.dividend ? factor.dividend->range(rangeOf) : rangeOf(factor.name);
      if (factor.dividend)
        own = {floorDivide(own.min, factor.divisor), floorDivide(own.max, factor.divisor)};
      product = productOf(product, own);
    }
    total = {saturatedSum(total.min, product.min), saturatedSum(total.max, product.max)};
  }
  return total;
}
