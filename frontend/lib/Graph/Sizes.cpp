//===- Sizes.cpp - Computed sizes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "Checks.h"

using namespace xf;
using namespace xf::detail;

/// Returns an invalid expression, which stands for an unknown size.
static SizeExpression invalid() { return floorQuotient(SizeExpression(0), 0); }

SizeData SizeData::of(const Dim &size) {
  if (size.is_static())
    return {SizeExpression(size.value())};
  if (!size.symbol)
    return {invalid()};
  if (size.symbol->data)
    return *size.symbol->data;
  return {SizeExpression::ofName(size.name()), {{size.name(), size.range()}}};
}

Dim SizeData::dim() const {
  if (std::optional<int64_t> number = value.constant(); number && *number >= 0)
    return Dim(*number);
  if (const std::string *name = value.name())
    return Dim(*name, ranges.at(*name));
  Dim computed = Dim::unknown();
  SizeExpression::Range bounds = range();
  computed.symbol = std::make_shared<const Dim::Symbol>(
      Dim::Symbol{value.text(), {bounds.min, bounds.max}, std::make_shared<const SizeData>(*this)});
  return computed;
}

SizeExpression::Range SizeData::range() const {
  if (!value.isValid())
    return {-1, -1};
  return value.range([&](const std::string &name) {
    DimRange own = ranges.at(name);
    return SizeExpression::Range{own.min, own.max};
  });
}

/// Returns the ranges of the names in both sizes.
static std::map<std::string, DimRange> joined(const SizeData &a, const SizeData &b) {
  std::map<std::string, DimRange> ranges = a.ranges;
  ranges.insert(b.ranges.begin(), b.ranges.end());
  return ranges;
}

namespace xf::detail {
SizeData operator+(const SizeData &a, const SizeData &b) { return {a.value + b.value, joined(a, b)}; }
SizeData operator-(const SizeData &a, const SizeData &b) { return {a.value - b.value, joined(a, b)}; }
SizeData operator*(const SizeData &a, const SizeData &b) { return {a.value * b.value, joined(a, b)}; }

SizeData elementsOf(const Shape &shape) {
  SizeData product{SizeExpression(1)};
  for (const Dim &size : shape)
    product = product * SizeData::of(size);
  return product;
}

void expectSizes(const Shape &shape, Here here) {
  for (const Dim &size : shape)
    if (!size.is_named()) {
      expect(size.value() >= Dim::unknown().value(), here, "expected sizes of at least 0, got ", size, " in ", shape);
    } else {
      bool isValid = SizeData::of(size).value.isValid();
      expect(isValid && size.range().max >= 0, here, "expected sizes of at least 0, got ", size, " in ", shape,
             isValid ? ", which is at most " + std::to_string(size.range().max) : std::string());
    }
}
} // namespace xf::detail

static bool isUnknown(const Dim &size) { return !size.is_static() && !size.is_named(); }

Dim xf::operator+(const Dim &a, const Dim &b) {
  return isUnknown(a) || isUnknown(b) ? Dim::unknown() : (SizeData::of(a) + SizeData::of(b)).dim();
}
Dim xf::operator-(const Dim &a, const Dim &b) {
  return isUnknown(a) || isUnknown(b) ? Dim::unknown() : (SizeData::of(a) - SizeData::of(b)).dim();
}
Dim xf::operator*(const Dim &a, const Dim &b) {
  return isUnknown(a) || isUnknown(b) ? Dim::unknown() : (SizeData::of(a) * SizeData::of(b)).dim();
}
Dim xf::operator/(const Dim &a, int64_t divisor) {
  SizeData size = SizeData::of(a);
  return isUnknown(a) ? a : SizeData{floorQuotient(size.value, divisor), size.ranges}.dim();
}
