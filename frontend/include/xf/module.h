//===- xf/module.h - Modules: what owns parameters and gives them names -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct Block : nn::Module {
//     nn::LayerNorm norm;
//     nn::MLP mlp;
//     XF_MEMBERS(norm, mlp)
//     ..
//     Tensor operator()(Tensor x) const { return x + mlp(norm(x)); }
//   };
//
// A module is a value: copies share the parameters. The names of the state dict are the paths of the members, as in
// torch.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODULE_H
#define XF_MODULE_H

#include "xf/array.h"
#include "xf/ops.h"

namespace xf {

/// How a parameter starts. Numbers depend on the seed and the parameter's name only.
struct Initializer {
  enum Kind { constant, uniform, normal, features } kind = constant;
  /// constant: the value; uniform: the lower bound; normal: the mean; features: a FeatureRows.
  double a = 0;
  /// uniform: the upper bound; normal: the standard deviation.
  double b = 0;
};
Initializer constant_init(double value);
Initializer uniform_init(double bound);
Initializer normal_init(double deviation);

/// A tensor that the model owns: learned, saved, loaded.
class Parameter : public Tensor {
public:
  /// None: what an absent bias is.
  Parameter() = default;
  Parameter(std::vector<int64_t> shape, Initializer initializer, Dtype dtype = f32, Here here = Here::current());

  /// The values, which all copies share; undefined before state_dict, initialize or load_state_dict.
  const Array &value() const;
};

namespace nn {

class Module;

/// Receives the members of a module, each with its name.
class Visitor {
public:
  virtual ~Visitor() = default;
  virtual void parameter(const std::string &name, const Parameter &parameter) = 0;
  virtual void module(const std::string &name, const Module &module) = 0;

  /// `names` is the text of the list, as the preprocessor gives it.
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

/// What has parameters. Copies share them; XF_MEMBERS gives them their names.
class Module {
public:
  virtual ~Module() = default;
  /// Gives the members to the visitor; XF_MEMBERS writes it.
  virtual void visit_members(Visitor &) const {}

  /// All parameters, depth first in the order of XF_MEMBERS; a shared one once, under its first name.
  std::vector<NamedParameter> named_parameters() const;
  /// The number of elements of all of them.
  int64_t parameter_count() const;

  /// The values by name; those that have none yet are initialised with seed 0. Shares memory with the module.
  StateDict state_dict() const;
  /// Draws new values: the same for the same seed, whatever else the program does.
  void initialize(uint64_t seed) const;
  /// Takes the values over. Every name, shape and element type must fit; one message lists all differences.
  void load_state_dict(const StateDict &values, Here here = Here::current()) const;
};

} // namespace nn
} // namespace xf

/// Names the members of a module for the state dict; parameters, modules, and vectors and optionals of them.
#define XF_MEMBERS(...)                                                                                                \
  void visit_members(::xf::nn::Visitor &visitor) const override { visitor.members(#__VA_ARGS__, __VA_ARGS__); }

#endif // XF_MODULE_H
