//===- Routes.cpp - The messages of a rank's transfers --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "../plan/Integers.h"

#include <algorithm>
#include <tuple>

using namespace xfrt;
using plan::Placement;
using plan::TokenSet;
using plan::Transfer;

static bool isBefore(const Leg &a, const Leg &b) {
  return std::tie(a.stage, a.distance, a.partner, a.owner) < std::tie(b.stage, b.distance, b.partner, b.owner);
}

/// A leg for each owner of the tokens of each transfer. `rank` is the receiver, or its partners are.
static std::vector<Leg> makeLegs(const Placement &placement, int32_t rank, const std::vector<Transfer> &transfers,
                                 bool areReceived) {
  std::vector<Leg> legs;
  for (const Transfer &transfer : transfers) {
    int32_t receiver = areReceived ? rank : transfer.partner;
    std::vector<int32_t> owners = placement.ownersOf(transfer.tokens);
    for (int32_t owner : owners) {
      TokenSet tokens = owners.size() == 1 ? transfer.tokens : intersect(transfer.tokens, placement.tokensOf(owner));
      int32_t distance = int32_t(plan::floorRemainder(receiver - owner, placement.ranks));
      legs.push_back({transfer.partner, owner, distance, transfer.stage, transfer.heads, std::move(tokens)});
    }
  }
  std::sort(legs.begin(), legs.end(), isBefore);
  return legs;
}

/// Numbers the stages in which something is received from 0 on, and sends what belongs to none of them with the next
/// one: so two buffers are always of two that follow each other.
static void numberStages(Routes &routes) {
  std::vector<int32_t> stages;
  for (const Leg &leg : routes.received)
    if (stages.empty() || stages.back() != leg.stage)
      stages.push_back(leg.stage);
  for (std::vector<Leg> *legs : {&routes.received, &routes.sent}) {
    for (Leg &leg : *legs) {
      leg.stage = int32_t(std::lower_bound(stages.begin(), stages.end(), leg.stage) - stages.begin());
      routes.stages = std::max(routes.stages, leg.stage + 1);
    }
    std::sort(legs->begin(), legs->end(), isBefore);
  }
}

/// The times at which a leg may start, in the order of a direction.
static std::pair<int32_t, int32_t> timeOf(const Leg &leg, bool isOutward) {
  return isOutward ? std::pair(leg.stage, leg.distance) : std::pair(-leg.stage, -leg.distance);
}

/// Waves of legs that arrive and leave. One that leaves waits for all that arrive before it with tokens of the same
/// owner.
static std::vector<Wave> makeWaves(const std::vector<Leg> &arriving, const std::vector<Leg> &leaving, int32_t ranks,
                                   bool isOutward) {
  std::vector<Wave> waves;
  std::vector<bool> arrives(size_t(ranks), false); // tokens of an owner, in the last wave
  auto number = [&](const std::vector<Leg> &legs, size_t n) { return isOutward ? n : legs.size() - 1 - n; };
  for (size_t a = 0, b = 0; a < arriving.size() || b < leaving.size();) {
    auto time = a < arriving.size() ? timeOf(arriving[number(arriving, a)], isOutward)
                                    : timeOf(leaving[number(leaving, b)], isOutward);
    if (b < leaving.size())
      time = std::min(time, timeOf(leaving[number(leaving, b)], isOutward));
    size_t firstA = a, firstB = b;
    bool waits = waves.empty() || waves.back().stage != (isOutward ? time.first : -time.first);
    for (; a < arriving.size() && timeOf(arriving[number(arriving, a)], isOutward) == time; ++a)
      ;
    for (; b < leaving.size() && timeOf(leaving[number(leaving, b)], isOutward) == time; ++b) {
      const Leg &leg = leaving[number(leaving, b)];
      waits |= arrives[size_t(leg.owner)];
    }
    if (waits) {
      waves.push_back({isOutward ? time.first : -time.first, {}, {}});
      std::fill(arrives.begin(), arrives.end(), false);
    }
    Wave &wave = waves.back();
    for (; firstA < a; ++firstA) {
      size_t n = number(arriving, firstA);
      arrives[size_t(arriving[n].owner)] = true;
      (isOutward ? wave.received : wave.sent).push_back(uint32_t(n));
    }
    for (; firstB < b; ++firstB)
      (isOutward ? wave.sent : wave.received).push_back(uint32_t(number(leaving, firstB)));
  }
  return waves;
}

Routes xfrt::makeRoutes(const Placement &placement, int32_t rank, const std::vector<Transfer> &received,
                        const std::vector<Transfer> &sent) {
  Routes routes;
  routes.received = makeLegs(placement, rank, received, true);
  routes.sent = makeLegs(placement, rank, sent, false);
  numberStages(routes);
  routes.outward = makeWaves(routes.received, routes.sent, placement.ranks, true);
  routes.homeward = makeWaves(routes.sent, routes.received, placement.ranks, false);
  return routes;
}
