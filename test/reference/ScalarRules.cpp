//===- ScalarRules.cpp - Scalar ops and their derivatives -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row an op: what it computes, then one partial derivative per operand. Of equal operands of a maximum or minimum
// the first has the gradient; the slope of |x| at 0 is 0.
//
//===----------------------------------------------------------------------===//

#include "test/reference/ScalarRules.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// Reals
//===----------------------------------------------------------------------===//

using X = const double *;

static double zero(X, double) { return 0; }
static double one(X, double) { return 1; }
static double minusOne(X, double) { return -1; }
static double first(X x, double) { return x[0]; }
static double second(X x, double) { return x[1]; }
static double value(X, double y) { return y; }
static double isFirstLarger(X x, double) { return x[0] >= x[1]; }
static double isSecondLarger(X x, double) { return !(x[0] >= x[1]); }
static double isFirstSmaller(X x, double) { return x[0] <= x[1]; }
static double isSecondSmaller(X x, double) { return !(x[0] <= x[1]); }

static const RealRule realRules[] = {
    {"arith.addf", [](X x) { return x[0] + x[1]; }, {one, one}},
    {"arith.subf", [](X x) { return x[0] - x[1]; }, {one, minusOne}},
    {"arith.mulf", [](X x) { return x[0] * x[1]; }, {second, first}},
    {"arith.divf",
     [](X x) { return x[0] / x[1]; },
     {[](X x, double) { return 1 / x[1]; }, [](X x, double y) { return -y / x[1]; }}},
    {"arith.remf",
     [](X x) { return std::fmod(x[0], x[1]); },
     {one, [](X x, double) { return -std::trunc(x[0] / x[1]); }}},
    {"arith.negf", [](X x) { return -x[0]; }, {minusOne}},
    {"arith.maximumf",
     [](X x) { return std::isnan(x[0]) || x[0] >= x[1] ? x[0] : x[1]; },
     {isFirstLarger, isSecondLarger}},
    {"arith.minimumf",
     [](X x) { return std::isnan(x[0]) || x[0] <= x[1] ? x[0] : x[1]; },
     {isFirstSmaller, isSecondSmaller}},
    {"arith.maxnumf", [](X x) { return std::fmax(x[0], x[1]); }, {isFirstLarger, isSecondLarger}},
    {"arith.minnumf", [](X x) { return std::fmin(x[0], x[1]); }, {isFirstSmaller, isSecondSmaller}},
    {"arith.extf", [](X x) { return x[0]; }, {one}},
    {"arith.truncf", [](X x) { return x[0]; }, {one}},
    {"math.fma", [](X x) { return std::fma(x[0], x[1], x[2]); }, {second, first, one}},
    {"math.exp", [](X x) { return std::exp(x[0]); }, {value}},
    {"math.exp2", [](X x) { return std::exp2(x[0]); }, {[](X, double y) { return M_LN2 * y; }}},
    {"math.expm1", [](X x) { return std::expm1(x[0]); }, {[](X, double y) { return y + 1; }}},
    {"math.log", [](X x) { return std::log(x[0]); }, {[](X x, double) { return 1 / x[0]; }}},
    {"math.log2", [](X x) { return std::log2(x[0]); }, {[](X x, double) { return 1 / (M_LN2 * x[0]); }}},
    {"math.log1p", [](X x) { return std::log1p(x[0]); }, {[](X x, double) { return 1 / (1 + x[0]); }}},
    {"math.sqrt", [](X x) { return std::sqrt(x[0]); }, {[](X, double y) { return 0.5 / y; }}},
    {"math.rsqrt", [](X x) { return 1 / std::sqrt(x[0]); }, {[](X x, double y) { return -0.5 * y / x[0]; }}},
    {"math.powf",
     [](X x) { return std::pow(x[0], x[1]); },
     {[](X x, double) { return x[1] == 0 ? 0 : x[1] * std::pow(x[0], x[1] - 1); },
      [](X x, double y) { return y == 0 ? 0 : y * std::log(x[0]); }}},
    {"math.tanh", [](X x) { return std::tanh(x[0]); }, {[](X, double y) { return 1 - y * y; }}},
    {"math.erf", [](X x) { return std::erf(x[0]); }, {[](X x, double) {
       return 2 / std::sqrt(M_PI) * std::exp(-x[0] * x[0]);
     }}},
    {"math.erfc", [](X x) { return std::erfc(x[0]); }, {[](X x, double) {
       return -2 / std::sqrt(M_PI) * std::exp(-x[0] * x[0]);
     }}},
    {"math.absf", [](X x) { return std::fabs(x[0]); }, {[](X x, double) {
       return x[0] == 0 ? 0 : std::copysign(1.0, x[0]);
     }}},
    {"math.sin", [](X x) { return std::sin(x[0]); }, {[](X x, double) { return std::cos(x[0]); }}},
    {"math.cos", [](X x) { return std::cos(x[0]); }, {[](X x, double) { return -std::sin(x[0]); }}},
    {"math.atan", [](X x) { return std::atan(x[0]); }, {[](X x, double) { return 1 / (1 + x[0] * x[0]); }}},
    {"math.tan", [](X x) { return std::tan(x[0]); }, {[](X, double y) { return 1 + y * y; }}},
    {"math.asin", [](X x) { return std::asin(x[0]); }, {[](X x, double) {
       return 1 / std::sqrt((1 - x[0]) * (1 + x[0]));
     }}},
    {"math.acos", [](X x) { return std::acos(x[0]); }, {[](X x, double) {
       return -1 / std::sqrt((1 - x[0]) * (1 + x[0]));
     }}},
    {"math.sinh", [](X x) { return std::sinh(x[0]); }, {[](X x, double) { return std::cosh(x[0]); }}},
    {"math.cosh", [](X x) { return std::cosh(x[0]); }, {[](X x, double) { return std::sinh(x[0]); }}},
    {"math.cbrt", [](X x) { return std::cbrt(x[0]); }, {[](X, double y) { return 1 / (3 * y * y); }}},
    {"math.log10", [](X x) { return std::log10(x[0]); }, {[](X x, double) { return 1 / (M_LN10 * x[0]); }}},
    {"math.atan2",
     [](X x) { return std::atan2(x[0], x[1]); },
     {[](X x, double y) { return x[0] == 0 && x[1] == 0 ? 0 : std::cos(y) / std::hypot(x[0], x[1]); },
      [](X x, double y) { return x[0] == 0 && x[1] == 0 ? 0 : -std::sin(y) / std::hypot(x[0], x[1]); }}},
    {"math.floor", [](X x) { return std::floor(x[0]); }, {zero}},
    {"math.ceil", [](X x) { return std::ceil(x[0]); }, {zero}},
    {"math.trunc", [](X x) { return std::trunc(x[0]); }, {zero}},
    {"math.roundeven", [](X x) { return std::nearbyint(x[0]); }, {zero}},
};

