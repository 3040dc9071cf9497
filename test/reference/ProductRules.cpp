//===- ProductRules.cpp - linear, matmul, product -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "test/reference/Rules.h"
#include "test/reference/ScalarFunction.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// linear: y = x W^T + b
//===----------------------------------------------------------------------===//

static LogicalResult evaluateLinear(LinearOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()], &weight = frame[op.getWeight()];
  if (x.rank() < 1 || weight.rank() != 2 || weight.shape[1] != x.columns())
    return op.emitError("expected x ..xIn and a weight OutxIn, got ")
           << op.getX().getType() << " and " << op.getWeight().getType();
  if (op.getBias() && frame[op.getBias()].size() != weight.shape[0])
    return op.emitError("expected a bias of ") << weight.shape[0] << " elements, got " << op.getBias().getType();
  SmallVector<int64_t> shape = x.shape;
  shape.back() = weight.shape[0];
  Tensor y = Tensor::zeros(x.elementType, shape);
  for (int64_t n = 0; n < y.rows(); ++n)
    for (int64_t o = 0; o < y.columns(); ++o)
      y.row(n)[o] = dot(x.row(n), weight.row(o), x.columns()) + (op.getBias() ? frame[op.getBias()].reals[o] : 0);
  frame.set(op.getY(), y);
  return success();
}

static void differentiateLinear(LinearOp op, const Frame &frame, Cotangents &cotangents) {
  const Tensor &x = frame[op.getX()], &weight = frame[op.getWeight()];
  Tensor dy = cotangents[op.getY()], dx = Tensor::zerosLike(x), dWeight = Tensor::zerosLike(weight);
  for (int64_t n = 0; n < dy.rows(); ++n)
    for (int64_t o = 0; o < dy.columns(); ++o) {
      addScaled(dx.row(n), dy.row(n)[o], weight.row(o), x.columns());
      addScaled(dWeight.row(o), dy.row(n)[o], x.row(n), x.columns());
    }
  cotangents.add(op.getX(), dx);
  cotangents.add(op.getWeight(), dWeight);
  if (op.getBias())
    cotangents.add(op.getBias(), sumTo(frame[op.getBias()].shape, dy));
}

//===----------------------------------------------------------------------===//
// matmul: y = a b, either transposed on request
//===----------------------------------------------------------------------===//

namespace {
/// The sizes of a product, and where its elements stand.
struct Product {
  bool transposeA, transposeB;
  int64_t batchesA, batchesB; ///< the matrices of the one with fewer are used again and again
  int64_t rows, inner, columns;

  int64_t batches() const { return batchesA && batchesB ? std::max(batchesA, batchesB) : 0; }
  int64_t a(int64_t batch, int64_t m, int64_t k) const {
    return batch % batchesA * rows * inner + (transposeA ? k * rows + m : m * inner + k);
  }
  int64_t b(int64_t batch, int64_t k, int64_t n) const {
    return batch % batchesB * inner * columns + (transposeB ? n * inner + k : k * columns + n);
  }
  int64_t y(int64_t batch, int64_t m, int64_t n) const { return (batch * rows + m) * columns + n; }

  /// Calls `term(a, b, y)` with the element numbers of every product that is summed.
  template <typename Term>
  void forEachTerm(Term term) const {
    for (int64_t batch = 0; batch < batches(); ++batch)
      for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < columns; ++n)
          for (int64_t k = 0; k < inner; ++k)
            term(a(batch, m, k), b(batch, k, n), y(batch, m, n));
  }
};
} // namespace

