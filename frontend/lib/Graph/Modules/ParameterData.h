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
  /// The values before they were rounded to 16 bits, as f32; undefined where these are not known.
  Array unrounded = {};
};

struct ParameterData : ParameterValues {
  std::vector<int64_t> shape;
  Initializer initializer;
  Dtype dtype;
  /// True once an operation uses the parameter; its element type is final then.
  std::atomic<bool> used = false;
  /// Where the dimensions got their axes (Parameter::over).
  Here sharded = {};
};

/// Draws the values of a parameter. They depend only on the initializer, the shape, the seed, the name and the position
/// of each element. Values of 16 bits are drawn in f32 and rounded.
ParameterValues draw(const ParameterData &parameter, const std::string &name, uint64_t seed);

/// Returns the element at index `position` as a number; a boolean is 0 or 1.
double load(const Array &array, int64_t position);
/// Writes the element at index `position`, rounded to nearest even where it is a float. A number for an integer type
/// must be an integer that fits.
void store(const Array &array, int64_t position, double value);
/// Returns the values in another element type, as `store` writes them. Shares the memory of `values`
/// where it has that type.
Array convert(const Array &values, Dtype dtype);

/// Further names of parameters that several modules share, each with the first name.
using TiedNames = std::map<std::string, std::string>;
TiedNames tiedNames(const nn::Module &model);

/// The values of a state dict that are to be loaded, each with its parameter's name and in its type.
struct MatchedValues {
  std::map<std::string, ParameterValues> values;
  LoadReport report;
};
/// Matches the values of a state dict with the tensors of a model: `required` are parameters, `optional` the state of
/// an optimiser. Throws Error, with one message for all differences, where `options` ask for that, and for a parameter
/// that has different values under two names.
MatchedValues matchValues(const StateDict &required, const StateDict &optional, const TiedNames &tied,
                          const StateDict &values, LoadOptions options, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_PARAMETERDATA_H
