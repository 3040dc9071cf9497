//===- Elementwise.cpp - Operations element by element -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules/ParameterData.h"
#include "Node.h"
#include "xf/ops.h"

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static Tensor unary(Op op, const Tensor &x, const char *what, Here here, Payload payload = {}) {
  expectFloat(x, what, here);
  return makeTensor(op, here, {x}, {x.dtype(), x.shape()}, std::move(payload));
}

#define XF_UNARY(NAME, OP)                                                                                             \
  Tensor xf::NAME(const Tensor &x, Here here) { return unary(Op::NAME, x, #NAME, here); }
#define XF_UNARY_OPERATOR(NAME, SIGN, OP)                                                                              \
  Tensor xf::operator SIGN(const Operand &x) { return unary(Op::NAME, x.tensor, #SIGN, x.here); }
#include "Elementwise.def"

Tensor xf::gelu(const Tensor &x, Gelu form, Here here) { return unary(Op::gelu, x, "gelu", here, form); }

Tensor xf::cast(const Tensor &x, Dtype dtype, Here here) {
  expectDefined(x, "cast", here);
  return x.dtype() == dtype ? x : makeTensor(Op::cast, here, {x}, {dtype, x.shape()});
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// Returns the operand as a tensor. Converts a number to a scalar constant of element type `dtype`.
static Tensor materialize(const Operand &operand, Dtype dtype) {
  return operand.number ? full({}, *operand.number, dtype, operand.here) : operand.tensor;
}

/// Returns both operands as tensors of one element type. A number takes the element type of the other operand. Throws
/// Error for two numbers and for different element types.
static std::pair<Tensor, Tensor> materializeBoth(const Operand &a, const Operand &b, const char *what, Here here) {
  expect(!a.number || !b.number, here, "expected a tensor in ", what, ", got two numbers");
  for (const Operand *operand : {&a, &b})
    if (!operand->number)
      expectDefined(operand->tensor, what, here);
  Dtype dtype = a.tensor.defined() ? a.tensor.dtype() : b.tensor.dtype();
  std::pair<Tensor, Tensor> both(materialize(a, dtype), materialize(b, dtype));
  expect(both.first.dtype() == both.second.dtype(), here, "expected one element type in ", what, ", got ",
         both.first.dtype(), " and ", both.second.dtype());
  return both;
}

/// If `tensor` has 16-bit elements and `other` is a number that they cannot represent exactly, returns the type of the
/// elements, else nullopt.
static std::optional<Dtype> narrowerThanNumber(const Operand &tensor, const Operand &other) {
  if (!other.number || !tensor.tensor.defined() || !is_float(tensor.tensor.dtype()) ||
      size_of(tensor.tensor.dtype()) != 2)
    return std::nullopt;
  Array rounded(tensor.tensor.dtype(), {});
  store(rounded, 0, *other.number);
  return load(rounded, 0) == *other.number ? std::nullopt : std::optional(rounded.dtype());
}

static Tensor binary(Op op, const Operand &a, const Operand &b, const char *what) {
  bool computes = op != Op::maximum && op != Op::minimum;
  for (auto [tensor, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (!computes)
      break;
    else if (std::optional<Dtype> narrow =
                 narrowerThanNumber(*tensor, *other)) { // only the result is rounded to 16 bits
      Operand wide(cast(tensor->tensor, f32, a.here), a.here);
      return cast(tensor == &a ? binary(op, wide, b, what) : binary(op, a, wide, what), *narrow, a.here);
    }
  auto [left, right] = materializeBoth(a, b, what, a.here);
  expect(left.dtype() != boolean, a.here, "expected numbers in ", what, ", got booleans");
  return makeTensor(op, a.here, {left, right}, {left.dtype(), broadcastShapes(left.shape(), right.shape(), a.here)});
}

static Tensor floatBinary(Op op, const Operand &a, const Operand &b, const char *what) {
  expectFloat(a.tensor.defined() ? a.tensor : b.tensor, what, a.here);
  return binary(op, a, b, what);
}

/// Returns x as i64 if it is an i32 tensor and `other` an i64 tensor, so that indices can be compared with targets.
/// Returns any other operand as it is.
static Operand widened(const Operand &x, const Operand &other) {
  bool isNarrow =
      x.tensor.defined() && other.tensor.defined() && x.tensor.dtype() == i32 && other.tensor.dtype() == i64;
  return isNarrow ? Operand(cast(x.tensor, i64, x.here), x.here) : x;
}

static Tensor compare(Op op, const Operand &a, const Operand &b, const char *what) {
  auto [left, right] = materializeBoth(widened(a, b), widened(b, a), what, a.here);
  return makeTensor(op, a.here, {left, right}, {boolean, broadcastShapes(left.shape(), right.shape(), a.here)});
}

#define XF_BINARY(NAME, OP, KIND)                                                                                      \
  Tensor xf::NAME(const Operand &a, const Operand &b) { return KIND(Op::NAME, a, b, #NAME); }
#define XF_BINARY_OPERATOR(NAME, SIGN, OP, KIND)                                                                       \
  Tensor xf::operator SIGN(const Operand &a, const Operand &b) { return KIND(Op::NAME, a, b, #SIGN); }
#define XF_COMPARISON(NAME, SIGN, WORD)                                                                                \
  Tensor xf::operator SIGN(const Operand &a, const Operand &b) { return compare(Op::NAME, a, b, #SIGN); }
#include "Elementwise.def"

Tensor xf::clamp(const Tensor &x, double low, double high, Here here) {
  expectDefined(x, "clamp", here);
  expect(low <= high, here, "expected low <= high in clamp, got ", low, " and ", high);
  return minimum(Operand(maximum(Operand(x, here), Operand(low, here)), here), Operand(high, here));
}

Tensor xf::where(const Tensor &condition, const Operand &a, const Operand &b, Here here) {
  expectDefined(condition, "where", here);
  expect(condition.dtype() == boolean, here, "expected a condition of booleans in where, got ", condition.dtype());
  auto [left, right] = materializeBoth(a, b, "where", here);
  Shape shape = broadcastShapes(condition.shape(), broadcastShapes(left.shape(), right.shape(), here), here);
  return makeTensor(Op::where, here, {condition, left, right}, {left.dtype(), shape});
}
