//===- positions.cpp - Positions of any number of tokens -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions that count by themselves against the same positions as an input.
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-positions | FileCheck %s

#include "../OneWeight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace xf;

static Array waves(std::vector<int64_t> shape) {
  Array array(f32, std::move(shape));
  double n = 0;
  for (float &value : array.data<float>())
    value = static_cast<float>(std::sin(0.7 * n++));
  return array;
}

static Array count(int64_t first, int64_t size) {
  Array array(i64, {size});
  for (int64_t &value : array.data<int64_t>())
    value = first++;
  return array;
}

/// Prints the largest difference of two results of an entry, and whether they are numbers other than 0.
static void compare(Executable &run, const char *entry, const std::map<std::string, Array> &inputs) {
  auto results = run.call(entry, inputs);
  std::span<const float> a = results.at("result0").data<float>(), b = results.at("result1").data<float>();
  double apart = 0, most = 0;
  for (size_t n = 0; n < a.size(); ++n) {
    apart = std::max(apart, std::abs(double(a[n]) - b[n]));
    most = std::max(most, std::abs(double(a[n])));
  }
  std::printf("%s: equal %d, not zero %d\n", entry, apart < 1e-6, most > 0.1);
}

/// Returns the units of the last place, in which `got` differs from `wanted`; a number next to 0 has those of 2^-14.
static double units(double got, double wanted, Dtype dtype) {
  int digits = dtype == bf16 ? 8 : dtype == f16 ? 11 : dtype == f32 ? 24 : 50;
  return std::abs(got - wanted) / std::ldexp(1.0, std::max(std::ilogb(wanted), -14) - digits + 1);
}

/// Prints whether sinusoids of any element type are those of the positions: rounded once, of times in seconds, too.
static void checkSinusoids() {
  constexpr int64_t width = 8, height = 40, columns = 50;
  std::vector<int64_t> times = {3, 37, 803, 100003, 1700000001, 123456789012};
  auto frequency = [](int64_t n, int64_t size) {
    return std::pow(10000.0, -2.0 * static_cast<double>(n) / static_cast<double>(size));
  };
  // The sines of all frequencies, then the cosines.
  auto wave = [&](double position, int64_t column, int64_t size) {
    double angle = position * frequency(column % (size / 2), size);
    return column < size / 2 ? std::sin(angle) : std::cos(angle);
  };
  for (Dtype dtype : {f32, f64, bf16, f16}) {
    Program p("sinusoids");
    p.entry("times", {{"at", i64, {static_cast<int64_t>(times.size())}}},
            [&](Tensor at) { return cast(sinusoids(at, width, {.interleaved = false, .dtype = dtype}), f64); });
    p.entry("distances", {}, [&] { return cast(distance_sinusoids(900, width, 5, dtype), f64); });
    p.entry("image", {}, [&] { return cast(image_sinusoids(height, columns, width, dtype), f64); });
    Executable run = p.compile();
    double worst = 0;
    Array at(i64, {static_cast<int64_t>(times.size())});
    std::ranges::copy(times, at.data<int64_t>().begin());
    Array ofTimes = run("times", at), ofDistances = run("distances", Inputs()), ofPlaces = run("image", Inputs());
    for (int64_t d = 0; d < width; ++d) {
      for (size_t n = 0; n < times.size(); ++n)
        worst = std::max(worst, units(ofTimes.at<double>({static_cast<int64_t>(n), d}),
                                      wave(static_cast<double>(times[n]), d, width), dtype));
      for (int64_t n = 0; n < 900; ++n)
        worst =
            std::max(worst, units(ofDistances.at<double>({n, d}), wave(static_cast<double>(n + 5), d, width), dtype));
      for (int64_t n = 0; n < height * columns; ++n) {
        double place = static_cast<double>(d < width / 2 ? n / columns : n % columns);
        worst = std::max(worst, units(ofPlaces.at<double>({n, d}), wave(place, d % (width / 2), width / 2), dtype));
      }
    }
    std::printf("sinusoids of %s: right %d\n", name(dtype), worst <= (dtype == f64 ? 4 : 0.51));
  }
}

