//===- Routes.h - The messages of a rank's transfers ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfers of a plan (lib/plan/Plan.h), in the order in which they are started. That order is the same on every
// rank: by stage, and in a stage by the distance from a token's owner to who receives it, along the ranks. So between
// two ranks messages are listed alike on both sides, and what a rank passes on it has received at a smaller distance:
// no ring of ranks waits for itself. Messages are started together as long as none of them passes on another one.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_ROUTES_H
#define XFRT_LIB_RANKS_ROUTES_H

#include "../plan/Plan.h"

namespace xfrt {

/// One message: tokens of one owner, on their way to one rank.
struct Leg {
  int32_t partner;
  int32_t owner;
  int32_t distance; // from the owner to the receiver: the rank's number less the owner's, modulo all
  int32_t stage;    // of those in which this rank receives something
  plan::Interval heads;
  plan::TokenSet tokens;

  int64_t rows() const { return countTokens(tokens) * heads.size(); } // of one head each
};

/// Messages that start together.
struct Wave {
  int32_t stage;
  std::vector<uint32_t> received, sent; // numbers of legs
};

/// What a rank receives and sends as one who computes and as one who owns or passes on.
struct Routes {
  std::vector<Leg> received, sent; // in the order in which they start
  std::vector<Wave> outward;       // from owners to those who compute
  std::vector<Wave> homeward;      // partial results: the same ways back, in the opposite order
  int32_t stages = 0;
};

/// The routes of what `rank` receives and sends.
Routes makeRoutes(const plan::Placement &placement, int32_t rank, const std::vector<plan::Transfer> &received,
                  const std::vector<plan::Transfer> &sent);

} // namespace xfrt

#endif // XFRT_LIB_RANKS_ROUTES_H
