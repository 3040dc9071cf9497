//===- States.h - Sums of states over ranks ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_STATES_H
#define XFRT_LIB_RANKS_STATES_H

#include "../plan/states/StatePlan.h"
#include "Channel.h"

namespace xfrt {

/// Adds a state to a sum, number by number; `other` may have any alignment.
using AddStates = void (*)(char *sum, const char *other, int64_t bytes);

/// The sum over ranks of a state that each of them has.
class States {
public:
  /// `bytes` of one rank's states. `what` names the exchange in failures.
  States(Channel &channel, plan::StateScan scan, int64_t bytes, AddStates add, const char *what);
  ~States();
  States(const States &) = delete;
  States &operator=(const States &) = delete;

  /// Allocates three states, which `run` otherwise does: before the ranks agree, so that a rank without memory can say
  /// so. Errors: XFRT_OUT_OF_MEMORY.
  xfrt_status reserve(Message &message);

  /// `state` is the rank's own. Writes the sum that the scan is of to `sum`: 0 where there are no such ranks.
  xfrt_status run(const char *state, char *sum, Message &message);

private:
  xfrt_status exchange(const plan::StateStep &step, Message &message);

  Channel &channel;
  const plan::StateScan scan;
  const int64_t bytes;
  const AddStates add;
  const char *what;
  Packed known, sent, received; // a message each; `known` is the sum of some ranks with this one
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_STATES_H
