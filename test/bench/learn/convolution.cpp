//===- convolution.cpp - Gaussian attention that learns a convolution -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   learn-convolution [STEPS] [SEED]
//
// Nine heads of quadratic Gaussian attention (J.-B. Cordonnier, A. Loukas, M. Jaggi, arXiv 1911.03584, section 4.2)
// learn a random 3x3 convolution of random images. Learned are where heads look (centres), how (factors, S of -1/2 |S
// (Delta - centre)|^2) and what they do with it (matrices); all start at random. The image has a border of zeros, which
// the convolution has, too. Prints the loss of ten steps as a line of JSON each, then the centres and the offsets of
// the kernel that they round to.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

using namespace xf;

static constexpr int64_t batch = 8, side = 8, in = 3, out = 4, count = 9;

namespace {
struct Gaussian : nn::Module {
  Parameter centres{{count, 2}, normal_init(1)};
  Parameter factors{{count, 2, 2}, normal_init(.1)};
  nn::Linear value{count * in, out, false};
  XF_MEMBERS(centres, factors, value)

  /// image: batch x channels x side x side, with its border. Returns batch x out x (side - 2) x (side - 2).
  Tensor operator()(const Tensor &image) const {
    Tensor v = reshape(transpose(reshape(image, {batch, in, side * side}), 1, 2), {batch, 1, side * side, in});
    Tensor none = zeros({batch, 1, side * side, 1}), identity = constant(std::vector<double>{1, 0, 0, 1}, {2, 2});
    Tensor q = broadcast_to(none, {batch, count, side * side, 1});
    Tensor o = value(merge_heads(
        scaled_dot_product_attention(q, none, v, {.score = scores::quadratic(centres, factors + identity, side)})));
    o = reshape(transpose(o, 1, 2), {batch, out, side, side});
    return slice(slice(o, 2, 1, side - 1), 3, 1, side - 1);
  }
};
} // namespace

static Array normals(std::vector<int64_t> shape, std::mt19937 &random) {
  Array array(f32, std::move(shape));
  std::normal_distribution<float> normal;
  for (float &value : array.data<float>())
    value = normal(random);
  return array;
}

static Array imageWithBorder(std::mt19937 &random) {
  Array image = normals({batch, in, side, side}, random);
  for (int64_t n = 0; n < batch * in; ++n)
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x)
        if (std::min(y, x) == 0 || std::max(y, x) == side - 1)
          image.data<float>()[(n * side + y) * side + x] = 0;
  return image;
}

int main(int argc, char **argv) {
  int64_t steps = argc > 1 ? std::atoll(argv[1]) : 6000;
  unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  if (steps < 10)
    return std::fputs("usage: learn-convolution [STEPS] [SEED], at least 10 steps\n", stderr), 2;
  Gaussian model;
  model.initialize(seed);
  Program program("convolution", model);
  program.train_step(
      "train", model, {{"image", f32, {batch, in, side, side}}, {"kernel", f32, {out, in, 3, 3}}},
      [&](const Tensor &image, const Tensor &kernel) { return mean(square(model(image) - conv2d(image, kernel, {}))); },
      optim::AdamW{.learning_rate = .02, .weight_decay = 0}, schedule::warmup(steps / 10) | schedule::cosine(steps));
  Executable run = program.compile({.threads = 1});
  std::mt19937 random(seed);
  Array kernel = normals({out, in, 3, 3}, random);
  double sum = 0;
  for (int64_t step = 1; step <= steps; ++step) {
    sum += run("train", {{"image", imageWithBorder(random)}, {"kernel", kernel}}).item<double>();
    if (step % (steps / 10) != 0)
      continue;
    std::printf("{\"step\": %lld, \"loss\": %.3g}\n", static_cast<long long>(step),
                sum / static_cast<double>(steps / 10));
    std::fflush(stdout);
    sum = 0;
  }
  Array centres = run.state_dict().at("centres");
  std::set<std::pair<int, int>> sides;
  std::printf("{\"centres\": [");
  for (int64_t n = 0; n < count; ++n) {
    double y = centres.at<float>({n, 0}), x = centres.at<float>({n, 1});
    std::printf("%s[%.3f, %.3f]", n ? ", " : "", y, x);
    if (std::max(std::abs(std::round(y)), std::abs(std::round(x))) <= 1)
      sides.emplace(std::lround(y), std::lround(x));
  }
  std::printf("], \"offsets\": %zu}\n", sides.size());
}
