//===- SetFamilies.cpp - Patterns of any number of keys -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace xftest;

static constexpr StringLiteral parts[] = {"union", "local", "column"};

/// Numbers as text; none is `unbounded`.
static std::vector<std::string> endsOf(std::vector<int64_t> numbers) {
  std::vector<std::string> ends = {"unbounded"};
  for (int64_t number : numbers)
    ends.push_back(std::to_string(number));
  return ends;
}

static bool isWindow(StringRef left, StringRef right) {
  int64_t a, b;
  return left.getAsInteger(10, a) || right.getAsInteger(10, b) || -a <= b;
}

static void addWindows(std::vector<PatternFamily> &families, bool wide) {
  PatternFamily &plain = families.emplace_back(PatternFamily{"plain", {{"#xf.dense"}, {"#xf.causal"}, {"#xf.prefix"}}});
  for (int64_t length : seq<int64_t>(0, 14))
    plain.add(formatv("#xf.prefix<length = {0}>", length));
  auto ends = endsOf(wide ? std::vector<int64_t>{-13, -12, -5, -2, -1, 0, 1, 2, 3, 5, 11, 12, 13}
                          : std::vector<int64_t>{-12, -3, -1, 0, 1, 4, 11, 13});
  PatternFamily &windows = families.emplace_back(PatternFamily{"window", {}});
  PatternFamily &dilated = families.emplace_back(PatternFamily{"dilated", {}});
  for (const std::string &left : ends)
    for (const std::string &right : ends)
      if (isWindow(left, right))
        windows.add(formatv("#xf.window<left = {0}, right = {1}>", left, right));
  for (const std::string &left : endsOf({-2, 0, 1, 5, 12}))
    for (const std::string &right : endsOf({-2, 0, 1, 5, 12}))
      for (int64_t step : wide ? Numbers{1, 2, 3, 4, 5, 7, 12, 13} : Numbers{1, 2, 3, 5})
        dilated.add(formatv("#xf.dilated<left = {0}, right = {1}, step = {2}>", left, right, step));
}

static void addBlocks(std::vector<PatternFamily> &families, bool wide) {
  PatternFamily &strided = families.emplace_back(PatternFamily{"strided", {}});
  for (int64_t stride : seq<int64_t>(1, 14))
    for (StringRef part : parts)
      strided.add(formatv("#xf.strided<stride = {0}, part = {1}>", stride, part));
  PatternFamily &fixed = families.emplace_back(PatternFamily{"fixed", {}});
  SmallVector<int64_t> blocks = {1, 2, 3, 4, 5, 12, 13};
  if (wide)
    blocks.append({6, 7, 8, 11});
  for (int64_t block : blocks)
    for (int64_t summary = 1; summary <= block; summary += !wide && summary > 3 ? 4 : 1)
      for (int64_t slot = 0; summary * (slot + 1) <= block; slot += !wide && slot > 0 ? 5 : 1)
        for (StringRef part : parts)
          fixed.add(
              formatv("#xf.fixed<block = {0}, summary = {1}, slot = {2}, part = {3}>", block, summary, slot, part));
}

static std::string listOf(int64_t begin, int64_t end, int64_t step, function_ref<std::string(int64_t)> text) {
  std::string list;
  for (int64_t number = begin; number < end; number += step)
    list += (list.empty() ? "" : ", ") + text(number);
  return list;
}

/// Lists that are long enough to become data, too.
static void addLists(std::vector<PatternFamily> &families, bool wide) {
  auto number = [](int64_t value) { return std::to_string(value); };
  auto single = [](int64_t value) { return formatv("{0} : {1}", value, value + 1).str(); };
  PatternFamily &globals = families.emplace_back(PatternFamily{"global", {}});
  for (int64_t position : seq<int64_t>(-13, 14))
    globals.add(formatv("#xf.global<[{0}]>", position));
  for (StringRef positions : {"0, 1", "0, 2", "0, -1", "-1, -2", "3, -3", "1, 2, 3, 9", "0, 5, -5, -1", "12, -12"})
    globals.add(formatv("#xf.global<[{0}]>", positions));
  globals.add("#xf.global<[" + listOf(0, 30, 2, number) + "]>");
  globals.add("#xf.global<[" + listOf(-30, -1, 2, number) + "]>");
  globals.add("#xf.global<[" + listOf(-15, 15, 2, number) + "]>");
  PatternFamily &intervals = families.emplace_back(PatternFamily{"intervals", {}});
  for (StringRef axis : {"keys", "queries"}) {
    for (int64_t lower : {-12, -3, -1, 0, 1, 5, 11})
      for (int64_t length : {1, 2, 5, 20})
        intervals.add(formatv("#xf.{0}<[{1} : {2}]>", axis, lower, lower + length));
    for (int64_t mod = 1; mod <= (wide ? 13 : 5); ++mod)
      for (int64_t lower = 0; lower < mod; ++lower)
        for (int64_t upper = lower + 1; upper <= mod + 1; ++upper)
          intervals.add(formatv("#xf.{0}<[{1} : {2}], mod = {3}>", axis, lower, upper, mod));
    for (StringRef list : {"0 : 1, 2 : 3", "0 : 2, 1 : 4", "5 : 6, -4 : -2", "3 : 3"})
      intervals.add(formatv("#xf.{0}<[{1}]>", axis, list));
    intervals.add(formatv("#xf.{0}<[{1}]>", axis, listOf(0, 52, 2, single)));
    intervals.add(formatv("#xf.{0}<[{1}], mod = 53>", axis, listOf(1, 53, 2, single)));
    intervals.add(formatv("#xf.{0}<[{1}]>", axis, listOf(-27, 27, 2, single)));
  }
}

