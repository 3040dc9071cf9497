//===- Positions.cpp - Rotary embeddings and sinusoids -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/positions.h"
#include "Node.h"

#include <cmath>
#include <numbers>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Frequencies
//===----------------------------------------------------------------------===//

RotaryScaling RotaryScaling::linear(double factor, Here here) {
  expect(factor > 0, here, "expected a factor > 0 of rotary frequencies, got ", factor);
  RotaryScaling scaling;
  scaling.kind = interpolated;
  scaling.options.factor = factor;
  return scaling;
}

RotaryScaling RotaryScaling::ntk(double factor, Here here) {
  RotaryScaling scaling = linear(factor, here);
  scaling.kind = rebased;
  return scaling;
}

RotaryScaling RotaryScaling::llama3(const Llama3 &options, Here here) {
  RotaryScaling scaling = linear(options.factor, here);
  expect(options.low > 0 && options.high > options.low && options.length > 0, here,
         "expected 0 < low < high and a length > 0 of rotary frequencies, got ", options.low, ", ", options.high,
         " and ", options.length);
  scaling.kind = llama;
  scaling.options = options;
  return scaling;
}

/// Returns f, f / factor, or a mixture of both. Which one depends on the number of waves of frequency f that fit into
/// the positions of training.
static double scaleLlama3(double frequency, const RotaryScaling::Llama3 &options) {
  double waves = options.length * frequency / (2 * std::numbers::pi);
  if (waves < options.low)
    return frequency / options.factor;
  if (waves > options.high)
    return frequency;
  double share = (waves - options.low) / (options.high - options.low);
  return share * frequency + (1 - share) * frequency / options.factor;
}

std::vector<double> RotaryScaling::frequencies(double base, int64_t size) const {
  double turned = static_cast<double>(size);
  if (kind == rebased && size > 2)
    base *= std::pow(options.factor, turned / (turned - 2));
  std::vector<double> all;
  for (int64_t n = 0; n < size / 2; ++n) {
    double frequency = std::pow(base, -2.0 * static_cast<double>(n) / turned);
    if (kind == interpolated)
      frequency /= options.factor;
    else if (kind == llama)
      frequency = scaleLlama3(frequency, options);
    all.push_back(frequency);
  }
  return all;
}

/// Returns the angles position x frequency, ..xfrequencies, in f64. An angle of many turns needs digits behind the
/// point that f32 does not have, even if its sine is then rounded to f32.
static Tensor anglesOf(const Tensor &positions, const std::vector<double> &frequencies, Here here) {
  Shape column = positions.shape();
  column.push_back(Dim(1));
  Tensor row = constant(frequencies, {static_cast<int64_t>(frequencies.size())}, f64, here);
  return reshape(cast(positions, f64, here), column, here) * row;
}

//===----------------------------------------------------------------------===//
// Rotary embeddings
//===----------------------------------------------------------------------===//

/// Turns the pairs of the last dimension of x by angles, given as `cosine` and `sine`. Pairs are as in
/// Rotary::interleaved.
static Tensor turn(const Tensor &x, const Tensor &cosine, const Tensor &sine, bool interleaved, Here here) {
  int64_t size = x.shape().back().value(), pairs = size / 2;
  auto part = [&](int64_t number) {
    return interleaved ? slice(x, -1, number, size, 2, here)
                       : slice(x, -1, number * pairs, (number + 1) * pairs, 1, here);
  };
  Tensor first = part(0), second = part(1);
  Tensor left = first * cosine - second * sine, right = second * cosine + first * sine;
  if (!interleaved)
    return concat({left, right}, -1, here);
  Shape column = left.shape();
  column.push_back(Dim(1));
  return reshape(concat({reshape(left, column, here), reshape(right, column, here)}, -1, here), x.shape(), here);
}

/// Reshapes angles of shape [N, pairs] or [B, N, pairs] so that they broadcast along the heads of x, BxHxNxpairs.
/// Returns the shape.
static Shape besideHeads(const Shape &angles, int64_t rank) {
  Shape shape = angles;
  if (angles.size() == 3)
    shape.insert(shape.begin() + 1, static_cast<size_t>(rank - 3), Dim(1));
  return shape;
}

