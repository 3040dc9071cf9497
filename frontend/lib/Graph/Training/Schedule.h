//===- Schedule.h - A schedule as operations of a program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_TRAINING_SCHEDULE_H
#define XF_FRONTEND_GRAPH_TRAINING_SCHEDULE_H

#include "../Node.h"
#include "xf/optim/schedule.h"

namespace xf::detail {

/// Makes operands with the user's line, for operations that the library records.
struct At {
  Here here;
  Operand operator()(const Tensor &tensor) const { return Operand(tensor, here); }
  Operand operator()(double number) const { return Operand(number, here); }
};

/// Builds the factor of the learning rate in step `step`, an i64 scalar counted from 0. Returns an f32 scalar.
Tensor factorOf(const Schedule &schedule, const Tensor &step, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_TRAINING_SCHEDULE_H
