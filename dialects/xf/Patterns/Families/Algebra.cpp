//===- Algebra.cpp - Union, intersection, difference, heads ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

static LogicalResult verifyMembers(EmitError emitError, ArrayRef<xf::Pattern> members, size_t minimum) {
  if (members.size() < minimum) // C1
    return emitError() << "expected at least " << minimum << " members, got " << members.size();
  for (xf::Pattern member : members)
    if (failed(verifySet(emitError, member))) // C2
      return failure();
  return success();
}

/// Appends the constraints of all members on the number of keys. The tokens of a member are those of the whole pattern,
/// blocks of `block` keys.
static void addMembersRules(ArrayRef<xf::Pattern> members, int64_t block, SmallVectorImpl<TokenRule> &rules) {
  for (xf::Pattern member : members)
    member.addTokenRules(block, rules);
}

LogicalResult UnionPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}

void UnionPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  addMembersRules(getMembers(), block, rules);
}

LogicalResult IntersectionPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}

void IntersectionPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  addMembersRules(getMembers(), block, rules);
}

LogicalResult DifferencePatternAttr::verifyPattern(EmitError emitError) const {
  if (getMembers().size() != 2) // C1
    return emitError() << "expected two members of a difference, got " << getMembers().size();
  return verifyMembers(emitError, getMembers(), 2);
}

void DifferencePatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  addMembersRules(getMembers(), block, rules);
}

LogicalResult HeadsPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyMembers(emitError, getMembers(), 1);
}

void HeadsPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  addMembersRules(getMembers(), block, rules);
}
