//===- ParameterData.h - Shared data of a parameter's copies -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
#define XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H

#include "../Node.h"
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

/// Draws the values of a parameter. They depend only on the initializer, the shape, the seed, the name and the position
/// of each element.
Array draw(const ParameterData &parameter, const std::string &name, uint64_t seed);

/// Writes the element at index `position` of a floating-point array, rounded to nearest even.
void store(const Array &array, int64_t position, double value);

/// Throws Error unless `values` has every tensor of `required`, and each tensor of `values` is one of `required` or
/// `optional` and has the shape and element type that it has there. The message lists all differences.
void expectSameTensors(const StateDict &required, const StateDict &values, const StateDict &optional, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
