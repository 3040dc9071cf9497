//===- RandomPatterns.cpp - Random pattern expressions --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/numerics/RandomPatterns.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace xftest;

namespace {
class Generator {
public:
  Generator(const Sizes &sizes, Random &random) : sizes(sizes), random(random) {}

  std::string any(unsigned depth);
  RandomPattern result;

private:
  int64_t upTo(int64_t high) { return random.between(1, high); }
  bool oneIn(int64_t count) { return random.between(1, count) == 1; }
  std::string leaf();
  std::string interval();
  std::string grid();
  std::string randomKeys();
  std::string segments();
  std::string affine();
  std::string algebra(unsigned depth);
  std::string inner(unsigned depth);
  std::string permutation(int64_t size);
  std::string layers();

  Sizes sizes;
  Random &random;
};
} // namespace

std::string Generator::interval() {
  int64_t left = random.between(-2, 20), right = random.between(-left, 9);
  switch (random.between(0, 7)) {
  case 0:
    return "#xf.causal";
  case 1:
    return formatv("#xf.window<left = {0}, right = {1}>", left, right);
  case 2:
    return formatv("#xf.dilated<left = {0}, right = {1}, step = {2}>", left + 9, right + 9, upTo(6));
  case 3:
    return formatv("#xf.strided<stride = {0}, part = {1}>", upTo(12),
                   random.oneOf(std::array{"union", "local", "column"}));
  case 4: {
    int64_t block = upTo(16), summary = upTo(block);
    return formatv("#xf.fixed<block = {0}, summary = {1}, part = {2}>", block, summary,
                   random.oneOf(std::array{"union", "local", "column"}));
  }
  case 5:
    return formatv("#xf.prefix<length = {0}>", random.between(0, sizes.keys));
  case 6:
    return formatv("#xf.global<[{0}, {1}]>", random.between(0, sizes.keys - 1), -upTo(sizes.keys));
  default:
    return formatv("#xf.{0}<[{1} : {2}], mod = {3}>", random.oneOf(std::array{"keys", "queries"}),
                   left < 0 ? 0 : left % 5, 7, 4 + upTo(8));
  }
}

/// The keys are the grid's tokens.
std::string Generator::grid() {
  int64_t width = sizes.keys % 2 ? 1 : 2, height = sizes.keys / width, window = upTo(std::min<int64_t>(height, 7));
  switch (random.between(0, 2)) {
  case 0:
    return formatv("#xf.window_nd<extents = [{0}, {1}], radius = [{2}, {3}], clamp = {4}>", height, width,
                   random.between(0, 2), random.between(0, 2), oneIn(2));
  case 1:
    return formatv("#xf.lift<extents = [{0}, {1}], axis = {2}, of = {3}>", height, width, random.between(0, 1),
                   interval());
  default:
    return formatv("#xf.swin<extents = [{0}, {1}], window = [{2}, {1}], shift = [{3}, {4}]>", height, width, window,
                   random.between(0, window - 1), random.between(0, width - 1));
  }
}

std::string Generator::randomKeys() {
  if (oneIn(2))
    return formatv("#xf.bigbird<block = {0}, window = {1}, global = {2}, random = {3}, seed = {4}>", upTo(6),
                   2 * random.between(0, 2) + 1, random.between(0, 2), random.between(0, 3), upTo(99));
  std::string outside = oneIn(2) ? ", outside = " + interval() : "";
  return formatv("#xf.random<count = {0}, seed = {1}{2}>", upTo(9), upTo(99), outside);
}

std::string Generator::segments() {
  result.usesSegments = true;
  if (oneIn(2))
    return "#xf.segments";
  std::string rows;
  for (int64_t row = 0; row < 3; ++row)
    rows += formatv("{0}[{1}, {2}, {3}]", row ? ", " : "", random.between(0, 1), random.between(0, 1), row % 2);
  return "#xf.segments<relation = [" + rows + "]>";
}

std::string Generator::affine() {
  return formatv(
      "#xf.affine<(i, j)[Nq, Nk] : ((i * {0} + j * {1}) mod {2} le {3}, i floordiv {4} - j floordiv {5} ge -2)>",
      random.between(-2, 2), random.between(1, 3), 1 + upTo(9), random.between(0, 5), upTo(9), upTo(9));
}

std::string Generator::leaf() {
  switch (random.between(0, 8)) {
  case 0:
    return grid();
  case 1:
  case 2:
    return randomKeys();
  case 3:
  case 4:
    return segments();
  case 5:
    result.usesTable = true;
    return formatv("#xf.table<block = {0}>", upTo(8));
  case 6:
    return affine();
  default:
    return interval();
  }
}

std::string Generator::permutation(int64_t size) {
  SmallVector<int64_t> table(size);
  for (int64_t n = 0; n < size; ++n)
    table[n] = n;
  for (int64_t n = size - 1; n > 0; --n)
    std::swap(table[n], table[random.between(0, n)]);
  return join(map_range(table, [](int64_t n) { return std::to_string(n); }), ", ");
}

/// Tokens of two layers, where there are as many of both.
std::string Generator::layers() {
  return formatv(
      "#xf.grid<layers = {0}, of = {1}, granularity = position, order = {2}, queries = {3}, factorised = {4}>",
      sizes.keys % 2 ? 1 : 2, interval(), random.oneOf(std::array{"index", "layer"}),
      random.oneOf(std::array{"all", "top"}), oneIn(4));
}

/// Patterns over one pattern. Segments and tables there would be those of blocks: few, and asked outside as well.
std::string Generator::inner(unsigned depth) {
  switch (random.between(0, 2)) {
  case 0:
    return formatv("#xf.block<size = {0}, of = {1}>", upTo(6), depth > 1 ? affine() : interval());
  case 1:
    return layers();
  default:
    return formatv("#xf.permute<[{0}], of = {1}>", permutation(sizes.keys), any(depth - 1));
  }
}

std::string Generator::algebra(unsigned depth) {
  if (oneIn(3))
    return formatv("#xf.difference<[{0}, {1}]>", any(depth - 1), any(depth - 1));
  std::string members = any(depth - 1);
  for (int64_t count = random.between(1, 2); count > 0; --count)
    members += ", " + any(depth - 1);
  return formatv("#xf.{0}<[{1}]>", oneIn(3) ? "intersection" : "union", members);
}

std::string Generator::any(unsigned depth) {
  if (depth == 0 || oneIn(4))
    return leaf();
  return oneIn(4) ? inner(depth) : algebra(depth);
}

RandomPattern xftest::randomPattern(const Sizes &sizes, unsigned depth, Random &random) {
  Generator generator(sizes, random);
  std::string text = generator.any(depth);
  if (sizes.heads > 1 && random.between(0, 5) == 0)
    text = "#xf.heads<[" + text + ", " + generator.any(depth / 2) + "]>";
  generator.result.text = text;
  return generator.result;
}