template <typename OpTy>
static FailureOr<Product> productOf(OpTy op, const Frame &frame) {
  const Tensor &a = frame[op.getA()], &b = frame[op.getB()];
  auto refuse = [&] {
    return op.emitError("expected operands of a product, got ")
           << op.getA().getType() << " and " << op.getB().getType();
  };
  if (a.rank() < 2 || b.rank() < 2)
    return refuse();
  auto [aRows, aColumns] = std::pair(a.shape[a.rank() - 2], a.shape[a.rank() - 1]);
  auto [bRows, bColumns] = std::pair(b.shape[b.rank() - 2], b.shape[b.rank() - 1]);
  if (op.getTransposeA())
    std::swap(aRows, aColumns);
  if (op.getTransposeB())
    std::swap(bRows, bColumns);
  auto few = ArrayRef(a.shape).drop_back(2), many = ArrayRef(b.shape).drop_back(2);
  int64_t batchesA = count(few), batchesB = count(many);
  if (few.size() > many.size())
    std::swap(few, many);
  if (aColumns != bRows || few != many.take_back(few.size()))
    return refuse();
  return Product{op.getTransposeA(), op.getTransposeB(), batchesA, batchesB, aRows, aColumns, bColumns};
}

template <typename OpTy>
static FailureOr<Tensor> multiply(OpTy op, const Frame &frame) {
  FailureOr<Product> product = productOf(op, frame);
  if (failed(product))
    return failure();
  const Tensor &a = frame[op.getA()], &b = frame[op.getB()];
  SmallVector<int64_t> shape(ArrayRef(a.rank() > b.rank() ? a.shape : b.shape).drop_back(2));
  shape.append({product->rows, product->columns});
  Tensor y = Tensor::zeros(a.elementType, shape);
  product->forEachTerm([&](int64_t l, int64_t r, int64_t n) { y.reals[n] += a.reals[l] * b.reals[r]; });
  return y;
}

static LogicalResult evaluateMatmul(MatmulOp op, Frame &frame) {
  FailureOr<Tensor> y = multiply(op, frame);
  if (failed(y))
    return failure();
  frame.set(op.getY(), *y);
  return success();
}

static LogicalResult differentiateMatmul(MatmulOp op, const Frame &frame, Cotangents &cotangents) {
  FailureOr<Product> product = productOf(op, frame);
  if (failed(product))
    return failure();
  const Tensor &a = frame[op.getA()], &b = frame[op.getB()];
  Tensor dy = cotangents[op.getY()], da = Tensor::zerosLike(a), db = Tensor::zerosLike(b);
  product->forEachTerm([&](int64_t l, int64_t r, int64_t n) {
    da.reals[l] += dy.reals[n] * b.reals[r];
    db.reals[r] += dy.reals[n] * a.reals[l];
  });
  cotangents.add(op.getA(), da);
  cotangents.add(op.getB(), db);
  return success();
}

//===----------------------------------------------------------------------===//
// product: a matmul whose elements pass through a region
//===----------------------------------------------------------------------===//

static LogicalResult evaluateProduct(ProductOp op, Frame &frame) {
  FailureOr<Tensor> product = multiply(op, frame);
  if (failed(product))
    return failure();
  for (auto [number, output] : llvm::enumerate(op.getOutputs())) {
    FailureOr<ScalarFunction> epilogue = ScalarFunction::create(op.getEpilogue().front(), number);
    if (failed(epilogue))
      return failure();
    Tensor y = Tensor::zeros(getElementTypeOrSelf(output), product->shape);
    for (int64_t n = 0; n < y.size(); ++n) {
      SmallVector<Scalar> scalars{{product->reals[n], 0}};
      for (Value extra : op.getExtras())
        scalars.push_back({frame[extra].reals[broadcastIndex(n, y.shape, frame[extra].shape)], 0});
      FailureOr<Scalar> element = epilogue->evaluate(scalars, {});
      if (failed(element))
        return failure();
      y.reals[n] = element->real;
    }
    frame.set(output, y);
  }
  return success();
}

void reference::addProductRules(Rules &rules) {
  rules.add<LinearOp>(evaluateLinear, differentiateLinear);
  rules.add<MatmulOp>(evaluateMatmul, differentiateMatmul);
  rules.add<ProductOp>(evaluateProduct);
}
