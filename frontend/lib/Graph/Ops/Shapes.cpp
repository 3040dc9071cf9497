//===- Shapes.cpp - Operations that move elements -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../Sizes.h"
#include "xf/ops.h"

#include <algorithm>
#include <numeric>

using namespace xf;
using namespace xf::detail;

/// Returns the size that -1 stands for in a reshape of x: the number of elements of x divided by the product of the
/// other sizes. If there may be a remainder, the size is rounded down, and calls verify that there is none. Throws
/// Error if there certainly is a remainder, and if the divisor is not a number.
static Dim remainingSize(const Tensor &x, const Shape &others, Here here) {
  SizeData elements = elementsOf(x.shape()), given = elementsOf(others);
  std::optional<int64_t> all = elements.value.constant(), divisor = given.value.constant();
  expect(!all || !divisor || (*divisor > 0 && *all % *divisor == 0), here, "expected sizes that divide ",
         all.value_or(0), " elements in reshape, got ", others);
  std::optional<SizeExpression> quotient = exactQuotient(elements.value, given.value);
  if (!quotient && divisor && *divisor > 0)
    quotient = floorQuotient(elements.value, *divisor);
  expect(quotient.has_value(), here, "expected sizes that divide the elements of ", x.shape(), " in reshape, got ",
         others);
  return SizeData{*quotient, elements.ranges}.dim();
}

/// Throws Error if the number of elements of x cannot be that of `shape`. The numbers must be able to agree for more
/// than one value of each named size.
static void expectSameElements(const Tensor &x, const Shape &shape, Here here) {
  SizeData from = elementsOf(x.shape()), to = elementsOf(shape), difference = from - to;
  if (!difference.value.isValid()) {
    for (const auto &[data, own] : {std::pair(&from, &x.shape()), {&to, &shape}})
      expect(data->value.isValid() || std::none_of(own->begin(), own->end(),
                                                   [](const Dim &size) { return size.is_static() || size.is_named(); }),
             here, "expected fewer than 2^63 elements, got ", *own);
    return;
  }
  if (difference.value.constant() == 0)
    return;
  SizeExpression::Range range = difference.range();
  bool isRounded = from.value.hasQuotient() || to.value.hasQuotient();
  bool divides = exactQuotient(from.value, to.value) || exactQuotient(to.value, from.value);
  bool isPossible = range.min <= 0 && range.max >= 0 && (isRounded || !divides);
  expect(isPossible, here, "expected as many elements as in ", x.shape(), " in reshape, got ", shape);
}

Tensor xf::reshape(const Tensor &x, Shape shape, Here here) {
  expectDefined(x, "reshape", here);
  expectSizes(shape, here);
  auto isWildcard = [](const Dim &size) { return !size.is_static() && !size.is_named(); };
  auto wildcard = std::find_if(shape.begin(), shape.end(), isWildcard);
  if (wildcard != shape.end()) {
    expect(std::count_if(shape.begin(), shape.end(), isWildcard) == 1, here,
           "expected at most one unknown size in reshape, got ", shape);
    Shape others(shape.begin(), wildcard);
    others.insert(others.end(), wildcard + 1, shape.end());
    *wildcard = remainingSize(x, others, here);
  }
  expectSameElements(x, shape, here);
  return makeTensor(Op::reshape, here, {x}, {x.dtype(), std::move(shape)});
}

