//===- Products.cpp - Products, norms, reductions, loss -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/ops.h"

#include <array>

#include <algorithm>

using namespace xf;
using namespace xf::detail;

/// Returns `shape` without its last `count` dimensions.
static Shape leading(const Shape &shape, size_t count) { return Shape(shape.begin(), shape.end() - count); }

static void expectSameType(const Tensor &a, const Tensor &b, const char *what, Here here) {
  expect(a.dtype() == b.dtype(), here, "expected one element type in ", what, ", got ", a.dtype(), " and ", b.dtype());
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Tensor xf::matmul(const Tensor &a, const Tensor &b, Here here) {
  expectFloat(a, "matmul", here);
  expectFloat(b, "matmul", here);
  expectSameType(a, b, "matmul", here);
  expect(a.rank() >= 2 && b.rank() >= 2, here, "expected rank 2 or more in matmul, got ", a.shape(), " and ",
         b.shape());
  const Dim &inner = a.shape().back(), &otherInner = b.shape()[b.rank() - 2];
  expect(inner.may_equal(otherInner), here, "expected equal inner sizes in matmul, got ", inner, " and ", otherInner,
         " (", a.shape(), " times ", b.shape(), ")");
  Shape batch = leading(a.shape(), 2), otherBatch = leading(b.shape(), 2);
  bool sameBatch = std::equal(batch.begin(), batch.end(), otherBatch.begin(), otherBatch.end(),
                              [](const Dim &x, const Dim &y) { return x.may_equal(y); });
  expect(sameBatch || b.rank() == 2, here, "expected equal leading sizes in matmul, got ", a.shape(), " and ",
         b.shape());
  Shape shape = leading(a.shape(), 1);
  shape.push_back(b.shape().back());
  return makeTensor(Op::matmul, here, {a, b}, {a.dtype(), shape});
}

Tensor xf::linear(const Tensor &x, const Tensor &weight, const Tensor &bias, Here here) {
  expectFloat(x, "linear", here);
  expectRank(weight, 2, "the weight of linear", here);
  expectSameType(x, weight, "linear", here);
  expect(x.rank() >= 1, here, "expected rank 1 or more in linear, got ", x.shape());
  expect(x.shape().back().may_equal(weight.shape()[1]), here, "expected a last dimension of ", weight.shape()[1],
         " in linear, got ", x.shape().back(), " (shape ", x.shape(), ")");
  std::vector<Tensor> operands = {x, weight};
  if (bias.defined()) {
    expectRank(bias, 1, "the bias of linear", here);
    expectSameType(x, bias, "linear", here);
    expect(bias.shape()[0].may_equal(weight.shape()[0]), here, "expected a bias of ", weight.shape()[0],
           " elements in linear, got ", bias.shape()[0]);
    operands.push_back(bias);
  }
  Shape shape = leading(x.shape(), 1);
  shape.push_back(weight.shape()[0]);
  return makeTensor(Op::linear, here, std::move(operands), {x.dtype(), shape});
}

//===----------------------------------------------------------------------===//
// Rows and reductions
//===----------------------------------------------------------------------===//

static void expectRows(const Tensor &x, const char *what, Here here) {
  expectFloat(x, what, here);
  expect(x.rank() >= 1, here, "expected rank 1 or more in ", what, ", got a scalar");
}

static Tensor row(Op op, const Tensor &x, const char *what, Here here) {
  expectRows(x, what, here);
  return makeTensor(op, here, {x}, {x.dtype(), x.shape()});
}

/// Appends `operand`, the weight or the bias of a norm of x, to the operands if it is defined. Throws Error unless it
/// has one element for each column of x, and the element type of x.
static void addNormOperand(std::vector<Tensor> &operands, const Tensor &x, const Tensor &operand, const char *what,
                           Here here) {
  if (!operand.defined())
    return;
  expectRank(operand, 1, what, here);
  expectSameType(x, operand, what, here);
  expect(operand.shape()[0].may_equal(x.shape().back()), here, "expected ", x.shape().back(), " elements in ", what,
         ", got ", operand.shape()[0]);
  operands.push_back(operand);
}

/// Returns a norm of x. `given` are x, weight and bias; weight and bias may be undefined.
static Tensor norm(Op op, const std::array<Tensor, 3> &given, double eps, const char *what, Here here) {
  const auto &[x, weight, bias] = given;
  expectRows(x, what, here);
  expect(eps >= 0, here, "expected eps >= 0 in ", what, ", got ", eps);
  std::vector<Tensor> operands = {x};
  addNormOperand(operands, x, weight, "the weight of a norm", here);
  addNormOperand(operands, x, bias, "the bias of a norm", here);
  return makeTensor(op, here, std::move(operands), {x.dtype(), x.shape()},
                    NormOptions{weight.defined(), bias.defined(), eps});
}

#define XF_ROW(NAME, OP)                                                                                               \
  Tensor xf::NAME(const Tensor &x, Here here) { return row(Op::NAME, x, #NAME, here); }
#define XF_NORM(NAME, OP)                                                                                              \
  Tensor xf::NAME(const Tensor &x, const Tensor &weight, double eps, Here here) {                                      \
    return norm(Op::NAME, {x, weight, {}}, eps, #NAME, here);                                                          \
  }
#define XF_BIASED_NORM(NAME, OP)                                                                                       \
  Tensor xf::NAME(const Tensor &x, const Tensor &weight, const Tensor &bias, double eps, Here here) {                  \
    return norm(Op::NAME, {x, weight, bias}, eps, #NAME, here);                                                        \
  }
#include "../Rows.def"

static Tensor reduce(Op op, const Tensor &x, const Axes &axes, bool keepDims, const char *what, Here here) {
  expectFloat(x, what, here);
  std::vector<bool> reduced(x.rank(), axes.list.empty());
  for (int64_t axis : axes.list) {
    int64_t position = normalizeAxis(axis, x.rank(), here);
    expect(!reduced[position], here, "expected distinct axes in ", what, ", got ", axis, " twice");
    reduced[position] = true;
  }
  std::vector<int64_t> list;
  Shape shape, kept;
  for (int64_t d = 0; d < x.rank(); ++d) {
    expect(op != Op::max || !reduced[d] || x.shape()[d].value() != 0, here, "expected at least one element in ", what,
           ", got shape ", x.shape());
    if (reduced[d])
      list.push_back(d);
    else
      shape.push_back(x.shape()[d]);
    kept.push_back(reduced[d] ? Dim(1) : x.shape()[d]);
  }
  Tensor y = makeTensor(op, here, {x}, {x.dtype(), shape}, std::move(list));
  return keepDims ? makeTensor(Op::reshape, here, {y}, {x.dtype(), kept}) : y;
}

Tensor xf::sum(const Tensor &x, Axes axes, bool keepDims, Here here) {
  return reduce(Op::sum, x, axes, keepDims, "sum", here);
}
Tensor xf::mean(const Tensor &x, Axes axes, bool keepDims, Here here) {
  bool counts = x.defined() && x.dtype() == boolean;
  return reduce(Op::mean, counts ? cast(x, f32, here) : x, axes, keepDims, "mean", here);
}
Tensor xf::max(const Tensor &x, Axes axes, bool keepDims, Here here) {
  return reduce(Op::max, x, axes, keepDims, "max", here);
}

//===----------------------------------------------------------------------===//
// Embeddings, loss, dropout
//===----------------------------------------------------------------------===//

Tensor xf::embedding(const Tensor &table, const Tensor &ids, Here here) {
  expectRank(table, 2, "the table of embedding", here);
  expectFloat(table, "the table of embedding", here);
  expectInteger(ids, "the ids of embedding", here);
  if (table.shape()[0].is_static())
    restrictRange(ids, 0, table.shape()[0].value() - 1);
  Shape shape = ids.shape();
  shape.push_back(table.shape()[1]);
  return makeTensor(Op::embedding, here, {table, ids}, {table.dtype(), shape});
}

Tensor xf::embedding(const Tensor &table, const Tensor &ids, const EmbeddingOptions &options, Here here) {
  Tensor rows = embedding(table, ids, here);
  if (!options.padding)
    return rows;
  expectPadding(options, table.shape()[0], here);
  Shape column = ids.shape();
  column.push_back(Dim(1));
  Tensor isPadding = reshape(Operand(ids, here) == Operand(static_cast<double>(*options.padding), here), column, here);
  return where(isPadding, Operand(stop_gradient(rows, here), here), Operand(rows, here), here);
}

Tensor xf::dropout(const Tensor &x, double p, const Tensor &seed, Here here) {
  expectFloat(x, "dropout", here);
  expectInteger(seed, "the seed of dropout", here);
  bool two = seed.rank() == 1 && seed.shape()[0].may_equal(Dim(2)) && seed.dtype() == i64;
  expect(two, here, "expected a seed of 2 x i64 in dropout, got ", seed.shape(), " of ", seed.dtype());
  expect(p >= 0 && p <= 1, here, "expected a probability in [0, 1] in dropout, got ", p);
  return makeTensor(Op::dropout, here, {x, seed}, {x.dtype(), x.shape()}, p);
}

Tensor xf::checkpoint(const std::function<Tensor()> &f, Here here) {
  uint64_t begin = nextSequence();
  Tensor result = f();
  expectDefined(result, "the result of checkpoint", here);
  Region region{begin, nextSequence(), {result}, {}};
  return makeTensor(Op::checkpoint, here, {}, {result.dtype(), result.shape()}, std::move(region));
}
