//===- xf/tensor.h - Tensor: a value of the program that is being written -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TENSOR_H
#define XF_TENSOR_H

#include "xf/shape.h"

namespace xf {

namespace detail {
struct Node;
}
class Scalar;
class IndexOperand;

/// A value of the program: what an operation will compute when the compiled program is called. A cheap handle with
/// value semantics; it holds no numbers. Not thread-safe while one program is built from several threads.
class Tensor {
public:
  /// No tensor: what an absent bias is.
  Tensor() = default;
  Tensor(std::shared_ptr<detail::Node> node, unsigned result) : producer(std::move(node)), number(result) {}

  bool defined() const { return producer != nullptr; }
  const Shape &shape() const;
  Dtype dtype() const;
  int64_t rank() const { return static_cast<int64_t>(shape().size()); }
  /// The size of a dimension; a negative one counts from the end.
  Dim size(int64_t axis, Here here = Here::current()) const;

  /// Inside a score: the element at these indices, such as table(s.h, s.i - s.j). As many as dimensions.
  Scalar operator()(IndexOperand a) const;
  Scalar operator()(IndexOperand a, IndexOperand b) const;
  Scalar operator()(IndexOperand a, IndexOperand b, IndexOperand c) const;
  Scalar operator()(IndexOperand a, IndexOperand b, IndexOperand c, IndexOperand d) const;

  const std::shared_ptr<detail::Node> &node() const { return producer; }
  unsigned result() const { return number; }

private:
  std::shared_ptr<detail::Node> producer;
  unsigned number = 0;
};

/// One side of an operator: a tensor, or a number that takes the other side's element type. Remembers the line.
class Operand {
public:
  Operand(const Tensor &tensor, Here here = Here::current()) : tensor(tensor), here(here) {}
  Operand(double number, Here here = Here::current()) : number(number), here(here) {}

  Tensor tensor;
  double number = 0;
  Here here;
};

// Shapes broadcast as in numpy: aligned at the last dimension, 1 stretches. Element types must agree.
Tensor operator+(const Operand &a, const Operand &b);
Tensor operator-(const Operand &a, const Operand &b);
Tensor operator*(const Operand &a, const Operand &b);
Tensor operator/(const Operand &a, const Operand &b);
Tensor operator-(const Operand &x);
// Element by element, to booleans.
Tensor operator==(const Operand &a, const Operand &b);
Tensor operator!=(const Operand &a, const Operand &b);
Tensor operator<(const Operand &a, const Operand &b);
Tensor operator<=(const Operand &a, const Operand &b);
Tensor operator>(const Operand &a, const Operand &b);
Tensor operator>=(const Operand &a, const Operand &b);

} // namespace xf

#endif // XF_TENSOR_H
