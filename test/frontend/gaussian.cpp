//===- gaussian.cpp - Gaussian attention is a convolution, and learns one -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nine heads that look at the nine offsets of a 3x3 kernel, each with a matrix of its own (Cordonnier 2020, theorem 1),
// against a convolution of shifted copies of the image. Keys of value 0 stand around the image. What a head sees of its
// neighbours is e^-sharpness: section 6 of docs/specification.md bounds the difference.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-gaussian | FileCheck %s
// CHECK: f64, sharpness 46: within 1e-12
// CHECK: f32, sharpness 20: within 5e-6
// CHECK: learned: loss below 1e-4, centres at the nine offsets

#include <xf/xf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using namespace xf;

static constexpr int64_t batch = 4, height = 6, width = 7, rows = height + 2, columns = width + 2, in = 2, out = 3;

/// Pixels of an image with its border, row by row: batch x (rows columns) x in.
static Tensor withBorder(const Tensor &image) {
  auto zerosOf = [&](int64_t h, int64_t w) { return zeros({batch, h, w, in}, image.dtype()); };
  Tensor wide = concat({zerosOf(height, 1), image, zerosOf(height, 1)}, 2);
  Tensor whole = concat({zerosOf(1, columns), wide, zerosOf(1, columns)}, 1);
  return reshape(whole, {batch, rows * columns, in});
}

/// The image without its border, of batch x (rows columns) x channels.
static Tensor inside(const Tensor &pixels, int64_t y = 0, int64_t x = 0) {
  Tensor whole = reshape(pixels, {batch, rows, columns, pixels.size(-1)});
  return slice(slice(whole, 1, 1 + y, 1 + y + height), 2, 1 + x, 1 + x + width);
}