//===----------------------------------------------------------------------===//
// Integers: division by zero, which arith leaves open, gives 0
//===----------------------------------------------------------------------===//

using I = const int64_t *;

static int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? static_cast<int64_t>(0 - uint64_t(a)) : a / b;
}
static int64_t remainder(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }
static int64_t floorDivide(int64_t a, int64_t b) {
  return divide(a, b) - (remainder(a, b) != 0 && (remainder(a, b) < 0) != (b < 0));
}
static int64_t ceilDivide(int64_t a, int64_t b) {
  return divide(a, b) + (remainder(a, b) != 0 && (remainder(a, b) < 0) == (b < 0));
}

static const IntegerRule integerRules[] = {
    {"arith.addi", [](I x) { return int64_t(uint64_t(x[0]) + uint64_t(x[1])); }},
    {"arith.subi", [](I x) { return int64_t(uint64_t(x[0]) - uint64_t(x[1])); }},
    {"arith.muli", [](I x) { return int64_t(uint64_t(x[0]) * uint64_t(x[1])); }},
    {"arith.divsi", [](I x) { return divide(x[0], x[1]); }},
    {"arith.remsi", [](I x) { return remainder(x[0], x[1]); }},
    {"arith.floordivsi", [](I x) { return floorDivide(x[0], x[1]); }},
    {"arith.ceildivsi", [](I x) { return ceilDivide(x[0], x[1]); }},
    {"arith.divui", [](I x) { return x[1] ? int64_t(uint64_t(x[0]) / uint64_t(x[1])) : 0; }, true},
    {"arith.remui", [](I x) { return x[1] ? int64_t(uint64_t(x[0]) % uint64_t(x[1])) : 0; }, true},
    {"arith.maxsi", [](I x) { return std::max(x[0], x[1]); }},
    {"arith.minsi", [](I x) { return std::min(x[0], x[1]); }},
    {"arith.maxui", [](I x) { return int64_t(std::max(uint64_t(x[0]), uint64_t(x[1]))); }, true},
    {"arith.minui", [](I x) { return int64_t(std::min(uint64_t(x[0]), uint64_t(x[1]))); }, true},
    {"arith.andi", [](I x) { return x[0] & x[1]; }},
    {"arith.ori", [](I x) { return x[0] | x[1]; }},
    {"arith.xori", [](I x) { return x[0] ^ x[1]; }},
    {"arith.shli", [](I x) { return uint64_t(x[1]) < 64 ? int64_t(uint64_t(x[0]) << x[1]) : 0; }},
    {"arith.shrsi", [](I x) { return x[0] >> std::min<uint64_t>(63, uint64_t(x[1])); }},
    {"arith.shrui", [](I x) { return uint64_t(x[1]) < 64 ? int64_t(uint64_t(x[0]) >> x[1]) : 0; }, true},
    {"arith.index_cast", [](I x) { return x[0]; }},
    {"arith.index_castui", [](I x) { return x[0]; }, true},
    {"arith.extui", [](I x) { return x[0]; }, true},
    {"arith.trunci", [](I x) { return x[0]; }},
    {"math.absi", [](I x) { return x[0] < 0 ? int64_t(0 - uint64_t(x[0])) : x[0]; }},
};

template <typename Row, size_t size>
static const Row *find(const Row (&rows)[size], llvm::StringRef name) {
  const Row *row = llvm::find_if(rows, [&](const Row &row) { return row.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

const RealRule *mlir::xf::reference::findRealRule(llvm::StringRef name) { return find(realRules, name); }
const IntegerRule *mlir::xf::reference::findIntegerRule(llvm::StringRef name) { return find(integerRules, name); }
