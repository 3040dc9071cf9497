//===- Module.cpp - Names and values of parameters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "ParameterData.h"

#include <algorithm>
#include <unordered_map>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

Parameter::Parameter(std::vector<int64_t> shape, Initializer initializer, Dtype dtype, Here here) {
  expect(is_float(dtype), here, "expected a floating-point element type of a parameter, got ", dtype);
  Shape sizes;
  for (int64_t size : shape) {
    expect(size >= 0, here, "expected sizes >= 0 of a parameter, got ", size);
    sizes.push_back(Dim(size));
  }
  auto data = std::make_shared<ParameterData>();
  data->shape = std::move(shape);
  data->initializer = initializer;
  data->dtype = dtype;
  static_cast<Tensor &>(*this) =
      makeTensor(Op::parameter, here, {}, {dtype, std::move(sizes)}, ParameterReference{data});
}

const Array &Parameter::value() const { return dataOf(*this).value; }

void Parameter::over(const std::vector<std::vector<std::string>> &axes, Here here) const {
  expectDefined(*this, "over(..)", here);
  ParameterData &data = dataOf(*this);
  expect(axes.size() == data.shape.size(), here, "expected axes of the ", data.shape.size(),
         " dimensions of the parameter, got ", axes.size());
  expect(!data.used, here, "expected over(..) before any operation uses the parameter, got it afterwards");
  std::vector<std::string> seen;
  Shape sizes;
  for (size_t d = 0; d < axes.size(); ++d) {
    sizes.emplace_back(data.shape[d]);
    for (const std::string &axis : axes[d]) {
      expect(std::find(seen.begin(), seen.end(), axis) == seen.end(), here,
             "expected each axis once in a parameter, got '", axis, "' twice");
      seen.push_back(axis);
      sizes.back() = sizes.back().over(axis, here);
    }
  }
  node()->results[0].shape = std::move(sizes);
  data.sharded = here;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::vector<std::string> Visitor::split(const char *names) {
  std::vector<std::string> list(1);
  for (const char *letter = names; *letter; ++letter) {
    if (*letter == ',')
      list.emplace_back();
    else if (*letter != ' ')
      list.back() += *letter;
  }
  return list;
}

namespace {
/// Collects the parameters of a module and its submodules. The name of a parameter is the path of the modules that hold
/// it, followed by its own name.
class Collector : public Visitor {
public:
  void parameter(const std::string &name, const Parameter &parameter) override {
    auto [first, isNew] = firstNames.emplace(parameter.node().get(), path + name);
    if (isNew)
      found.push_back({path + name, parameter});
    else
      tied.emplace(path + name, first->second);
  }
  void module(const std::string &name, const Module &module) override {
    std::string outer = path;
    path += name + ".";
    module.visit_members(*this);
    path = outer;
  }
  std::vector<NamedParameter> found;
  TiedNames tied;

private:
  std::string path;
  std::unordered_map<const Node *, std::string> firstNames;
};
} // namespace

std::vector<NamedParameter> Module::named_parameters() const {
  Collector collector;
  visit_members(collector);
  return collector.found;
}

TiedNames xf::detail::tiedNames(const Module &model) {
  Collector collector;
  model.visit_members(collector);
  return collector.tied;
}

int64_t Module::parameter_count() const {
  int64_t count = 0;
  for (const NamedParameter &entry : named_parameters()) {
    int64_t elements = 1;
    for (const Dim &size : entry.parameter.shape())
      elements *= size.value();
    count += elements;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void setValues(ParameterData &data, ParameterValues values) {
  static_cast<ParameterValues &>(data) = std::move(values);
}

void Module::initialize(uint64_t seed) const {
  for (const auto &[name, parameter] : named_parameters())
    setValues(dataOf(parameter), draw(dataOf(parameter), name, seed));
}

/// Converts the values of a parameter, if it has any, to another element type.
static void convertValues(ParameterData &data, Dtype dtype) {
  Array value = data.value;
  if (!value.defined())
    return;
  if (size_of(dtype) != 2) {
    setValues(data, {convert(value, dtype)});
    return;
  }
  Array wide = convert(value, f32);
  setValues(data, {convert(wide, dtype), size_of(value.dtype()) != 2 ? wide : Array()});
}

void Module::to(Dtype dtype, Here here) const {
  expect(is_float(dtype), here, "expected a floating-point element type of parameters, got ", dtype);
  std::vector<NamedParameter> parameters = named_parameters();
  for (const auto &[name, parameter] : parameters)
    expect(parameter.dtype() == dtype || !dataOf(parameter).used, here, "expected to(", dtype,
           ") before any operation uses '", name, "', got it afterwards");
  for (const auto &[name, parameter] : parameters) {
    ParameterData &data = dataOf(parameter);
    if (data.dtype == dtype)
      continue;
    convertValues(data, dtype);
    data.dtype = parameter.node()->results[0].dtype = dtype;
  }
}

StateDict Module::state_dict() const {
  StateDict values;
  for (const auto &[name, parameter] : named_parameters()) {
    ParameterData &data = dataOf(parameter);
    if (!data.value.defined())
      setValues(data, draw(data, name, 0));
    values[name] = data.value;
  }
  return values;
}