/// kernel: 9 x out x in, the offsets row by row.
static Tensor convolution(const Tensor &image, const Tensor &kernel) {
  Tensor pixels = withBorder(image), sum;
  for (int64_t n = 0; n < 9; ++n) {
    Tensor matrix = reshape(slice(kernel, 0, n, n + 1), {out, in});
    Tensor term = linear(inside(pixels, n / 3 - 1, n % 3 - 1), matrix);
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

/// One value head for all; queries and keys do not matter.
static Tensor gaussianLayer(const Tensor &image, const Tensor &kernel, const Tensor &centres, double sharpness) {
  Tensor v = reshape(withBorder(image), {batch, 1, rows * columns, in});
  Tensor q = zeros({batch, 9, rows * columns, 1}, image.dtype()),
         k = zeros({batch, 1, rows * columns, 1}, image.dtype());
  Tensor o = scaled_dot_product_attention(q, k, v, {.score = scores::gaussian(centres, sharpness, columns)});
  Tensor flat = reshape(transpose(kernel, {1, 0, 2}), {out, 9 * in});
  return inside(linear(merge_heads(o), flat));
}

static double offsetOf(int64_t number) { // row by row: y of the nine offsets, then x
  return static_cast<double>(number % 2 ? number / 2 % 3 - 1 : number / 6 - 1);
}

/// Unit normals.
template <typename T>
static Array normals(Dtype dtype, std::vector<int64_t> shape, std::mt19937 &random) {
  Array array(dtype, std::move(shape));
  auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  for (T &value : array.data<T>())
    value = static_cast<T>(std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()));
  return array;
}

template <typename T>
static void compareWithConvolution(Dtype dtype, double sharpness, const char *bound) {
  Program program("gaussian");
  TensorSpec image{"image", dtype, {batch, height, width, in}}, kernel{"kernel", dtype, {9, out, in}};
  program.entry("difference", {image, kernel}, [=](Tensor image, Tensor kernel) {
    std::vector<double> offsets;
    for (int64_t n = 0; n < 18; ++n)
      offsets.push_back(offsetOf(n));
    Tensor layer = gaussianLayer(image, kernel, constant(offsets, {9, 2}, dtype), sharpness);
    return Results{{"difference", max(abs(layer - convolution(image, kernel)))}};
  });
  std::mt19937 random(1);
  Array x = normals<T>(dtype, {batch, height, width, in}, random), w = normals<T>(dtype, {9, out, in}, random);
  double difference = program.compile().call("difference", {{"image", x}, {"kernel", w}}).at("difference").data<T>()[0];
  if (difference <= std::atof(bound))
    std::printf("%s, sharpness %g: within %s\n", name(dtype), sharpness, bound);
  else
    std::printf("%s, sharpness %g: expected at most %s, got %g\n", name(dtype), sharpness, bound, difference);
}

/// Where heads look. Their matrices are those of the convolution: other centres with other matrices could do the same.
struct Layer : nn::Module {
  Parameter centres{{9, 2}, constant_init(0)};
  XF_MEMBERS(centres)
};

/// How far the centres are from the nine offsets, each of which is the nearest to one of them; or infinity.
static double distanceToOffsets(std::span<const float> centres) {
  double worst = 0;
  std::vector<int> used(9);
  for (int n = 0; n < 9; ++n) {
    double y = std::round(centres[2 * n]), x = std::round(centres[2 * n + 1]);
    if (std::max(std::abs(y), std::abs(x)) > 1 || used[static_cast<size_t>(3 * y + x + 4)]++)
      return INFINITY;
    worst = std::max({worst, std::abs(centres[2 * n] - y), std::abs(centres[2 * n + 1] - x)});
  }
  return worst;
}

/// Wide Gaussians first, which feel their neighbours, then narrow ones, which are a convolution.
static void learnConvolution() {
  const double sharpnesses[] = {1, 3, 10};
  Layer layer;
  Program program("learning", layer);
  std::vector<TensorSpec> inputs = {{"image", f32, {batch, height, width, in}}, {"kernel", f32, {9, out, in}}};
  for (double sharpness : sharpnesses)
    program.train_step(
        "train" + std::to_string(static_cast<int>(sharpness)), layer, inputs,
        [&](Tensor image, Tensor kernel) {
          Tensor own = gaussianLayer(image, kernel, layer.centres, sharpness);
          return mean(square(own - convolution(image, kernel)));
        },
        optim::AdamW{.weight_decay = 0});
  Executable run = program.compile();
  std::mt19937 random(2);
  StateDict start = run.state_dict();
  Array noise = normals<float>(f32, {18}, random);
  for (int64_t n = 0; n < 18; ++n) // nearer to the middle than they should be, and off
    start.at("centres").data<float>()[static_cast<size_t>(n)] =
        static_cast<float>(0.7 * offsetOf(n) + 0.1 * noise.data<float>()[static_cast<size_t>(n)]);
  run.load_state_dict(start);
  Array kernel = normals<float>(f32, {9, out, in}, random), rate(f32, {});
  double loss = INFINITY;
  for (double sharpness : sharpnesses)
    for (int step = 0; step < 200; ++step) {
      rate.data<float>()[0] = static_cast<float>(0.03 * (1 - step / 200.0));
      Array image = normals<float>(f32, {batch, height, width, in}, random);
      Arrays arguments = {{"image", image}, {"kernel", kernel}, {"learning_rate", rate}};
      loss = run.call("train" + std::to_string(static_cast<int>(sharpness)), arguments).at("loss").data<float>()[0];
    }
  StateDict learned = run.state_dict();
  double distance = distanceToOffsets(learned.at("centres").data<float>());
  if (loss < 1e-4 && distance < 0.2)
    std::puts("learned: loss below 1e-4, centres at the nine offsets");
  else
    std::printf("learned: expected a loss below 1e-4 and centres within 0.2 of the offsets, got %g and %g\n", loss,
                distance);
}

int main() {
  compareWithConvolution<double>(f64, 46, "1e-12");
  compareWithConvolution<float>(f32, 20, "5e-6");
  learnConvolution();
}
