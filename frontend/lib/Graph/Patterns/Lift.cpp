//===- Lift.cpp - Patterns along one axis of a grid -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridAxes.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::lift(Lift parameters, Here here) {
  expectExtents(parameters.extents, here);
  int64_t axes = parameters.extents.size();
  expect(parameters.axis >= 0 && parameters.axis < axes, here, "expected an axis of ", axes, " from 0 on, got ",
         parameters.axis);
  return makePattern(LiftSet{std::move(parameters)}, here);
}

bool LiftSet::has(const Pair &pair) const {
  return inEachAxis(pair, extents, [&](size_t d, int64_t query, int64_t key) {
    return d != static_cast<size_t>(axis) || Pair{pair.head, query, key, extents[d], pair.here}.in(*of.node);
  });
}

Properties LiftSet::properties() const {
  return {.isCausal = false,
          .isOfPositions = false,
          .heads = propertiesOf(*of.node).heads,
          .symbols = propertiesOf(*of.node).symbols};
}