/// Returns the number of elements of a row of x that are turned. Throws Error unless it is even and at most D.
static int64_t turnedOf(const Rotary &rotary, const Tensor &x, Here here) {
  expectFloat(x, "a rotary embedding", here);
  expect(x.rank() >= 2 && x.shape().back().is_static(), here,
         "expected rows of a static size in a rotary embedding, got ", x.shape());
  int64_t width = x.shape().back().value(), size = rotary.size == 0 ? width : rotary.size;
  expect(size >= 2 && size % 2 == 0 && size <= width, here, "expected an even size of at most ", width,
         " of a rotary embedding, got ", size);
  expect(rotary.base > 0, here, "expected a base > 0 of a rotary embedding, got ", rotary.base);
  return size;
}

Tensor Rotary::operator()(const Tensor &x, const Tensor &positions, Here here) const {
  int64_t turned = turnedOf(*this, x, here), width = x.shape().back().value();
  expectDefined(positions, "the positions of a rotary embedding", here);
  const Shape &at = positions.shape();
  bool ofRows = at.size() == 1, ofBatch = at.size() == 2 && x.rank() >= 3 && at[0].may_equal(x.shape()[0]);
  expect((ofRows || ofBatch) && at.back().may_equal(x.shape()[x.rank() - 2]), here,
         "expected positions of the rows of ", x.shape(), " in a rotary embedding, got ", at);
  Dtype dtype = x.dtype() == f64 ? f64 : f32;
  Tensor angles = anglesOf(positions, scaling.frequencies(base, turned), here);
  angles = reshape(angles, besideHeads(angles.shape(), x.rank()), here);
  Tensor cosine = cast(cos(angles, here), dtype, here), sine = cast(sin(angles, here), dtype, here);
  Tensor head = turned == width ? x : slice(x, -1, 0, turned, 1, here);
  head = cast(turn(cast(head, dtype, here), cosine, sine, interleaved, here), x.dtype(), here);
  return turned == width ? head : concat({head, slice(x, -1, turned, width, 1, here)}, -1, here);
}

Tensor Rotary::operator()(const Tensor &x, int64_t first, Here here) const {
  turnedOf(*this, x, here);
  return (*this)(x, countUp(x.shape()[x.rank() - 2], first, 1, i64, here), here);
}

//===----------------------------------------------------------------------===//
// Sinusoids
//===----------------------------------------------------------------------===//

Tensor xf::sinusoids(const Tensor &positions, int64_t width, const SinusoidOptions &options, Here here) {
  expectDefined(positions, "the positions of sinusoids", here);
  expect(width >= 2 && width % 2 == 0, here, "expected an even width of sinusoids, got ", width);
  Tensor angles = anglesOf(positions, RotaryScaling().frequencies(options.base, width), here);
  Tensor sine = cast(sin(angles, here), options.dtype, here), cosine = cast(cos(angles, here), options.dtype, here);
  if (!options.interleaved)
    return concat({sine, cosine}, -1, here);
  Shape column = angles.shape(), shape = positions.shape();
  column.push_back(Dim(1));
  shape.push_back(Dim(width));
  return reshape(concat({reshape(sine, column, here), reshape(cosine, column, here)}, -1, here), shape, here);
}

Tensor xf::sinusoids(const Dim &count, int64_t width, const SinusoidOptions &options, Here here) {
  expect(count.is_named() || count.value() >= 1, here, "expected at least one position of sinusoids, got ", count);
  return sinusoids(arange(count, i64, here), width, options, here);
}

Tensor xf::image_sinusoids(int64_t height, int64_t width, int64_t token_width, Dtype dtype, Here here) {
  expect(height >= 1 && width >= 1, here, "expected an image of at least one place, got ", height, " x ", width);
  expect(token_width >= 4 && token_width % 4 == 0, here, "expected a width that is a multiple of 4, got ", token_width);
  SinusoidOptions options{.interleaved = false, .dtype = dtype};
  int64_t half = token_width / 2;
  Tensor rows = reshape(sinusoids(height, half, options, here), {height, 1, half}, here);
  Tensor columns = reshape(sinusoids(width, half, options, here), {1, width, half}, here);
  Shape grid = {height, width, half};
  Tensor both = concat({broadcast_to(rows, grid, here), broadcast_to(columns, grid, here)}, 2, here);
  return reshape(both, {height * width, token_width}, here);
}