/// Prints whether tables of a million tokens are right, and none of a program's text.
static void checkLongTables() {
  constexpr int64_t tokens = 1 << 20, keys = 700, buckets = 32;
  nn::MultiheadAttention attention({.width = 4, .heads = 1, .pattern = window(15), .rotary = Rotary()});
  Program p("long", attention);
  TensorSpec x{"x", f32, {1, 1, tokens, 4}}, learned{"learned", f32, {buckets, 1}}, row{"row", f32, {2000}};
  p.entry("rotary", {x}, [](Tensor x) { return Rotary()(x, 5); });
  p.entry("attention", {{"x", f32, {1, tokens, 4}}}, attention);
  p.entry("sinusoids", {x}, [](Tensor x) { return sum(sinusoids(x.size(2), 4), -1); });
  p.entry("buckets", {learned}, [](Tensor learned) { return scores::t5_table(learned, {.keys = keys}); });
  p.entry("flip", {row}, [](Tensor row) { return flip(row, 0); });
  Executable run = p.compile();
  Array ones = numbers({1, 1, tokens, 4}, std::vector<float>(4 * tokens, 1));
  Array turned = run("rotary", ones), sums = run("sinusoids", ones);
  double worst = 0;
  for (int64_t n = 0; n < tokens; n += 1013) {
    auto place = static_cast<double>(n);
    for (int64_t pair : {0, 1}) {
      double angle = (place + 5) * std::pow(10000.0, -0.5 * static_cast<double>(pair));
      worst = std::max(worst, std::abs(turned.at<float>({0, 0, n, pair}) - (std::cos(angle) - std::sin(angle))));
    }
    double sum = std::sin(place) + std::cos(place) + std::sin(place / 100) + std::cos(place / 100);
    worst = std::max(worst, std::abs(sums.at<float>({n}) - sum));
  }
  std::printf("long: right %d, short text %d\n", worst < 1e-6, p.str().size() < 60000);
  std::vector<float> counted(buckets), places(2000);
  std::iota(counted.begin(), counted.end(), 0.0f);
  std::iota(places.begin(), places.end(), 0.0f);
  Array found = run("buckets", numbers({buckets, 1}, counted)), flipped = run("flip", numbers({2000}, places));
  bool isRight = true;
  for (int64_t n = 0; n < 2 * keys - 1; ++n) { // as transformers computes it: from key - query
    int64_t distance = keys - 1 - n, far = std::abs(distance);
    int64_t bucket = distance > 0 ? 16 : 0;
    bucket += far < 8 ? far : std::min<int64_t>(15, 8 + static_cast<int64_t>(std::log(far / 8.0) / std::log(16.0) * 8));
    isRight &= found.at<float>({0, n}) == static_cast<float>(bucket);
  }
  for (int64_t n = 0; n < 2000; ++n)
    isRight &= flipped.at<float>({n}) == static_cast<float>(1999 - n);
  std::printf("computed indices: right %d\n", isRight);
}

int main() {
  // CHECK: sinusoids of f32: right 1
  // CHECK: sinusoids of f64: right 1
  // CHECK: sinusoids of bf16: right 1
  // CHECK: sinusoids of f16: right 1
  checkSinusoids();
  // CHECK: long: right 1, short text 1
  // CHECK: computed indices: right 1
  checkLongTables();
  Program p("positions");
  Dim n = dim("n"), m = dim("m");
  TensorSpec x{"x", f32, {1, 2, n, 4}}, at{"at", i64, {n}}, keys{"keys", i64, {m}};
  p.entry("rotary", {x, at}, [](Tensor x, Tensor at) { return std::vector{Rotary()(x, 2), Rotary()(x, at)}; });
  p.entry("sinusoids", {{"x", f32, {n}}, at},
          [](Tensor x, Tensor at) { return std::vector{sinusoids(x.size(0), 6), sinusoids(at, 6)}; });
  nn::PositionEmbedding learned(5, 4);
  p.use(learned);
  TensorSpec tokens{"tokens", f32, {2, n, 4}}, memory{"memory", f32, {2, m, 4}};
  p.entry("learned", {tokens, at}, [&](Tensor x, Tensor at) { return std::vector{learned(x), learned(x, at)}; });
  p.entry("learned_gradient", {tokens, at}, [&](Tensor x, Tensor at) {
    auto own = value_and_grad(learned, [&] { return sum(square(learned(x))); })();
    auto given = value_and_grad(learned, [&] { return sum(square(learned(x, at))); })();
    return std::vector<Tensor>{own.gradients[0], given.gradients[0]};
  });
  nn::MultiheadAttention attention({.width = 4, .heads = 1, .rotary = Rotary()});
  Program q("attention", attention);
  // Attention to itself, and to a memory: the last query stands where the last key does.
  q.entry("itself", {tokens, at},
          [&](Tensor x, Tensor at) { return std::vector{attention(x), attention(x, {.positions = at})}; });
  q.entry("memory", {tokens, memory, at, keys}, [&](Tensor x, Tensor memory, Tensor at, Tensor keys) {
    return std::vector{attention(x, {.memory = memory}),
                       attention(x, {.memory = memory, .positions = at, .memory_positions = keys})};
  });
  Executable run = p.compile(), attend = q.compile();
  // CHECK: rotary: equal 1, not zero 1
  compare(run, "rotary", {{"x", waves({1, 2, 3, 4})}, {"at", count(2, 3)}});
  // CHECK: sinusoids: equal 1, not zero 1
  compare(run, "sinusoids", {{"x", waves({7})}, {"at", count(0, 7)}});
  // CHECK: learned: equal 1, not zero 1
  compare(run, "learned", {{"tokens", waves({2, 3, 4})}, {"at", count(0, 3)}});
  // CHECK: learned_gradient: equal 1, not zero 1
  compare(run, "learned_gradient", {{"tokens", waves({2, 3, 4})}, {"at", count(0, 3)}});
  // More tokens than rows are an error of the call.
  // CHECK: entry 'learned': expected '-1 * n + 5' of at least 0, got -1
  printError([&] { run.call("learned", {{"tokens", waves({2, 6, 4})}, {"at", count(0, 6)}}); });
  // CHECK: itself: equal 1, not zero 1
  compare(attend, "itself", {{"tokens", waves({2, 3, 4})}, {"at", count(0, 3)}});
  // CHECK: memory: equal 1, not zero 1
  Array few = waves({2, 3, 4}), many = waves({2, 5, 4});
  compare(attend, "memory", {{"tokens", few}, {"memory", many}, {"at", count(2, 3)}, {"keys", count(0, 5)}});
  // CHECK: memory: equal 1, not zero 1
  compare(attend, "memory", {{"tokens", many}, {"memory", few}, {"at", count(-2, 5)}, {"keys", count(0, 3)}});
}
