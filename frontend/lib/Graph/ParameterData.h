//===- ParameterData.h - What the copies of a parameter share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PARAMETERDATA_H
#define XF_FRONTEND_GRAPH_PARAMETERDATA_H

#include "Node.h"
#include "xf/module.h"

namespace xf::detail {

struct ParameterData {
  std::vector<int64_t> shape;
  Initializer initializer;
  Dtype dtype;
  Array value;
};

inline ParameterData &dataOf(const Tensor &parameter) {
  return *std::get<ParameterReference>(parameter.node()->payload).data;
}

/// Draws the values of a parameter: a function of the seed, the name and the position only.
Array draw(const ParameterData &parameter, const std::string &name, uint64_t seed);

/// Writes an element of a floating-point array, rounded to nearest even.
void store(const Array &array, int64_t position, double value);

/// Throws one message that lists every required tensor that `values` lacks, and every tensor of `values` that is
/// neither required nor optional or has another shape or element type.
void expectSameTensors(const StateDict &required, const StateDict &values, const StateDict &optional, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PARAMETERDATA_H
