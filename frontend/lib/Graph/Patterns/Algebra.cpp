//===- Algebra.cpp - Unions, intersections, differences, and patterns per head -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

/// Makes the union, intersection or difference of two patterns. Nested unions and nested intersections become one: a |
/// b | c has three members. A difference always has two members.
static Pattern combine(Algebra kind, const PatternOperand &a, const PatternOperand &b) {
  std::vector<PatternPtr> members;
  auto *nested = std::get_if<AlgebraSet>(&a.pattern.node->set);
  if (nested && nested->kind == kind && kind != Algebra::subtract)
    members = nested->members;
  else
    members = {a.pattern.node};
  members.push_back(b.pattern.node);
  return makePattern(AlgebraSet{kind, std::move(members)}, a.here);
}

Pattern xf::operator|(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::unite, a, b); }
Pattern xf::operator&(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::intersect, a, b); }
Pattern xf::operator-(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::subtract, a, b); }

Pattern xf::heads(std::vector<Pattern> members, Here here) {
  expect(!members.empty(), here, "expected at least one pattern in heads, got none");
  std::vector<PatternPtr> nodes;
  for (const Pattern &member : members)
    nodes.push_back(member.node);
  return makePattern(AlgebraSet{Algebra::heads, std::move(nodes)}, here);
}

bool AlgebraSet::has(const Pair &pair) const {
  auto isIn = [&](const PatternPtr &member) { return pair.in(*member); };
  switch (kind) {
  case Algebra::unite:
    return std::any_of(members.begin(), members.end(), isIn);
  case Algebra::intersect:
    return std::all_of(members.begin(), members.end(), isIn);
  case Algebra::subtract:
    return isIn(members[0]) && !isIn(members[1]);
  case Algebra::heads:
    return isIn(members[pair.head % members.size()]);
  }
  return false;
}

/// Computes the properties from those of the members. An intersection is causal if one of its members is causal. A
/// difference is causal if its first member is, and a union or heads if all members are. Visits each member once, since
/// differences nest as deep as the user's loops.
Properties AlgebraSet::properties() const {
  std::vector<Properties> each;
  for (const PatternPtr &member : members)
    each.push_back(propertiesOf(*member));
  auto isCausal = [](const Properties &member) { return member.isCausal; };
  Properties all = {.isCausal = std::all_of(each.begin(), each.end(), isCausal), .isOfPositions = true};
  if (kind == Algebra::intersect)
    all.isCausal = std::any_of(each.begin(), each.end(), isCausal);
  if (kind == Algebra::subtract)
    all.isCausal = each[0].isCausal;
  for (const Properties &member : each) {
    all.isOfPositions = all.isOfPositions && member.isOfPositions;
    all.heads = std::max(all.heads, member.heads);
    all.symbols = std::max(all.symbols, member.symbols);
  }
  if (kind == Algebra::heads)
    all.heads = std::max(all.heads, members.size());
  return all;
}
