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

#include <atomic>

namespace xf::detail {

/// The values of a parameter.
struct ParameterValues {
  Array value;
  /// The values before they were rounded to 16 bits, as f32; undefined where these are not known.
  Array unrounded = {};
};

struct ParameterData : ParameterValues {
  std::vector<int64_t> shape;
  Initializer initializer;
  Dtype dtype;
  /// True once an operation uses the parameter; its element type is final then.
  std::atomic<bool> used = false;
};

inline ParameterData &dataOf(const Tensor &parameter) {
  return *std::get<ParameterReference>(parameter.node()->payload).data;
}

/// Draws the values of a parameter. They depend only on the initializer, the shape, the seed, the name and the position
/// of each element. Values of 16 bits are drawn in f32 and rounded.
ParameterValues draw(const ParameterData &parameter, const std::string &name, uint64_t seed);

/// Returns the element at index `position` of a floating-point array.
double load(const Array &array, int64_t position);
/// Writes the element at index `position` of a floating-point array, rounded to nearest even.
void store(const Array &array, int64_t position, double value);
/// Returns the values in another floating-point element type, rounded to nearest even. Shares the memory of `values`
/// where it has that type.
Array convert(const Array &values, Dtype dtype);

/// Throws Error unless `values` has every tensor of `required`, and each tensor of `values` is one of `required` or
/// `optional` and has the shape and element type that it has there. The message lists all differences.
void expectSameTensors(const StateDict &required, const StateDict &values, const StateDict &optional, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
