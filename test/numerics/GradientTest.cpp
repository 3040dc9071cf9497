//===- GradientTest.cpp - One shape of the gradient of one program --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/numerics/GradientTest.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace xftest;
using mlir::xf::reference::Interpreter;

static Type realType(const AttentionCase &attention, MLIRContext &context) {
  return attention.real() == "f64" ? Type(Float64Type::get(&context)) : Type(Float32Type::get(&context));
}

static SmallVector<Tensor> withCotangents(const AttentionCase &attention, SmallVector<Tensor> arguments,
                                          MLIRContext &context, Random &random) {
  const Tensor &q = arguments[0];
  SmallVector<int64_t> rows(ArrayRef(q.shape).drop_back()), o(rows);
  o.push_back(attention.valueDepth);
  Type element = q.elementType;
  arguments.push_back(random.normals(element, o));
  arguments.push_back(random.normals(realType(attention, context), rows));
  return arguments;
}

GradientTest::GradientTest(const AttentionCase &attention, const CompiledProgram &program, const Sizes &sizes,
                           MLIRContext &context, uint64_t seed)
    : attention(attention), program(program), context(context), random(seed),
      arguments(withCotangents(attention, makeArguments(attention, sizes, context, random), context, random)),
      pairs(program, sizes, arguments) {}

