//===- Load.cpp - Values of state dicts to parameters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "ParameterData.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

static std::string describe(const Array &array) {
  return to_string(Shape(array.shape().begin(), array.shape().end())) + " " + name(array.dtype());
}

namespace {
/// Matches the values of a state dict with the tensors of a model.
class Matcher {
public:
  Matcher(const StateDict &required, const StateDict &optional, const TiedNames &tied, LoadOptions options)
      : required(required), optional(optional), tied(tied), options(options) {}

  void add(const std::string &name, const Array &value, Here here) {
    auto first = tied.find(name);
    const std::string &own = first == tied.end() ? name : first->second;
    const Array *expected = find(own);
    if (!expected) {
      matched.report.unexpected.push_back(name);
      differences.push_back("'" + name + "' is not a parameter");
      return;
    }
    bool converts = options.cast && is_float(value.dtype()) && is_float(expected->dtype());
    if (value.shape() != expected->shape() || (value.dtype() != expected->dtype() && !converts)) {
      matched.report.mismatched.push_back(name);
      differences.push_back("'" + name + "' is " + describe(value) + ", not " + describe(*expected));
      seen.emplace(own, name);
      return;
    }
    auto [other, isNew] = seen.emplace(own, name);
    if (isNew) {
      matched.values[own] = convertTo(expected->dtype(), value);
      raw[own] = value;
      return;
    }
    auto earlier = raw.find(own);
    bool same = earlier != raw.end() && earlier->second.dtype() == value.dtype() &&
                std::equal(value.bytes().begin(), value.bytes().end(), earlier->second.bytes().begin());
    expect(same, here, "expected equal values of '", other->second, "' and '", name,
           "', which are one parameter, got different ones");
  }

  MatchedValues finish(Here here) {
    for (const auto &[name, expected] : required)
      if (!seen.contains(name)) {
        matched.report.missing.push_back(name);
        differences.insert(differences.begin() + (matched.report.missing.size() - 1), "'" + name + "' is missing");
      }
    std::string list;
    for (const std::string &text : differences)
      list += (list.empty() ? "" : "; ") + text;
    expect(!options.strict || differences.empty(), here, "expected the parameters of the model, got ",
           differences.size(), differences.size() == 1 ? " difference: " : " differences: ", list);
    return std::move(matched);
  }

private:
  const Array *find(const std::string &name) const {
    for (const StateDict *known : {&required, &optional})
      if (auto found = known->find(name); found != known->end())
        return &found->second;
    return nullptr;
  }

  static ParameterValues convertTo(Dtype dtype, const Array &value) {
    if (value.dtype() == dtype)
      return {value};
    if (size_of(dtype) != 2)
      return {convert(value, dtype)};
    Array wide = convert(value, f32);
    return {convert(wide, dtype), size_of(value.dtype()) != 2 ? wide : Array()};
  }

  const StateDict &required, &optional;
  const TiedNames &tied;
  LoadOptions options;
  MatchedValues matched;
  std::map<std::string, std::string> seen; ///< for each parameter with a value, the value's name in the state dict
  StateDict raw;                           ///< the values before any conversion
  std::vector<std::string> differences;
};
} // namespace

MatchedValues xf::detail::matchValues(const StateDict &required, const StateDict &optional, const TiedNames &tied,
                                      const StateDict &values, LoadOptions options, Here here) {
  Matcher matcher(required, optional, tied, options);
  for (const auto &[name, value] : values)
    matcher.add(name, value, here);
  return matcher.finish(here);
}

LoadReport nn::Module::load_state_dict(const StateDict &values, LoadOptions options, Here here) const {
  std::vector<NamedParameter> parameters = named_parameters();
  StateDict required;
  for (const auto &[name, parameter] : parameters)
    required[name] = Array(dataOf(parameter).dtype, dataOf(parameter).shape, std::shared_ptr<std::byte>());
  MatchedValues matched = matchValues(required, {}, tiedNames(*this), values, options, here);
  for (const auto &[name, parameter] : parameters)
    if (auto found = matched.values.find(name); found != matched.values.end())
      static_cast<ParameterValues &>(dataOf(parameter)) = found->second;
  return matched.report;
}
