//===- XfDialect.h - The dialect, its enums and parameter types -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFDIALECT_H
#define XF_DIALECTS_XF_IR_XFDIALECT_H

#include "dialects/xf/IR/SizeExpression.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/xf/IR/XfDialect.h.inc"
#include "dialects/xf/IR/XfEnums.h.inc"

namespace mlir::xf {

/// The distance from a query to an end of its window. If `value` is nullopt, the window is unbounded on this side.
struct Bound {
  std::optional<int64_t> value;
  Bound() = default;
  Bound(int64_t distance) : value(distance) {}
  bool operator==(const Bound &other) const { return value == other.value; }
};
llvm::hash_code hash_value(const Bound &bound);
AsmPrinter &operator<<(AsmPrinter &printer, const Bound &bound);

/// The half-open interval [lower, upper), written lower : upper.
struct Interval {
  int64_t lower = 0, upper = 0;
  bool operator==(const Interval &other) const { return lower == other.lower && upper == other.upper; }
};
llvm::hash_code hash_value(const Interval &interval);
AsmPrinter &operator<<(AsmPrinter &printer, const Interval &interval);

inline llvm::hash_code hash_value(const SizeExpression &size) { return llvm::hash_value(size.text()); }

/// Parse parameters of attributes whose syntax TableGen cannot express: a flag, a real number, and a stabiliser.
FailureOr<bool> parseFlag(AsmParser &parser);
FailureOr<FloatAttr> parseReal(AsmParser &parser);
FailureOr<std::optional<Stabilizer>> parseStabilizer(AsmParser &parser);

} // namespace mlir::xf

namespace mlir {
template <>
struct FieldParser<xf::Bound> {
  static FailureOr<xf::Bound> parse(AsmParser &parser);
};
template <>
struct FieldParser<xf::Interval> {
  static FailureOr<xf::Interval> parse(AsmParser &parser);
};
} // namespace mlir

#endif // XF_DIALECTS_XF_IR_XFDIALECT_H