std::vector<Array> GradientTest::call(ArrayRef<Tensor> arguments, int threads) const {
  std::vector<Array> all = program.call(arguments, threads, /*entry=*/1);
  all.erase(all.begin(), all.begin() + 2); // o, lse
  return all;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// For every row of a gradient, what its rounding errors are relative to: the same sums of magnitudes. `top` is the
/// largest |s| that goes into them.
struct GradientTest::Bounds {
  struct Rows {
    std::vector<double> magnitude; ///< [row][column]
    std::vector<double> top;       ///< [row]
  };
  std::array<Rows, 3> rows;  ///< of d_q, d_k, d_v
  double total = 0, top = 0; ///< of all dS
};

static void addMagnitudes(std::vector<double> &magnitude, int64_t row, double factor, const double *x,
                          int64_t columns) {
  for (int64_t d = 0; d < columns; ++d)
    magnitude[row * columns + d] += factor * std::abs(x[d]);
}

static double dotOfMagnitudes(const double *x, const double *y, int64_t size) {
  double sum = 0;
  for (int64_t d = 0; d < size; ++d)
    sum += std::abs(x[d] * y[d]);
  return sum;
}

/// P(i, j), as the output for values that are unit vectors.
Tensor GradientTest::probabilities() {
  int64_t keys = pairs.getSizes().keys;
  auto oracle = CompiledProgram::parse(attention.program(keys, /*drops=*/false), context);
  SmallVector<Tensor> wide(ArrayRef(arguments).drop_back(2));
  wide[2] = Tensor::zeros(wide[2].elementType, {pairs.getSizes().batches, pairs.getSizes().keyHeads, keys, keys});
  for (int64_t row = 0; row < wide[2].rows(); ++row)
    wide[2].row(row)[row % keys] = 1;
  return (*Interpreter().evaluate(oracle->function(), wide))[0];
}

GradientTest::Bounds GradientTest::bounds(const Tensor &o, const Tensor &lse) {
  int64_t depth = attention.depth, width = attention.valueDepth, keys = pairs.getSizes().keys;
  double scale = 1 / std::sqrt(static_cast<double>(depth)), stays = 1 / (1 - attention.family.dropout);
  Bounds bounds;
  for (auto [rows, tensor] : llvm::zip(bounds.rows, arguments)) {
    rows.magnitude.resize(tensor.reals.size());
    rows.top.resize(tensor.rows());
  }
  Tensor p = probabilities();
  const Tensor &dO = arguments[arguments.size() - 2], &dLse = arguments.back();
  for (int64_t row = 0; row < pairs.rows(); ++row) {
    double delta = dotOfMagnitudes(dO.row(row), o.row(row), width) + std::abs(dLse.reals[row]);
    for (int64_t key = 0; key < keys; ++key) {
      if (!pairs.sees(row, key))
        continue;
      int64_t keyRow = pairs.keyRow(row, key);
      const double *q = arguments[0].row(row), *k = arguments[1].row(keyRow), *v = arguments[2].row(keyRow);
      double one = p.row(row)[key], ds = one * (stays * dotOfMagnitudes(dO.row(row), v, width) + delta);
      addMagnitudes(bounds.rows[DQ].magnitude, row, scale * ds, k, depth);
      addMagnitudes(bounds.rows[DK].magnitude, keyRow, scale * ds, q, depth);
      addMagnitudes(bounds.rows[DV].magnitude, keyRow, stays * one, dO.row(row), width);
      double top =
          std::max(scale * dotOfMagnitudes(q, k, depth), std::isfinite(lse.reals[row]) ? std::abs(lse.reals[row]) : 0);
      bounds.total += ds;
      for (double *target :
           {&bounds.rows[DQ].top[row], &bounds.rows[DK].top[keyRow], &bounds.rows[DV].top[keyRow], &bounds.top})
        *target = std::max(*target, top);
    }
  }
  return bounds;
}

namespace {
/// docs/specification.md, section 10, relative to the row; u of what is stored and of what sums are in; what is too
/// small for either: half of the smallest step of f16, else what a probability below 2^-120 (2^-1016), which becomes 0,
/// adds.
struct GradientTolerance {
  double relative, store, sum, smallest;

  double rounding(double top) const { return sum * (16 + 8 * top) + 4 * store; }
};
} // namespace

static GradientTolerance toleranceOf(Type element) {
  if (element.isF64())
    return {1e-10, 0x1p-53, 0x1p-53, 0x1p-1010};
  if (element.isF16())
    return {1e-3, 0x1p-11, 0x1p-24, 0x1p-25};
  if (element.isBF16())
    return {6e-3, 0x1p-8, 0x1p-24, 0x1p-114};
  return {1e-5, 0x1p-24, 0x1p-24, 0x1p-114};
}

static double norm(const double *x, int64_t size) { return std::sqrt(xf::reference::dot(x, x, size)); }

static double distance(const double *x, const double *y, int64_t size) {
  double sum = 0;
  for (int64_t n = 0; n < size; ++n)
    sum += (x[n] - y[n]) * (x[n] - y[n]);
  return std::sqrt(sum);
}

static std::string describe(StringRef name, int64_t row, double error, double bound) {
  std::string text;
  llvm::raw_string_ostream(text) << name << ": expected an error of at most " << llvm::format("%.2g", bound)
                                 << " in row " << row << ", got " << llvm::format("%.2g", error);
  return text;
}

std::string GradientTest::checkErrors() {
  auto oracle = CompiledProgram::parse(attention.program(attention.valueDepth), context);
  SmallVector<Tensor> inputs(ArrayRef(arguments).drop_back(2)), cotangents(ArrayRef(arguments).take_back(2));
  auto expected = Interpreter().vjp(oracle->function(), inputs, cotangents);
  Bounds bounds = this->bounds(expected->results[0], expected->results[1]);
  static constexpr StringLiteral names[] = {"d_q", "d_k", "d_v"};
  for (auto [which, rows] : llvm::enumerate(bounds.rows)) {
    const Tensor &want = expected->gradients[which], got = results[which].toTensor();
    GradientTolerance tolerance = toleranceOf(want.elementType);
    int64_t columns = want.columns();
    for (int64_t row = 0; row < want.rows(); ++row) {
      double error = distance(want.row(row), got.row(row), columns);
      double rounding = tolerance.rounding(rows.top[row]) * norm(&rows.magnitude[row * columns], columns) +
                        tolerance.smallest * std::sqrt(columns);
      double bound = std::max(tolerance.relative * norm(want.row(row), columns), rounding);
      if (!(error <= bound))
        return describe(names[which], row, error, bound);
    }
  }
  // Elements of captured tensors get sums of dS with factors of at most 1. Whatever their type, dS has the error of o
  // as it was stored; the sums are rounded to their own type.
  size_t next = DCaptures;
  for (const Tensor &want : ArrayRef(expected->gradients).drop_front(3)) {
    if (!want.isReal())
      continue;
    Tensor got = results[next++].toTensor();
    GradientTolerance tolerance = toleranceOf(arguments[0].elementType);
    tolerance.relative = std::max(tolerance.relative, toleranceOf(want.elementType).relative);
    double error = distance(want.reals.data(), got.reals.data(), want.size());
    double bound = std::max(tolerance.relative * norm(want.reals.data(), want.size()),
                            tolerance.rounding(bounds.top) * bounds.total);
    if (!(error <= bound))
      return describe("a captured tensor", 0, error, bound);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

std::string GradientTest::compareRows(ArrayRef<Array> other, Result gradient, RowFilter expectsSame,
                                      StringRef what) const {
  int64_t rows = gradient == DQ ? pairs.rows() : pairs.keyRows();
  static constexpr StringLiteral names[] = {"d_q", "d_k", "d_v"};
  for (int64_t row = 0; row < rows; ++row)
    if (expectsSame(row) && other[gradient].row(row) != results[gradient].row(row))
      return ("expected " + what + " to leave row " + Twine(row) + " of " + names[gradient] + " as it was").str();
  return "";
}

std::string GradientTest::checkThreads() {
  for (int threads : {2, 3, 7})
    for (auto [one, many] : llvm::zip(results, call(arguments, threads)))
      if (one.bytes != many.bytes)
        return "expected " + std::to_string(threads) + " threads to change nothing in a gradient";
  return "";
}

/// The last batch alone, where there are no captured tensors, whose gradients are of all batches.
std::string GradientTest::checkBatches() {
  if (attention.family.dropout != 0 || results.size() > DCaptures)
    return "";
  SmallVector<Tensor> single = arguments;
  for (auto [number, argument] : llvm::enumerate(single)) {
    bool isClause = number >= 3 && number + 2 < single.size();
    if (isClause && !attention.family.operands[number - 3].isPerBatch)
      continue;
    int64_t size = argument.size() / pairs.getSizes().batches;
    auto keepLast = [&](auto &values) {
      values.erase(values.begin(), values.end() - std::min<int64_t>(size, values.size()));
    };
    keepLast(argument.reals);
    keepLast(argument.integers);
    argument.shape[0] = 1;
  }
  for (auto [one, many] : llvm::zip(call(single), results))
    if (StringRef(one.bytes.data(), one.bytes.size()) !=
        StringRef(many.bytes.data(), many.bytes.size()).take_back(one.bytes.size()))
      return "expected a batch alone to give the same bits in a gradient";
  return "";
}

static void poison(double *row, int64_t columns) {
  for (int64_t d = 0; d < columns; ++d)
    row[d] = d % 2 ? INFINITY : NAN;
}

/// A key full of NaN: rows that see it are NaN, and so are the keys that those see; nothing else notices.
std::string GradientTest::checkPoisonedKey() {
  int64_t keys = pairs.getSizes().keys, key = random.between(0, keys - 1);
  SmallVector<Tensor> poisoned = arguments;
  for (int64_t row = key; row < pairs.keyRows(); row += keys) {
    poison(poisoned[1].row(row), attention.depth);
    poison(poisoned[2].row(row), attention.valueDepth);
  }
  std::vector<char> reached(pairs.keyRows());
  for (int64_t row = 0; row < pairs.rows(); ++row)
    for (int64_t other = 0; other < keys; ++other)
      reached[pairs.keyRow(row, other)] |= pairs.sees(row, key) && pairs.sees(row, other);
  std::vector<Array> other = call(poisoned);
  std::string wrong = compareRows(other, DQ, [&](int64_t row) { return !pairs.sees(row, key); }, "a hidden NaN");
  for (Result gradient : {DK, DV})
    if (wrong.empty())
      wrong = compareRows(other, gradient, [&](int64_t row) { return !reached[row]; }, "a hidden NaN");
  return wrong;
}

/// A query, and the cotangent of its output, full of NaN: only its own gradient and those of the keys that it sees.
std::string GradientTest::checkPoisonedQuery() {
  int64_t queries = pairs.getSizes().queries, query = random.between(0, queries - 1);
  SmallVector<Tensor> poisoned = arguments;
  std::vector<char> reached(pairs.keyRows());
  for (int64_t row = query; row < pairs.rows(); row += queries) {
    poison(poisoned[0].row(row), attention.depth);
    poison(poisoned[poisoned.size() - 2].row(row), attention.valueDepth);
    for (int64_t key = 0; key < pairs.getSizes().keys; ++key)
      reached[pairs.keyRow(row, key)] |= pairs.sees(row, key);
  }
  std::vector<Array> other = call(poisoned);
  std::string wrong =
      compareRows(other, DQ, [&](int64_t row) { return row % queries != query; }, "NaN in another query");
  for (Result gradient : {DK, DV})
    if (wrong.empty())
      wrong = compareRows(other, gradient, [&](int64_t row) { return !reached[row]; }, "NaN in a query");
  return wrong;
}

std::string GradientTest::checkFuture() {
  int64_t t = random.between(0, pairs.getSizes().keys - 1);
  SmallVector<Tensor> changed = arguments;
  auto change = [&](Tensor &x, int64_t row) {
    for (int64_t d = 0; d < x.columns(); ++d)
      x.row(row)[d] = random.between(-3, 3);
  };
  for (int64_t row = 0; row < pairs.rows(); ++row)
    if (pairs.position(row) >= t) {
      change(changed[0], row);
      change(changed[changed.size() - 2], row);
    }
  for (int64_t row = 0; row < pairs.keyRows(); ++row)
    if (row % pairs.getSizes().keys >= t) {
      change(changed[1], row);
      change(changed[2], row);
    }
  return compareRows(call(changed), DQ, [&](int64_t row) { return pairs.looksBack(row, t); }, "a change of the future");
}

std::string GradientTest::run() {
  results = call(arguments);
  std::string wrong;
  for (auto check : {&GradientTest::checkErrors, &GradientTest::checkThreads, &GradientTest::checkBatches,
                     &GradientTest::checkPoisonedKey, &GradientTest::checkPoisonedQuery, &GradientTest::checkFuture})
    if (wrong.empty())
      wrong = (this->*check)();
  return wrong;
}
