//===- GridFamilies.cpp - Patterns of grids of tokens ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;
using namespace xftest;

static std::string textOf(const Numbers &numbers) {
  return "[" + join(map_range(numbers, [](int64_t n) { return std::to_string(n); }), ", ") + "]";
}

static int64_t productOf(const Numbers &numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), int64_t(1), std::multiplies<>());
}

static std::vector<Numbers> gridsOf(bool wide) {
  std::vector<Numbers> grids = {{1}, {2}, {5}, {8}, {12}, {1, 7}, {7, 1}, {2, 3}, {3, 4}, {4, 3}, {4, 4}, {2, 2, 3}};
  if (wide)
    grids.insert(grids.end(), {{3},
                               {4},
                               {7},
                               {10},
                               {13},
                               {1, 1},
                               {2, 2},
                               {2, 5},
                               {5, 2},
                               {3, 3},
                               {5, 3},
                               {2, 6},
                               {5, 5},
                               {2, 1, 4},
                               {3, 2, 2},
                               {1, 3, 3},
                               {4, 2, 1},
                               {2, 3, 4},
                               {2, 2, 2, 2}});
  return grids;
}

/// Calls `visit` with every choice of one number of each axis.
static void visitChoices(ArrayRef<Numbers> axes, function_ref<void(const Numbers &)> visit, Numbers chosen = {}) {
  if (chosen.size() == axes.size())
    return visit(chosen);
  for (int64_t number : axes[chosen.size()]) {
    Numbers next = chosen;
    next.push_back(number);
    visitChoices(axes, visit, next);
  }
}

static std::vector<Numbers> perAxis(const Numbers &extents, function_ref<Numbers(int64_t extent)> choose) {
  std::vector<Numbers> axes;
  for (int64_t extent : extents)
    axes.push_back(choose(extent));
  return axes;
}

/// Those of `numbers` in [low, high], once each.
static Numbers within(Numbers numbers, int64_t low, int64_t high) {
  llvm::erase_if(numbers, [&](int64_t n) { return n < low || n > high; });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

static PatternFamily windowsNd(bool wide) {
  PatternFamily family{"window_nd", {}};
  for (const Numbers &extents : gridsOf(wide)) {
    auto radii = [&](int64_t extent) {
      return extents.size() > 2 && !wide ? Numbers{0, 1} : within({0, 1, 2, wide ? 3 : 0, extent - 1}, 0, extent);
    };
    visitChoices(perAxis(extents, radii), [&](const Numbers &radius) {
      for (StringRef clamp : {"false", "true"})
        family.add(
            formatv("#xf.window_nd<extents = {0}, radius = {1}, clamp = {2}>", textOf(extents), textOf(radius), clamp),
            productOf(extents));
    });
  }
  return family;
}

/// Windows that divide the extents and those that do not, up to more than the grid.
static PatternFamily swins(bool wide) {
  PatternFamily family{"swin", {}};
  for (const Numbers &extents : gridsOf(wide)) {
    bool isFlat = extents.size() == 1;
    auto windows = [&](int64_t extent) {
      return isFlat || wide ? within({1, 2, 3, 4, 5, extent - 1, extent, extent + 2}, 1, extent + 2)
                            : within({2, extents.size() > 2 ? 2 : 3, extent + 1}, 1, extent + 1);
    };
    visitChoices(perAxis(extents, windows), [&](const Numbers &window) {
      auto shifts = [&](int64_t size) {
        return isFlat ? within({0, 1, 2, size - 1}, 0, size - 1) : Numbers{0, size / 2};
      };
      visitChoices(perAxis(window, shifts), [&](const Numbers &shift) {
        family.add(formatv("#xf.swin<extents = {0}, window = {1}, shift = {2}>", textOf(extents), textOf(window),
                           textOf(shift)),
                   productOf(extents));
      });
    });
  }
  return family;
}

static constexpr StringLiteral lifted[] = {"#xf.causal",
                                           "#xf.window<left = 0>",
                                           "#xf.window<left = unbounded, right = -1>",
                                           "#xf.window<left = 1, right = 1>",
                                           "#xf.strided<stride = 2>",
                                           "#xf.global<[0, -1]>",
                                           "#xf.keys<[1 : 3]>",
                                           "#xf.queries<[-2 : 1]>",
                                           "#xf.block<size = 2, of = #xf.causal>",
                                           "#xf.affine<(i, j)[Nq, Nk] : (i + j - Nq ge -1, (i - j) mod 2 == 0)>"};

static PatternFamily lifts(bool wide) {
  PatternFamily family{"lift", {}};
  for (const Numbers &extents : gridsOf(wide))
    for (size_t axis = 0; axis < extents.size(); ++axis)
      for (StringRef of : ArrayRef(lifted).drop_back(wide ? 0 : 2))
        family.add(formatv("#xf.lift<extents = {0}, axis = {1}, of = {2}>", textOf(extents), axis, of),
                   productOf(extents));
  family.add(
      "#xf.lift<extents = [4, 3], axis = 0, of = #xf.window_nd<extents = [2, 2], radius = [0, 1], clamp = true>>", 12);
  family.add("#xf.lift<extents = [2, 6], axis = 1, of = #xf.swin<extents = [6], window = [4], shift = [1]>>", 12);
  family.add("#xf.intersection<[#xf.lift<extents = [3, 4], axis = 0, of = #xf.causal>, #xf.lift<extents = [3, 4], axis "
             "= 1, of = #xf.window<left = 1>>]>",
             12);
  return family;
}

static PatternFamily permutations(bool wide) {
  PatternFamily family{"permute", {}};
  for (int64_t size : wide ? Numbers{1, 2, 3, 5, 7, 8, 10, 12} : Numbers{1, 5, 8})
    for (int64_t step : {1, 3, 11}) {
      Numbers table;
      for (int64_t n = 0; n < size; ++n)
        table.push_back(std::gcd(step, size) == 1 ? (n * step + 2) % size : size - 1 - n);
      for (StringRef of : lifted)
        family.add(formatv("#xf.permute<{0}, of = {1}>", textOf(table), of), size);
    }
  return family;
}

static bool isCausal(StringRef of) {
  return of == "#xf.causal" || of == "#xf.window<left = 0>" || of.contains("right = -1") || of.contains("strided");
}

/// Tokens of several layers.
static PatternFamily layers(bool wide) {
  PatternFamily family{"grid", {}};
  for (int64_t count : wide ? Numbers{1, 2, 3, 4, 5} : Numbers{1, 3})
    for (StringRef of : ArrayRef(lifted).drop_back(wide ? 0 : 4))
      for (StringRef granularity : {"token", "position"})
        for (StringRef factorised : {"false", "true"})
          for (StringRef order : {"index", "layer"})
            for (StringRef queries : {"all", "top"}) {
              bool isRegular = order == "layer" || queries == "top";
              if (order == "layer" && granularity == "token" && isCausal(of))
                continue; // refused: it leaks
              for (int64_t keys : isRegular ? Numbers{count, 2 * count, 4 * count} : Numbers{2 * count, 0})
                family.add(formatv("#xf.grid<layers = {0}, of = {1}, granularity = {2}, order = {3}, queries = {4}, "
                                   "factorised = {5}>",
                                   count, of, granularity, order, queries, factorised),
                           keys);
            }
  return family;
}

std::vector<PatternFamily> xftest::gridFamilies(bool wide) {
  return {windowsNd(wide), swins(wide), lifts(wide), permutations(wide), layers(wide)};
}
