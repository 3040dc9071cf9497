//===- Window.cpp - All pairs, causal pairs and windows -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult DensePatternAttr::getConjunctions(Conjunctions &out) const {
  out.push_back(SetBuilder(getContext()).take());
  return success();
}

LogicalResult CausalPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  out.push_back(set.ge(set.i, set.j).take());
  return success();
}

/// Verifies that the distances `left` and `right` to the ends of a window are in [-maxParameter, maxParameter].
static LogicalResult verifyEnds(EmitError emitError, xf::Bound left, xf::Bound right) {
  for (auto [name, end] : {std::pair("left", left), std::pair("right", right)})
    if (end.value && failed(verifyAtLeast(emitError, name, *end.value, -maxParameter))) // C1
      return failure();
  return success();
}

static void addWindow(SetBuilder &set, Bound left, Bound right) {
  if (left.value)
    set.ge(set.j, set.i - *left.value);
  if (right.value)
    set.ge(set.i + *right.value, set.j);
}

LogicalResult WindowPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyEnds(emitError, getLeft(), getRight())))
    return failure();
  if (getLeft().value && getRight().value && -*getLeft().value > *getRight().value) // C2
    return emitError() << "expected a window with -left <= right, got left = " << *getLeft().value
                       << ", right = " << *getRight().value;
  return success();
}

LogicalResult WindowPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  addWindow(set, getLeft(), getRight());
  out.push_back(set.take());
  return success();
}

LogicalResult DilatedPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyEnds(emitError, getLeft(), getRight())))
    return failure();
  return verifyAtLeast(emitError, "step", getStep(), 1); // C2
}

LogicalResult DilatedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  addWindow(set, getLeft(), getRight());
  out.push_back(set.equal((set.i - set.j) % getStep(), set.number(0)).take());
  return success();
}
