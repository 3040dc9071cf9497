//===- ParameterData.h - Shared data of a parameter's copies -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
#define XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H

#include "xf/module.h"

#include <atomic>

namespace xf::detail {

/// The values of a parameter.
struct ParameterValues {
  Array value;
  /// The values before they were rounded to 16 bits, as f32; undefined if unknown.
  Array unrounded = {};
};

struct ParameterData : ParameterValues {
  std::vector<int64_t> shape;
  Initializer initializer;
  Dtype dtype;
  /// True once an operation uses the parameter; its element type is final then.
  std::atomic<bool> used = false;
  /// Location of the last call of Parameter::over.
  Here sharded = {};
};

/// Draws the values of a parameter. They depend only on the initializer, the shape, the seed, the name and the position
/// of each element. Values of 16 bits are drawn in f32 and rounded.
ParameterValues draw(const ParameterData &parameter, const std::string &name, uint64_t seed);

/// Returns the element at index `position` as a number; a boolean is 0 or 1.
double load(const Array &array, int64_t position);
/// Stores `value` as the element at index `position`. Rounds to nearest even for a floating-point type. For an integer
/// type, `value` must be an integer that fits.
void store(const Array &array, int64_t position, double value);
/// Converts `values` to element type `dtype`, rounded as by `store`. Shares the memory of `values` if they have that
/// type already.
Array convert(const Array &values, Dtype dtype);

/// Maps every name of a shared parameter, except the first name, to the first.
using TiedNames = std::map<std::string, std::string>;
TiedNames tiedNames(const nn::Module &model);

/// The values of a state dict that are to be loaded, by the names of their parameters and converted to their types.
struct MatchedValues {
  std::map<std::string, ParameterValues> values;
  LoadReport report;
};
/// Matches the values of a state dict with the tensors of a model. `required` are the parameters, `optional` are
/// optimiser state and states of the program. Throws Error for the differences that `options` do not allow, with one
/// message for all of them. Also throws Error for a parameter that has different values under two names.
MatchedValues matchValues(const StateDict &required, const StateDict &optional, const TiedNames &tied,
                          const StateDict &values, LoadOptions options, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