static void addAffine(std::vector<PatternFamily> &families, bool wide) {
  PatternFamily &affine = families.emplace_back(PatternFamily{"affine", {}});
  auto add = [&](const std::string &constraints) { affine.add("#xf.affine<(i, j)[Nq, Nk] : (" + constraints + ")>"); };
  for (int64_t a : wide ? Numbers{-3, -2, -1, 0, 1, 2, 3} : Numbers{-2, -1, 0, 1, 3})
    for (int64_t b : {-2, -1, 1, 3})
      for (int64_t c : {-7, -1, 0, 4}) {
        std::string form = formatv("{0} * i + {1} * j + {2}", a, b, c);
        add(form + " ge 0");
        for (int64_t m : wide ? Numbers{2, 3, 4, 5, 12} : Numbers{3, 4}) {
          add(formatv("({0}) mod {1} == 1", form, m));
          add(formatv("({0}) mod {1} le 1, i ge j", form, m));
          add(formatv("({0}) floordiv {1} + j ge 0", form, m));
        }
      }
  for (int64_t a : {2, 3, 5})
    for (int64_t b : {2, 3, 4})
      for (StringRef form : {"i floordiv {0} == j floordiv {1}", "i mod {0} == j mod {1}",
                             "(i floordiv {0} - j floordiv {0}) mod {1} == 0", "i ceildiv {0} ge j ceildiv {1}",
                             "(i floordiv {0}) floordiv {1} == (j floordiv {0}) floordiv {1}",
                             "(i mod {0}) floordiv {1} == (j mod {0}) floordiv {1}",
                             "(i + Nq) mod {0} - j mod {1} ge 0", "i - j mod {0} ge {1}, Nk - i - j ge 0",
                             "j - Nk floordiv {0} ge 0, i - Nq ge -{1}", "i + Nk floordiv {0} mod {1} ge j"})
        add(formatv(false, form.data(), a, b));
  for (StringRef constraints : {"i - j ge 0, (i + p) mod 4 == 0", "i - j le p", "j - i floordiv 3 - p ge 0",
                                "(i - p) floordiv 4 == (j - p) floordiv 4", "2 * i - 3 * j + p == 0"})
    affine.add("#xf.affine<(i, j)[Nq, Nk, p] : (" + constraints.str() + ")>");
}

/// What asks for operands, or draws.
static void addData(std::vector<PatternFamily> &families, bool wide) {
  PatternFamily &data = families.emplace_back(PatternFamily{"data", {{"#xf.segments"}}});
  data.add("#xf.segments<relation = [[1, 0], [0, 1]]>");
  data.add("#xf.segments<relation = [[1, 0, 1], [1, 1, 0], [0, 0, 0]]>");
  data.add("#xf.segments<relation = [[0, 0], [0, 0]]>");
  for (int64_t block : seq<int64_t>(1, 6))
    data.add(formatv("#xf.table<block = {0}>", block));
  PatternFamily &random = families.emplace_back(PatternFamily{"random", {}});
  for (int64_t count : {0, 1, 2, 5, 12})
    for (StringRef outside : {"", ", outside = #xf.causal", ", outside = #xf.window<left = 1, right = 1>"})
      random.add(formatv("#xf.random<count = {0}, seed = {1}{2}>", count, 7 * count - 3, outside));
  PatternFamily &bigbird = families.emplace_back(PatternFamily{"bigbird", {}});
  for (int64_t block : wide ? Numbers{1, 2, 3, 5, 12} : Numbers{1, 2})
    for (int64_t window : wide ? Numbers{0, 1, 2, 3, 5} : Numbers{1, 3})
      for (int64_t global : wide ? Numbers{0, 1, 2} : Numbers{0, 1})
        for (int64_t count : wide ? Numbers{0, 1, 2, 3} : Numbers{0, 2})
          bigbird.add(formatv("#xf.bigbird<block = {0}, window = {1}, global = {2}, random = {3}, seed = 5>", block,
                              window, global, count));
}

std::vector<PatternFamily> xftest::setFamilies(bool wide) {
  std::vector<PatternFamily> families;
  families.reserve(32); // references to families stay valid
  addWindows(families, wide);
  addBlocks(families, wide);
  addLists(families, wide);
  addAffine(families, wide);
  addData(families, wide);
  return families;
}