static std::vector<int64_t> axesOf(const Tensor &x) {
  std::vector<int64_t> axes(x.rank());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Tensor xf::transpose(const Tensor &x, int64_t axis0, int64_t axis1, Here here) {
  expectDefined(x, "transpose", here);
  std::vector<int64_t> axes = axesOf(x);
  std::swap(axes[normalizeAxis(axis0, x.rank(), here)], axes[normalizeAxis(axis1, x.rank(), here)]);
  return transpose(x, axes, here);
}

Tensor xf::transpose(const Tensor &x, const std::vector<int64_t> &axes, Here here) {
  expectDefined(x, "transpose", here);
  if (axes.empty() && x.rank() > 0) {
    std::vector<int64_t> all = axesOf(x);
    return transpose(x, {all.rbegin(), all.rend()}, here);
  }
  expect(static_cast<int64_t>(axes.size()) == x.rank(), here, "expected ", x.rank(), " axes in transpose, got ",
         axes.size());
  std::vector<int64_t> permutation;
  Shape shape;
  for (int64_t axis : axes) {
    int64_t position = normalizeAxis(axis, x.rank(), here);
    bool repeated = std::find(permutation.begin(), permutation.end(), position) != permutation.end();
    expect(!repeated, here, "expected distinct axes in transpose, got ", axis, " twice");
    permutation.push_back(position);
    shape.push_back(x.shape()[position]);
  }
  return makeTensor(Op::transpose, here, {x}, {x.dtype(), shape}, std::move(permutation));
}

/// Returns the position that a begin or end of a slice stands for.
static Dim positionOf(const SliceBound &bound, const Dim &size) {
  if (!bound.size.is_static() || bound.size.value() != 0)
    return bound.size;
  return bound.number < 0 ? size - Dim(-bound.number) : Dim(bound.number);
}

/// Returns whether a - b is known to be negative.
static bool isLess(const Dim &a, const Dim &b) { return (SizeData::of(a) - SizeData::of(b)).range().max < 0; }

Tensor xf::slice(const Tensor &x, int64_t axis, SliceBound begin, SliceBound end, int64_t step, Here here) {
  expectDefined(x, "slice", here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  const Dim &size = x.shape()[position];
  expect(size.is_static() || size.is_named(), here, "expected a known size along the axis of slice, got ", size);
  expect(step >= 1, here, "expected a step >= 1 in slice, got ", step);
  Dim first = positionOf(begin, size), last = positionOf(end, size);
  auto written = [](const SliceBound &bound) {
    bool isNumber = bound.size.is_static() && bound.size.value() == 0;
    return isNumber ? std::to_string(bound.number) : to_string(bound.size);
  };
  expect(!isLess(first, Dim(0)) && !isLess(last, first) && !isLess(size, last), here,
         "expected 0 <= begin <= end <= ", size, " in slice, got ", written(begin), " and ", written(end));
  SliceBounds bounds{Shape(x.rank(), Dim(0)), std::vector<int64_t>(x.rank(), 1)};
  bounds.offsets[position] = first;
  bounds.strides[position] = step;
  Shape shape = x.shape();
  shape[position] = (last - first + Dim(step - 1)) / step;
  return makeTensor(Op::slice, here, {x}, {x.dtype(), shape}, std::move(bounds));
}

Tensor xf::concat(const std::vector<Tensor> &tensors, int64_t axis, Here here) {
  expect(!tensors.empty(), here, "expected at least one tensor in concat, got none");
  for (const Tensor &tensor : tensors)
    expectDefined(tensor, "concat", here);
  const Tensor &first = tensors.front();
  int64_t position = normalizeAxis(axis, first.rank(), here);
  Shape shape = first.shape();
  for (size_t n = 1; n < tensors.size(); ++n) {
    const Tensor &next = tensors[n];
    expect(next.dtype() == first.dtype(), here, "expected one element type in concat, got ", first.dtype(), " and ",
           next.dtype());
    bool fits = next.rank() == first.rank();
    for (int64_t d = 0; fits && d < first.rank(); ++d)
      fits = d == position || shape[d].may_equal(next.shape()[d]);
    expect(fits, here, "expected equal sizes but along axis ", position, " in concat, got ", first.shape(), " and ",
           next.shape());
    shape[position] = shape[position] + next.shape()[position];
  }
  return makeTensor(Op::concat, here, tensors, {first.dtype(), shape}, position);
}

Tensor xf::broadcast_to(const Tensor &x, Shape shape, Here here) {
  expectDefined(x, "broadcast_to", here);
  Shape result = broadcastShapes(x.shape(), shape, here);
  expect(result == shape, here, "expected a shape that ", x.shape(), " broadcasts to, got ", shape);
  return makeTensor(Op::broadcast, here, {x}, {x.dtype(), std::move(shape)});
}

Tensor xf::split_heads(const Tensor &x, int64_t heads, Here here) {
  expectRank(x, 3, "split_heads", here);
  expectFloat(x, "split_heads", here);
  const Dim &width = x.shape()[2];
  expect(heads >= 1 && width.is_static() && width.value() % heads == 0, here,
         "expected a width that is a multiple of the heads in split_heads, got width ", width, " and ", heads,
         " heads");
  Shape shape = {x.shape()[0], Dim(heads), x.shape()[1], Dim(width.value() / heads)};
  return makeTensor(Op::splitHeads, here, {x}, {x.dtype(), shape}, heads);
}

Tensor xf::merge_heads(const Tensor &x, Here here) {
  expectRank(x, 4, "merge_heads", here);
  expectFloat(x, "merge_heads", here);
  const Shape &from = x.shape();
  expect(from[1].is_static() && from[3].is_static(), here, "expected static heads and head size in merge_heads, got ",
         from);
  return makeTensor(Op::mergeHeads, here, {x}, {x.dtype(), {from[0], from[2], Dim(from[1].value() * from[3].value())}});
}

Tensor xf::stack_layers(const std::vector<Tensor> &layers, Here here) {
  expect(!layers.empty(), here, "expected at least one layer in stack_layers, got none");
  for (const Tensor &layer : layers) {
    expectRank(layer, 3, "stack_layers", here);
    expectFloat(layer, "stack_layers", here);
    expect(layer.dtype() == layers[0].dtype() && layer.shape() == layers[0].shape(), here,
           "expected layers of one shape and element type in stack_layers, got ", layers[0].shape(), " of ",
           layers[0].dtype(), " and ", layer.shape(), " of ", layer.dtype());
  }
  Shape shape = layers[0].shape();
  shape[1] = shape[1] * Dim(static_cast<int64_t>(layers.size()));
  return makeTensor(Op::stackLayers, here, layers, {layers[0].dtype(), shape});
}

Tensor xf::pool_layers(const Tensor &x, int64_t layers, Pool kind, Here here) {
  expectRank(x, 3, "pool_layers", here);
  expectFloat(x, "pool_layers", here);
  Shape shape = x.shape();
  expect(layers >= 1 && (!shape[1].is_static() || shape[1].value() % layers == 0), here,
         "expected a number of tokens that is a multiple of the layers in pool_layers, got ", shape[1], " tokens and ",
         layers, " layers");
  shape[1] = shape[1] / layers;
  return makeTensor(Op::poolLayers, here, {x}, {x.dtype(), shape}, LayerPool{layers, kind});
}

Tensor xf::pool_tokens(const Tensor &x, int64_t size, Pool kind, Here here) {
  expectFloat(x, "pool_tokens", here);
  expect(x.rank() >= 2, here, "expected at least 2 dimensions in pool_tokens, got ", x.shape());
  Shape shape = x.shape();
  Dim &tokens = shape[x.rank() - 2];
  expect(size >= 1 && (!tokens.is_static() || tokens.value() % size == 0), here,
         "expected a number of tokens that is a multiple of the size in pool_tokens, got ", tokens, " tokens and size ",
         size);
  tokens = tokens / size;
  shape.insert(shape.end() - 1, Dim(size));
  Tensor blocks = reshape(x, shape, here);
  if (kind == Pool::max)
    return max(blocks, -2, false, here);
  if (kind == Pool::mean)
    return mean(blocks, -2, false, here);
  shape.erase(shape.end() - 2);
  return reshape(slice(blocks, -2, size - 1, size, 1, here), shape, here);
}
