//===- Vision.cpp - Windows, convolution, sizes, patches -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/vision.h"
#include "Node.h"

#include <algorithm>
#include <cmath>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns the span of a window of `size` elements that are `dilation` apart.
static int64_t spanOf(int64_t size, int64_t dilation) { return (size - 1) * dilation + 1; }

Tensor xf::unfold(const Tensor &x, int64_t axis, int64_t size, int64_t step, int64_t dilation, Here here) {
  expectDefined(x, "unfold", here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  const Dim &length = x.shape()[position];
  expect(size >= 1 && step >= 1 && dilation >= 1, here, "expected a size, step and dilation >= 1 of windows, got ",
         size, ", ", step, " and ", dilation);
  expect(length.is_static() || length.is_named(), here, "expected a known size along the axis of windows, got ",
         length);
  int64_t span = spanOf(size, dilation);
  expect(!length.is_static() || span <= length.value(), here, "expected windows that span at most the ", length,
         " elements of axis ", position, ", got ", span);
  Dim count = (length - Dim(span)) / step + Dim(1);
  // Makes the axis [count, size], in place: a view where windows tile the axis, else one slice for each element.
  Shape windows = x.shape();
  windows[position] = count;
  windows.insert(windows.begin() + position + 1, Dim(size));
  Tensor all;
  if (step == size && dilation == 1) {
    all = reshape(slice(x, position, 0, count * Dim(step), 1, here), windows, here);
  } else {
    Shape column = windows;
    column[position + 1] = Dim(1);
    std::vector<Tensor> columns;
    for (int64_t n = 0; n < size; ++n) {
      Dim begin = n * dilation, end = begin + (count - Dim(1)) * Dim(step) + Dim(1);
      columns.push_back(reshape(slice(x, position, begin, end, step, here), column, here));
    }
    all = size == 1 ? columns[0] : concat(columns, position + 1, here);
  }
  std::vector<int64_t> order;
  for (int64_t d = 0; d <= x.rank(); ++d)
    if (d != position + 1)
      order.push_back(d);
  order.push_back(position + 1);
  return transpose(all, order, here);
}

/// Returns x with `before` and `after` elements that equal `value` at the ends of an axis.
static Tensor padded(const Tensor &x, int64_t axis, int64_t before, int64_t after, double value, Here here) {
  std::vector<Tensor> parts;
  auto add = [&](int64_t count) {
    Shape shape = x.shape();
    shape[axis] = Dim(count);
    if (count > 0)
      parts.push_back(full(shape, value, x.dtype(), here));
  };
  add(before);
  parts.push_back(x);
  add(after);
  return parts.size() == 1 ? x : concat(parts, axis, here);
}

/// Returns the windows of an image as B x C x rows x columns x height x width. Elements around the image equal
/// `padding`.
static Tensor windowsOf(const Tensor &image, const Windows &windows, double padding, const char *what, Here here) {
  expectRank(image, 4, what, here);
  expectFloat(image, what, here);
  const Size2 &size = windows.size, stride = windows.stride.value_or(size), &pad = windows.padding;
  expect(pad.height >= 0 && pad.width >= 0, here, "expected a padding >= 0 of ", what, ", got ", pad.height, " and ",
         pad.width);
  Tensor x = padded(padded(image, 2, pad.height, pad.height, padding, here), 3, pad.width, pad.width, padding, here);
  x = unfold(x, 2, size.height, stride.height, windows.dilation.height, here);
  x = unfold(x, 3, size.width, stride.width, windows.dilation.width, here);
  return x;
}

/// Returns windows, B x C x rows x columns x height x width, as tokens of B x (rows columns) x (C height width).
static Tensor tokensOf(const Tensor &windows, Here here) {
  const Shape &shape = windows.shape();
  expect(shape[1].is_static(), here, "expected a static number of channels, got ", shape[1]);
  Tensor x = transpose(windows, {0, 2, 3, 1, 4, 5}, here);
  return reshape(x, {shape[0], shape[2] * shape[3], shape[1] * shape[4] * shape[5]}, here);
}

Tensor xf::image_windows(const Tensor &image, const Windows &windows, Here here) {
  return tokensOf(windowsOf(image, windows, 0, "image_windows", here), here);
}

Tensor xf::average_pool(const Tensor &image, const Windows &windows, Here here) {
  return mean(windowsOf(image, windows, 0, "average_pool", here), {-2, -1}, false, here);
}

Tensor xf::max_pool(const Tensor &image, const Windows &windows, Here here) {
  expect(windows.padding.height < spanOf(windows.size.height, windows.dilation.height) &&
             windows.padding.width < spanOf(windows.size.width, windows.dilation.width),
         here, "expected a padding below the size of a window in max_pool, got ", windows.padding.height, " and ",
         windows.padding.width);
  return max(windowsOf(image, windows, -HUGE_VAL, "max_pool", here), {-2, -1}, false, here);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Throws Error unless the image, the weight and the groups of a convolution fit together.
static void expectConvolution(const Tensor &image, const Tensor &weight, int64_t groups, Here here) {
  expectRank(image, 4, "the image of conv2d", here);
  expectRank(weight, 4, "the weight of conv2d", here);
  const Dim &in = image.shape()[1], &out = weight.shape()[0];
  expect(in.is_static(), here, "expected a static number of channels in conv2d, got ", in);
  expect(groups >= 1 && in.value() % groups == 0 && out.value() % groups == 0, here,
         "expected groups that divide the channels in conv2d, got ", groups, " groups, ", in, " channels in and ", out,
         " out");
  expect(weight.shape()[1] == Dim(in.value() / groups), here, "expected a weight of ", in.value() / groups,
         " channels in conv2d, got ", weight.shape()[1], " (image ", image.shape(), ", weight ", weight.shape(), ", ",
         groups, " groups)");
}

/// Computes a convolution without groups: a linear layer on windows.
static Tensor convolve(const Tensor &image, const Tensor &weight, const Tensor &bias, const Windows &windows,
                       Here here) {
  Tensor all = windowsOf(image, windows, 0, "conv2d", here);
  Dim out = weight.shape()[0];
  Tensor y = linear(tokensOf(all, here), reshape(weight, {out, -1}, here), bias, here);
  return reshape(transpose(y, 1, 2, here), {image.shape()[0], out, all.shape()[2], all.shape()[3]}, here);
}

/// Computes a depthwise convolution: one window product for each channel.
static Tensor convolveChannels(const Tensor &image, const Tensor &weight, const Tensor &bias, const Windows &windows,
                               Here here) {
  Tensor all = windowsOf(image, windows, 0, "conv2d", here);
  const Shape &shape = weight.shape();
  Tensor y = sum(all * reshape(weight, {shape[0], 1, 1, shape[2], shape[3]}, here), {-2, -1}, false, here);
  return bias.defined() ? y + reshape(bias, {shape[0], 1, 1}, here) : y;
}

Tensor xf::conv2d(const Tensor &image, const Tensor &weight, const Tensor &bias, const Conv2dOptions &options,
                  Here here) {
  expectConvolution(image, weight, options.groups, here);
  int64_t groups = options.groups, in = image.shape()[1].value(), out = weight.shape()[0].value();
  Windows windows{.size = {weight.shape()[2].value(), weight.shape()[3].value()},
                  .stride = options.stride,
                  .padding = options.padding,
                  .dilation = options.dilation};
  if (groups == 1)
    return convolve(image, weight, bias, windows, here);
  if (groups == in && groups == out)
    return convolveChannels(image, weight, bias, windows, here);
  std::vector<Tensor> parts;
  auto part = [&](const Tensor &x, int64_t axis, int64_t size, int64_t group) {
    return x.defined() ? slice(x, axis, group * size, (group + 1) * size, 1, here) : x;
  };
  for (int64_t group = 0; group < groups; ++group)
    parts.push_back(convolve(part(image, 1, in / groups, group), part(weight, 0, out / groups, group),
                             part(bias, 0, out / groups, group), windows, here));
  return concat(parts, 1, here);
}

Tensor xf::conv1d(const Tensor &x, const Tensor &weight, const Tensor &bias, const Conv1dOptions &options, Here here) {
  expectRank(x, 3, "the input of conv1d", here);
  expectRank(weight, 3, "the weight of conv1d", here);
  const Shape &shape = weight.shape();
  int64_t ahead = options.causal ? spanOf(shape[2].value(), options.dilation) - 1 : 0;
  Tensor row = padded(x, 2, ahead, 0, 0, here);
  Tensor y = conv2d(reshape(row, {row.shape()[0], row.shape()[1], 1, row.shape()[2]}, here),
                    reshape(weight, {shape[0], shape[1], 1, shape[2]}, here), bias,
                    {.stride = {1, options.stride},
                     .padding = {0, options.padding},
                     .dilation = {1, options.dilation},
                     .groups = options.groups},
                    here);
  return reshape(y, {y.shape()[0], y.shape()[1], y.shape()[3]}, here);
}

//===----------------------------------------------------------------------===//
// Other sizes
//===----------------------------------------------------------------------===//

/// Keys' cubic convolution: the weight of an element at the distance `x`.
static double cubicWeight(double x) {
  constexpr double a = -0.75;
  return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

/// Returns the matrix that maps `from` elements to `to`, to x from.
static std::vector<double> interpolationWeights(int64_t from, int64_t to, Interpolation kind) {
  std::vector<double> weights(static_cast<size_t>(from * to));
  for (int64_t n = 0; n < to; ++n) {
    double place = (static_cast<double>(n) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
    auto add = [&](int64_t element, double weight) {
      weights[static_cast<size_t>(n * from + std::clamp<int64_t>(element, 0, from - 1))] += weight;
    };
    auto below = static_cast<int64_t>(std::floor(place));
    double rest = place - std::floor(place);
    if (kind == Interpolation::bilinear) {
      add(below, 1 - rest);
      add(below + 1, rest);
      continue;
    }
    for (int64_t tap = -1; tap <= 2; ++tap)
      add(below + tap, cubicWeight(std::abs(rest - static_cast<double>(tap))));
  }
  return weights;
}

/// Resizes the last axis of x to `to` elements.
static Tensor interpolateRows(const Tensor &x, int64_t to, Interpolation kind, Here here) {
  int64_t from = x.shape().back().value();
  if (from == to)
    return x;
  return linear(x, constant(interpolationWeights(from, to, kind), {to, from}, x.dtype(), here), {}, here);
}

static void expectSizes(const Size2 &size, Here here) {
  expect(size.height >= 1 && size.width >= 1, here, "expected a size of at least 1 x 1 to interpolate to, got ",
         size.height, " x ", size.width);
}

Tensor xf::interpolate(const Tensor &image, Size2 size, Interpolation kind, Here here) {
  expectRank(image, 4, "interpolate", here);
  expectFloat(image, "interpolate", here);
  const Dim &height = image.shape()[2], &width = image.shape()[3];
  bool isKnown = height.is_static() && width.is_static() && height.value() >= 1 && width.value() >= 1;
  expect(isKnown, here, "expected a static height and width >= 1 of an image to interpolate, got ", image.shape());
  expectSizes(size, here);
  // Weights of 16 bits would move the places.
  Tensor x = image.dtype() == f64 ? image : cast(image, f32, here);
  x = transpose(interpolateRows(x, size.width, kind, here), 2, 3, here);
  x = transpose(interpolateRows(x, size.height, kind, here), 2, 3, here);
  return cast(x, image.dtype(), here);
}

/// Returns the number of tokens before the patches in positions of shape `shape`.
static int64_t tokensBefore(const Shape &shape, const Size2 &patches, Here here) {
  bool isKnown = shape.size() == 3 && shape[0] == Dim(1) && shape[1].is_static() && shape[2].is_static();
  bool isPositive = patches.height >= 1 && patches.width >= 1;
  int64_t first = isKnown ? shape[1].value() - patches.height * patches.width : -1;
  expect(isPositive && first >= 0, here, "expected positions of 1 x at least ", patches.height, " * ", patches.width,
         " tokens x width, got ", shape);
  return first;
}

Tensor xf::resize_positions(const Tensor &positions, Size2 from, Size2 to, Interpolation kind, Here here) {
  expectDefined(positions, "resize_positions", here);
  int64_t first = tokensBefore(positions.shape(), from, here);
  const Dim &tokens = positions.shape()[1], &width = positions.shape()[2];
  if (from.height == to.height && from.width == to.width)
    return positions;
  Tensor grid = reshape(slice(positions, 1, first, tokens, 1, here), {1, from.height, from.width, width}, here);
  grid = transpose(interpolate(transpose(grid, {0, 3, 1, 2}, here), to, kind, here), {0, 2, 3, 1}, here);
  Tensor patches = reshape(grid, {1, to.height * to.width, width}, here);
  return first ? concat({slice(positions, 1, 0, first, 1, here), patches}, 1, here) : patches;
}

Array xf::resize_positions(const Array &positions, Size2 from, Size2 to, Interpolation kind, Here here) {
  int64_t first = tokensBefore(Shape(positions.shape().begin(), positions.shape().end()), from, here);
  expectSizes(to, here);
  int64_t width = positions.shape()[2];
  Array source = positions.to(f64, here), result(f64, {1, first + to.height * to.width, width}, here);
  const double *in = source.data<double>().data();
  double *out = std::copy_n(in, first * width, result.data<double>().data());
  in += first * width;
  auto rows = interpolationWeights(from.height, to.height, kind),
       columns = interpolationWeights(from.width, to.width, kind);
  for (int64_t y = 0; y < to.height; ++y)
    for (int64_t x = 0; x < to.width; ++x, out += width)
      for (int64_t place = 0; place < from.height * from.width; ++place) {
        double weight = rows[y * from.height + place / from.width] * columns[x * from.width + place % from.width];
        for (int64_t n = 0; weight != 0 && n < width; ++n)
          out[n] += weight * in[place * width + n];
      }
  return result.to(positions.dtype(), here);
}

//===----------------------------------------------------------------------===//
// Groups of channels
//===----------------------------------------------------------------------===//

Tensor xf::group_norm(const Tensor &x, int64_t groups, const Tensor &weight, const Tensor &bias, double eps,
                      Here here) {
  expectFloat(x, "group_norm", here);
  expect(x.rank() >= 2 && x.shape()[1].is_static(), here, "expected B x C x .. with a static C in group_norm, got ",
         x.shape());
  int64_t channels = x.shape()[1].value();
  expect(groups >= 1 && channels % groups == 0, here, "expected groups that divide the channels in group_norm, got ",
         groups, " groups and ", channels, " channels");
  Tensor rows = layer_norm(reshape(x, {x.shape()[0], groups, -1}, here), {}, {}, eps, here);
  Tensor y = reshape(rows, x.shape(), here);
  Shape perChannel(static_cast<size_t>(x.rank() - 1), Dim(1));
  perChannel[0] = Dim(channels);
  if (weight.defined())
    y = y * reshape(weight, perChannel, here);
  return bias.defined() ? y + reshape(bias, perChannel, here) : y;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

nn::GroupNorm::GroupNorm(int64_t groups, int64_t channels, double eps, Here here)
    : groups(groups), eps(eps), weight({channels}, constant_init(1), f32, here),
      bias({channels}, constant_init(0), f32, here) {
  expect(groups >= 1 && channels % groups == 0, here, "expected groups that divide the channels of nn::GroupNorm, got ",
         groups, " groups and ", channels, " channels");
}

/// Makes the weight, of shape `shape`, and the bias of a convolution. Both are initialised as those of a linear layer,
/// as in torch.
static void start(Parameter &weight, Parameter &bias, const std::vector<int64_t> &shape, bool withBias, Here here) {
  int64_t inputs = 1;
  for (size_t d = 1; d < shape.size(); ++d) {
    expect(d < 2 || shape[d] >= 1, here, "expected windows of at least one element, got ", shape[d]);
    inputs *= shape[d];
  }
  Initializer initializer = uniform_init(inputs > 0 ? 1 / std::sqrt(static_cast<double>(inputs)) : 0);
  weight = Parameter(shape, initializer, f32, here);
  if (withBias)
    bias = Parameter({shape[0]}, initializer, f32, here);
}

/// Returns the number of input channels that an output of a convolution sees.
static int64_t channelsOf(int64_t in, int64_t out, int64_t groups, Here here) {
  expect(groups >= 1 && in >= 1 && out >= 1 && in % groups == 0 && out % groups == 0, here,
         "expected groups that divide the channels of a convolution, got ", groups, " groups, ", in,
         " channels in and ", out, " out");
  return in / groups;
}

nn::Conv2d::Conv2d(int64_t in, int64_t out, Size2 size, Conv2dOptions options, bool with_bias, Here here)
    : options(options) {
  start(weight, bias, {out, channelsOf(in, out, options.groups, here), size.height, size.width}, with_bias, here);
}

nn::Conv1d::Conv1d(int64_t in, int64_t out, int64_t size, Conv1dOptions options, bool with_bias, Here here)
    : options(options) {
  start(weight, bias, {out, channelsOf(in, out, options.groups, here), size}, with_bias, here);
}

nn::PatchEmbedding::PatchEmbedding(const PatchEmbeddingOptions &options, Here here) {
  expect(options.size.height >= 1 && options.size.width >= 1, here, "expected patches of at least 1 x 1, got ",
         options.size.height, " x ", options.size.width);
  start(weight, bias, {options.width, options.channels, options.size.height, options.size.width}, options.bias, here);
}

Tensor nn::PatchEmbedding::operator()(const Tensor &image, Here here) const {
  expectRank(image, 4, "the image of a patch embedding", here);
  const Shape &shape = weight.shape(), &pixels = image.shape();
  int64_t height = shape[2].value(), width = shape[3].value();
  auto isWhole = [](const Dim &size, int64_t patch) { return !size.is_static() || size.value() % patch == 0; };
  bool whole = isWhole(pixels[2], height) && isWhole(pixels[3], width);
  expect(whole && pixels[1] == shape[1], here, "expected an image of ", shape[1], " channels and whole patches of ",
         height, " x ", width, ", got ", pixels);
  // Sizes that are not static are checked by the reshapes of these views.
  Dim rows = pixels[2] / height * Dim(height), columns = pixels[3] / width * Dim(width);
  Tensor all = rows == pixels[2] ? image : reshape(image, {pixels[0], pixels[1], rows, pixels[3]}, here);
  all = columns == pixels[3] ? all : reshape(all, {pixels[0], pixels[1], rows, columns}, here);
  Tensor patches = image_windows(all, {.size = {height, width}}, here);
  return linear(patches, reshape(weight, {shape[0], -1}, here), bias, here);
}
