//===- Schedule.cpp - Learning rates by the number of the step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace xf;
using namespace xf::detail;

using Piece = Schedule::Piece;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static Schedule make(const char *name, Piece piece, Here here) {
  expect(piece.steps >= 1, here, "expected steps >= 1 in schedule::", name, ", got ", piece.steps);
  expect(piece.level >= 0 && std::isfinite(piece.level), here, "expected a factor >= 0 in schedule::", name, ", got ",
         piece.level);
  return Schedule(piece, here);
}

Schedule schedule::warmup(int64_t steps, Here here) { return make("warmup", {Piece::warmup, steps}, here); }
Schedule schedule::constant(int64_t steps, double level, Here here) {
  return make("constant", {Piece::constant, steps, level}, here);
}
Schedule schedule::linear(int64_t steps, double end, Here here) {
  return make("linear", {Piece::linear, steps, end}, here);
}
Schedule schedule::cosine(int64_t steps, double end, Here here) {
  return make("cosine", {Piece::cosine, steps, end}, here);
}
Schedule schedule::inverse_sqrt(int64_t steps, Here here) {
  return make("inverse_sqrt", {Piece::inverse_sqrt, steps}, here);
}

Schedule xf::operator|(Schedule first, const Schedule &next) {
  expect(first.list.back().kind != Piece::inverse_sqrt, next.here,
         "expected a schedule with an end before another one, got schedule::inverse_sqrt");
  first.list.insert(first.list.end(), next.list.begin(), next.list.end());
  return first;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static double valueOf(const Piece &piece, double step) {
  double steps = static_cast<double>(piece.steps), done = std::min(step / steps, 1.0);
  switch (piece.kind) {
  case Piece::warmup:
    return std::min((step + 1) / steps, 1.0);
  case Piece::constant:
    return piece.level;
  case Piece::linear:
    return 1 + (piece.level - 1) * done;
  case Piece::cosine:
    return piece.level + (1 - piece.level) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  case Piece::inverse_sqrt:
    return std::sqrt(steps / (steps + step));
  }
  return 1;
}

double Schedule::at(int64_t step) const {
  size_t number = 0;
  for (; number + 1 < list.size() && step >= list[number].steps; ++number)
    step -= list[number].steps;
  return valueOf(list[number], static_cast<double>(step));
}

/// Builds the value of `piece` at `step`, counted from the piece's start: an f32 scalar.
static Tensor valueOf(const Piece &piece, const Tensor &step, At at) {
  double steps = static_cast<double>(piece.steps);
  auto done = [&] { return minimum(at(step) / at(steps), at(1)); };
  switch (piece.kind) {
  case Piece::warmup:
    return minimum(at(at(step) + at(1)) / at(steps), at(1));
  case Piece::constant:
    return full({}, piece.level, f32, at.here);
  case Piece::linear:
    return at(at(done()) * at(piece.level - 1)) + at(1);
  case Piece::cosine: {
    Tensor wave = cos(at(done()) * at(std::numbers::pi), at.here);
    return at(at(at(wave) + at(1)) * at((1 - piece.level) * 0.5)) + at(piece.level);
  }
  case Piece::inverse_sqrt:
    return rsqrt(at(at(step) / at(steps)) + at(1), at.here);
  }
  return {};
}

Tensor xf::detail::factorOf(const Schedule &schedule, const Tensor &step, Here here) {
  At at{here};
  const std::vector<Piece> &pieces = schedule.pieces();
  std::vector<double> begins = {0};
  for (const Piece &piece : pieces)
    begins.push_back(begins.back() + static_cast<double>(piece.steps));
  Tensor count = cast(step, f32, here), factor;
  for (size_t number = pieces.size(); number-- > 0;) {
    Tensor value = valueOf(pieces[number], at(count) - at(begins[number]), at);
    factor = factor.defined() ? where(at(count) < at(begins[number + 1]), at(value), at(factor), here) : value;
  }
  return factor;
}
