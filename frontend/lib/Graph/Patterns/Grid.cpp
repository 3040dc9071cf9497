//===- Grid.cpp - Patterns on the tokens of several layers (Tay 2021) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::grid(Grid parameters, Here here) {
  expectAtLeast(parameters.layers, 1, "layers", here);
  return makePattern(GridSet{std::move(parameters)}, here);
}

/// Returns true if the pattern has the pair. With GridQueries::top, only the tokens of the top layer are queries, one
/// per position. Then pair.i = keys - keys / layers + p stands for the token of that layer at position p.
bool GridSet::has(const Pair &pair) const {
  auto [head, i, j, keys, here] = pair;
  bool byIndex = order == GridOrder::index, fromTop = queries == GridQueries::top;
  bool ofTokens = granularity == Granularity::token;
  if (ofTokens && !fromTop && !factorised)
    return pair.in(*of.node);
  bool isWhole = keys >= layers && keys % layers == 0; // otherwise the last position lacks layers
  expect(isWhole || (byIndex && !fromTop), here, "expected a multiple of ", layers, " keys in ", layers,
         " layers, got ", keys);
  int64_t positions = (keys + layers - 1) / layers, last = i - keys + positions;
  int64_t top = byIndex ? last * layers + layers - 1 : last + positions * (layers - 1);
  int64_t query = fromTop ? top : i;
  auto positionOf = [&](int64_t token) { return byIndex ? floorDiv(token, layers) : floorMod(token, positions); };
  if (factorised && positionOf(query) != positionOf(j))
    return false;
  Pair tokens{head, query, j, keys, here}, places{head, positionOf(query), positionOf(j), positions, here};
  return (ofTokens ? tokens : places).in(*of.node);
}

Properties GridSet::properties() const {
  return {.isCausal = false,
          .isOfPositions = false,
          .heads = propertiesOf(*of.node).heads,
          .symbols = propertiesOf(*of.node).symbols};
}
