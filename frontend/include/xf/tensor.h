//===- xf/tensor.h - Tensor: a value of a program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TENSOR_H
#define XF_TENSOR_H

#include "xf/shape.h"

#include <optional>
#include <type_traits>

namespace xf {

namespace nn {
class Module;
}
namespace detail {
struct Node;

/// Calls f with `arguments`. A module or a function pointer, such as relu, that takes a location as its last argument
/// also gets `here`, the user's line. By default, the location is the line of this call.
template <typename F, typename... Arguments>
auto callAt(Here here, const F &f, const Arguments &...arguments) {
  constexpr bool ofLibrary = std::is_base_of_v<nn::Module, F> || std::is_function_v<std::remove_pointer_t<F>>;
  if constexpr (ofLibrary && std::is_invocable_v<const F &, const Arguments &..., Here>)
    return f(arguments..., here);
  else
    return f(arguments...);
}
} // namespace detail

class Scalar;
class IndexOperand;
class State;

/// A handle of a value that an operation of the program computes at a call. Holds no elements; copies are cheap and
/// denote the same value. Threads must not build one program concurrently.
class Tensor {
public:
  /// Makes an undefined tensor, which stands for an absent operand, such as a bias.
  Tensor() = default;
  Tensor(std::shared_ptr<detail::Node> node, unsigned result) : producer(std::move(node)), number(result) {}

  bool defined() const { return producer != nullptr; }
  /// Return the sizes, the element type and the number of dimensions. Throw Error for an undefined tensor.
  const Shape &shape(Here here = Here::current()) const;
  Dtype dtype(Here here = Here::current()) const;
  int64_t rank(Here here = Here::current()) const { return static_cast<int64_t>(shape(here).size()); }
  /// Returns the size of a dimension; a negative axis counts from the end.
  Dim size(int64_t axis, Here here = Here::current()) const;

  /// Reads one element inside a score function, such as table(s.h, s.i - s.j). Takes one index per dimension. Throws
  /// Error for another number of indices.
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

/// Operand of an operator on tensors: a tensor, or a number that takes the other operand's element type. Stores the
/// source location of the operator. The operator throws Error for an undefined tensor.
class Operand {
public:
  Operand(const Tensor &tensor, Here here = Here::current()) : tensor(tensor), here(here) {}
  Operand(double number, Here here = Here::current()) : number(number), here(here) {}
  /// Makes an operand of a state's value (xf/state.h).
  Operand(const State &state, Here here = Here::current());

  Tensor tensor;
  std::optional<double> number;
  Here here;
};

// Arithmetic element by element. Shapes broadcast as in numpy: aligned at the last dimension, size 1 stretches. Element
// types must agree.
Tensor operator+(const Operand &a, const Operand &b);
Tensor operator-(const Operand &a, const Operand &b);
Tensor operator*(const Operand &a, const Operand &b);
Tensor operator/(const Operand &a, const Operand &b);
Tensor operator-(const Operand &x);
// Comparisons element by element, with booleans as results. i32 and i64 may be compared with each other.
Tensor operator==(const Operand &a, const Operand &b);
Tensor operator!=(const Operand &a, const Operand &b);
Tensor operator<(const Operand &a, const Operand &b);
Tensor operator<=(const Operand &a, const Operand &b);
Tensor operator>(const Operand &a, const Operand &b);
Tensor operator>=(const Operand &a, const Operand &b);

} // namespace xf

#endif // XF_TENSOR_H
