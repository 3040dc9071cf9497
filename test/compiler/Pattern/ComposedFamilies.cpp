//===- ComposedFamilies.cpp - Patterns over patterns ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace xftest;

/// One or more of each family, with parameters that bite; the last takes a second in most sets.
static constexpr StringLiteral leaves[] = {"#xf.causal",
                                           "#xf.window<left = 2, right = 1>",
                                           "#xf.window<left = unbounded, right = -2>",
                                           "#xf.dilated<left = 7, right = 4, step = 3>",
                                           "#xf.strided<stride = 3>",
                                           "#xf.strided<stride = 4, part = column>",
                                           "#xf.fixed<block = 4, summary = 1>",
                                           "#xf.fixed<block = 5, summary = 2, part = column, slot = 1>",
                                           "#xf.block<size = 3, of = #xf.window<left = 1>>",
                                           "#xf.global<[0, -2]>",
                                           "#xf.prefix<length = 4>",
                                           "#xf.keys<[1 : 3], mod = 4>",
                                           "#xf.queries<[-3 : 2]>",
                                           "#xf.queries<[0 : 1], mod = 3>",
                                           "#xf.affine<(i, j)[Nq, Nk] : ((i + 2 * j) mod 5 le 2)>",
                                           "#xf.affine<(i, j)[Nq, Nk] : (i + j - Nk ge -3)>",
                                           "#xf.affine<(i, j)[Nq, Nk] : (i floordiv 2 - j floordiv 3 ge 0)>",
                                           "#xf.grid<layers = 2, of = #xf.causal, granularity = position>",
                                           "#xf.bigbird<block = 2, window = 1, global = 1, random = 0>"};
static constexpr StringLiteral data[] = {"#xf.segments", "#xf.table<block = 2>",
                                         "#xf.segments<relation = [[1, 1], [0, 1]]>"};
static constexpr StringLiteral drawn[] = {"#xf.random<count = 3, seed = 9>",
                                          "#xf.random<count = 2, seed = 1, outside = #xf.causal>",
                                          "#xf.bigbird<block = 2, window = 1, global = 1, random = 1, seed = 4>"};
/// Of 12 tokens.
static constexpr StringLiteral grids[] = {
    "#xf.window_nd<extents = [3, 4], radius = [0, 1], clamp = true>",
    "#xf.window_nd<extents = [3, 4], radius = [1, 2]>",
    "#xf.swin<extents = [4, 3], window = [3, 2], shift = [1, 1]>",
    "#xf.lift<extents = [3, 4], axis = 1, of = #xf.causal>",
    "#xf.lift<extents = [3, 4], axis = 0, of = #xf.window<left = 1>>",
    "#xf.permute<[2, 5, 8, 11, 0, 3, 6, 9, 1, 4, 7, 10], of = #xf.causal>",
    "#xf.grid<layers = 3, of = #xf.causal, granularity = position, order = layer>",
    "#xf.grid<layers = 3, of = #xf.causal, queries = top>"};

static constexpr StringLiteral kinds[] = {"union", "intersection", "difference"};

static PatternFamily nested(bool wide) {
  PatternFamily family{"nested", {}};
  for (int64_t size : wide ? Numbers{1, 2, 3, 4, 5, 7, 12, 13} : Numbers{2, 3, 5})
    for (ArrayRef<StringLiteral> list : {ArrayRef(leaves), ArrayRef(data)})
      for (StringRef of : list)
        family.add(formatv("#xf.block<size = {0}, of = {1}>", size, of));
  for (StringRef of : grids) {
    family.add(formatv("#xf.block<size = 1, of = {0}>", of), 12);
    family.add(formatv("#xf.block<size = 2, of = {0}>", of), 23); // the last block is short
    family.add(formatv("#xf.permute<[4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6, 5], of = {0}>", of), 12);
    if (wide)
      family.add(formatv("#xf.block<size = 3, of = {0}>", of), 34);
  }
  return family;
}

static PatternFamily heads() {
  PatternFamily family{"heads", {}};
  for (StringRef members :
       {"#xf.dense, #xf.causal", "#xf.causal, #xf.window<left = 2, right = 1>, #xf.dense", "#xf.dense, #xf.segments",
        "#xf.dense, #xf.random<count = 2, seed = 3>",
        "#xf.random<count = 2, seed = 3>, #xf.random<count = 2, seed = 3>",
        "#xf.bigbird<block = 2, random = 1>, #xf.causal", "#xf.heads<[#xf.dense, #xf.causal]>, #xf.window<left = 1>",
        "#xf.intersection<[#xf.causal, #xf.random<count = 4, seed = 3>]>, #xf.causal"})
    family.add(formatv("#xf.heads<[{0}]>", members));
  family.add("#xf.union<[#xf.heads<[#xf.window<left = 0>, #xf.causal]>, #xf.heads<[#xf.dense, #xf.global<[0]>, "
             "#xf.keys<[1 : 3]>]>]>");
  family.add("#xf.block<size = 2, of = #xf.heads<[#xf.causal, #xf.window<left = 1>]>>");
  return family;
}

/// All pairs of two lists in all three ways; of the first one with itself, unions and intersections once.
static PatternFamily algebra(const char *name, ArrayRef<StringLiteral> first, ArrayRef<StringLiteral> second,
                             int64_t numKeys, unsigned step) {
  PatternFamily family{name, {}};
  unsigned number = 0;
  for (auto [n, left] : enumerate(first))
    for (auto [m, right] : enumerate(second))
      for (StringRef kind : kinds) {
        bool isRepeated = first.data() == second.data() && (m == n || (kind != "difference" && m < n));
        if (!isRepeated && number++ % step == 0)
          family.add(formatv("#xf.{0}<[{1}, {2}]>", kind, left, right), numKeys);
        if (first.data() != second.data() && kind == "difference" && number++ % step == 0)
          family.add(formatv("#xf.difference<[{0}, {1}]>", right, left), numKeys);
      }
  return family;
}

std::vector<PatternFamily> xftest::composedFamilies(bool wide) {
  ArrayRef<StringLiteral> chosen = ArrayRef(leaves).drop_back(wide ? 0 : 1);
  return {nested(wide),
          heads(),
          algebra("algebra", chosen, chosen, 0, 1),
          algebra("algebra of data", data, chosen, 0, wide ? 1 : 2),
          algebra("algebra of draws", drawn, chosen, 0, wide ? 1 : 24),
          algebra("algebra of grids", grids, chosen, 12, wide ? 1 : 4),
          algebra("algebra of two grids", grids, grids, 12, wide ? 1 : 2)};
}
