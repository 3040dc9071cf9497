//===- PatternVerifiers.cpp - What a pattern refuses by itself (spec section 9) -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPatterns.h"

using namespace mlir;
using namespace mlir::xf;

using Error = function_ref<InFlightDiagnostic()>;

/// `value >= minimum`, or one error that names the parameter.
static LogicalResult atLeast(Error emitError, StringRef name, int64_t value, int64_t minimum) {
  if (value >= minimum)
    return success();
  return emitError() << "expected " << name << " >= " << minimum << ", got " << value;
}

LogicalResult WindowPatternAttr::verifyPattern(Error emitError) const {
  if (getLeft().value && getRight().value && -*getLeft().value > *getRight().value)
    return emitError() << "expected a window with -left <= right, got left = " << *getLeft().value
                       << ", right = " << *getRight().value;
  return success();
}

LogicalResult DilatedPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "step", getStep(), 1);
}

LogicalResult StridedPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "stride", getStride(), 1);
}

LogicalResult FixedPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "block", getBlock(), 1)) || failed(atLeast(emitError, "summary", getSummary(), 1)) ||
      failed(atLeast(emitError, "slot", getSlot(), 0)))
    return failure();
  if (getSummary() * (getSlot() + 1) > getBlock())
    return emitError() << "expected summary (slot + 1) <= block, got summary = " << getSummary()
                       << ", slot = " << getSlot() << ", block = " << getBlock();
  return success();
}

static LogicalResult verifyMembers(Error emitError, ArrayRef<xf::Pattern> members, size_t minimum) {
  if (members.size() < minimum)
    return emitError() << "expected at least " << minimum << " members, got " << members.size();
  for (xf::Pattern member : members)
    if (failed(member.verifyPattern(emitError)))
      return failure();
  return success();
}

LogicalResult UnionPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult IntersectionPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult HeadsPatternAttr::verifyPattern(Error emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}
LogicalResult DifferencePatternAttr::verifyPattern(Error emitError) const {
  if (getMembers().size() != 2)
    return emitError() << "expected two members of a difference, got " << getMembers().size();
  return verifyMembers(emitError, getMembers(), 2);
}

LogicalResult BlockPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "size", getSize(), 1)))
    return failure();
  return getOf().verifyPattern(emitError);
}
LogicalResult GlobalPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult RandomPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "count", getCount(), 0);
}
LogicalResult BigBirdPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "block", getBlock(), 1);
}
LogicalResult SegmentsPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult PrefixPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult WindowNdPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult LiftPatternAttr::verifyPattern(Error emitError) const { return getOf().verifyPattern(emitError); }
LogicalResult SwinPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult KeysPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult QueriesPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult PermutePatternAttr::verifyPattern(Error emitError) const { return getOf().verifyPattern(emitError); }
LogicalResult AffinePatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult TablePatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "block", getBlock(), 1);
}
LogicalResult KernelizedPatternAttr::verifyPattern(Error) const { return success(); }
LogicalResult LowRankPatternAttr::verifyPattern(Error emitError) const {
  return atLeast(emitError, "rank", getRank(), 1);
}
LogicalResult GridPatternAttr::verifyPattern(Error emitError) const {
  if (failed(atLeast(emitError, "layers", getLayers(), 1)))
    return failure();
  return getOf().verifyPattern(emitError);
}
