//===- xf/module.h - Modules: owners of named parameters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules: layers and models with parameters.
//
//   struct Block : nn::Module {
//     nn::LayerNorm norm;
//     nn::MLP mlp;
//     XF_MEMBERS(norm, mlp)
//     ..
//     Tensor operator()(Tensor x) const { return x + mlp(norm(x)); }
//   };
//
// A module is a value: copies share the parameters. The names in the state dict are the paths of the members, as in
// torch.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODULE_H
#define XF_MODULE_H

#include "xf/array.h"
#include "xf/ops.h"

namespace xf {

/// Initial distribution of a parameter. The values depend on the seed and the parameter's name only.
struct Initializer {
  enum Kind { constant, uniform, normal, features } kind = constant;
  /// First parameter of the distribution. constant: the value; uniform: the lower bound; normal: the mean; features: a
  /// FeatureRows, as a number.
  double a = 0;
  /// Second parameter of the distribution. uniform: the upper bound; normal: the standard deviation.
  double b = 0;
  /// Index of a row of a matrix that is initialised to zeros instead; -1: none.
  int64_t zero_row = -1;
};
Initializer constant_init(double value);
Initializer uniform_init(double bound);
Initializer normal_init(double deviation);

/// A trainable tensor that the model owns, saves and loads.
class Parameter : public Tensor {
public:
  /// Makes an undefined parameter, which stands for an absent one, such as the bias of a layer without bias.
  Parameter() = default;
  Parameter(std::vector<int64_t> shape, Initializer initializer, Dtype dtype = f32, Here here = Here::current());

  /// Returns the values, which all copies of the parameter share. The array is undefined before state_dict, initialize
  /// or load_state_dict of a module has set it.
  const Array &value() const;

  /// Shards the parameter over axes of the program's mesh. axes[d] has the axes that cut dimension d, outermost first:
  /// weight.over({{}, {"tensor"}}) gives each rank of "tensor" a part of each row. Ranks that differ only in other axes
  /// have the same part. If over() is not called, every rank has the whole parameter. The number of ranks must divide
  /// the dimension. Throws Error for another number of dimensions, for an axis that is given twice, and where an
  /// operation already uses the parameter.
  void over(const std::vector<std::vector<std::string>> &axes, Here here = Here::current()) const;
};

/// How load_state_dict compares the given values with the parameters.
struct LoadOptions {
  /// If true, load_state_dict throws Error for a missing parameter, an unknown name, or another shape or element type.
  /// If false, it loads what fits, leaves other parameters as they are, and reports the differences.
  bool strict = true;
  /// Whether to convert floats to the element type of the parameter, rounded to nearest even. Training starts from the
  /// unrounded values (see xf/optim.h).
  bool cast = false;
};

/// The differences that load_state_dict found with LoadOptions::strict = false, by name.
struct LoadReport {
  /// Parameters for which no value was given. They are unchanged.
  std::vector<std::string> missing;
  /// Values that belong to no parameter.
  std::vector<std::string> unexpected;
  /// Values whose shape or element type differs from their parameter's. The parameter is unchanged.
  std::vector<std::string> mismatched;

  /// Returns true if every parameter was loaded and every value used.
  bool complete() const { return missing.empty() && unexpected.empty() && mismatched.empty(); }
};

namespace nn {

class Module;

/// Visits the members of a module: calls `parameter` and `module` with the name and value of each.
class Visitor {
public:
  virtual ~Visitor() = default;
  virtual void parameter(const std::string &name, const Parameter &parameter) = 0;
  virtual void module(const std::string &name, const Module &module) = 0;

  /// Visits each of `members`. `names` is the source text of the arguments of XF_MEMBERS, such as "norm1, norm2".
  template <typename... Members>
  void members(const char *names, const Members &...members) {
    std::vector<std::string> list = split(names);
    size_t number = 0;
    (member(list[number++], members), ...);
  }
  void member(const std::string &name, const Parameter &value) {
    if (value.defined())
      parameter(name, value);
  }
  void member(const std::string &name, const Module &value) { module(name, value); }
  template <typename T>
  void member(const std::string &name, const std::vector<T> &list) {
    for (size_t number = 0; number < list.size(); ++number)
      member(name + "." + std::to_string(number), list[number]);
  }
  template <typename T>
  void member(const std::string &name, const std::optional<T> &value) {
    if (value)
      member(name, *value);
  }

private:
  static std::vector<std::string> split(const char *names);
};

/// A parameter under its name in the state dict, such as "blocks.0.norm1.weight".
struct NamedParameter {
  std::string name;
  Parameter parameter;
};

/// Base class of modules. A module names its members by XF_MEMBERS. Copies share the parameters.
class Module {
public:
  virtual ~Module() = default;
  /// Passes the members to the visitor; XF_MEMBERS defines this function.
  virtual void visit_members(Visitor &) const {}

  /// Returns all parameters, depth first in the order of XF_MEMBERS. A parameter that several modules share is listed
  /// once, under its first name.
  std::vector<NamedParameter> named_parameters() const;
  /// Returns the total number of elements of all parameters.
  int64_t parameter_count() const;

  /// Returns the values of the parameters by name, in memory shared with the module. Parameters that have no values yet
  /// are first initialised, with seed 0.
  StateDict state_dict() const;
  /// Draws new values for all parameters. The values depend only on `seed`, and on the names and initializers of the
  /// parameters.
  void initialize(uint64_t seed) const;
  /// Converts all parameters to a floating-point element type. Present values, and those drawn later, are rounded to
  /// nearest even. If the type has 16 bits, they are first rounded to f32. Training starts from the unrounded values
  /// (see xf/optim.h). Throws Error for other element types, and where an operation already uses a parameter.
  void to(Dtype dtype, Here here = Here::current()) const;
  /// Replaces the values of the parameters. The module then shares the arrays of `values`, except those that it
  /// converts. A parameter that several modules share may be given under one or several of its names; throws Error if
  /// their values differ. Throws Error for the differences that `options` do not allow, with one message that lists all
  /// of them.
  LoadReport load_state_dict(const StateDict &values, LoadOptions options = {}, Here here = Here::current()) const;
};

} // namespace nn
} // namespace xf

/// Names the members of a module for the state dict. Members are parameters and modules, and vectors and optionals of
/// parameters or modules.
#define XF_MEMBERS(...)                                                                                                \
  void visit_members(::xf::nn::Visitor &visitor) const override { visitor.members(#__VA_ARGS__, __VA_ARGS__); }

#endif // XF_MODULE_H
