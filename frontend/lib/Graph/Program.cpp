//===- Program.cpp - Entries of a program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules/ParameterData.h"
#include "ProgramData.h"
#include "Sizes.h"

#include <algorithm>
#include <cctype>
#include <set>

using namespace xf;
using namespace xf::detail;

/// Throws Error unless the name is a C identifier, as names of programs and entries must be.
static void expectIdentifier(const std::string &name, const char *what, Here here) {
  bool identifier = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (unsigned char letter : name)
    identifier &= letter < 128 && (std::isalnum(letter) || letter == '_');
  expect(identifier, here, "expected ", what, " of letters, digits and _, got '", name, "'");
}

Program::Program(std::string name, Here here) : contents(std::make_shared<ProgramData>()) {
  expectIdentifier(name, "a program name", here);
  contents->name = std::move(name);
}

Program::Program(std::string name, const nn::Module &model, Here here) : Program(std::move(name), here) {
  use(model, here);
}

Program &Program::use(const nn::Module &model, Here here) {
  auto &known = contents->parameters;
  for (const nn::NamedParameter &entry : model.named_parameters()) {
    auto same = [&](const nn::NamedParameter &other) { return other.parameter.node() == entry.parameter.node(); };
    if (std::any_of(known.begin(), known.end(), same))
      continue;
    for (const nn::NamedParameter &other : known)
      expect(other.name != entry.name, here, "expected models whose parameters have distinct names, got '", entry.name,
             "' twice");
    known.push_back(entry);
  }
  for (const auto &[name, first] : tiedNames(model)) // a part of a model has other names than the whole
    if (std::any_of(known.begin(), known.end(), [&](const auto &entry) { return entry.name == first; }))
      contents->tied.emplace(name, first);
  return *this;
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

static Tensor makeInput(const TensorSpec &spec, Here here) {
  expect(!spec.name.empty(), here, "expected a name of an input, got none");
  for (const Dim &size : spec.shape)
    expect(size.is_static() || size.is_named(), here, "expected sizes or named dimensions of input '", spec.name,
           "', got ", spec.shape);
  return makeTensor(Op::argument, here, {}, {spec.dtype, spec.shape}, Argument{spec.name, {}});
}

/// Calls a function on new inputs and records its operations. Returns an entry that has these inputs as arguments but
/// no results yet, and the results of the function. Throws Error for an invalid or repeated name and for a wrong number
/// of inputs.
static std::pair<Entry, Results> record(const ProgramData &program, std::string name,
                                        const std::vector<TensorSpec> &inputs, const Traceable &f, Here here) {
  expectIdentifier(name, "an entry name", here);
  for (const Entry &other : program.entries)
    expect(other.name != name, here, "expected distinct names of entries, got '", name, "' twice");
  expect(!f.arity || *f.arity == inputs.size(), here, "expected ", f.arity.value_or(0),
         " inputs, as the function takes, got ", inputs.size());
  Entry entry{std::move(name), here};
  std::vector<Tensor> tensors;
  for (const TensorSpec &spec : inputs) {
    for (const EntryArgument &other : entry.arguments)
      expect(other.name != spec.name, here, "expected distinct names of inputs, got '", spec.name, "' twice");
    tensors.push_back(makeInput(spec, here));
    entry.arguments.push_back({Role::input, spec.name, tensors.back()});
  }
  return {std::move(entry), f.call(tensors)};
}

namespace {
/// The check that inputs of an entry have the names of all sizes that its nodes use, so that a call knows them.
class KnownSizes {
public:
  explicit KnownSizes(const Entry &entry) : entry(entry) {
    for (const EntryArgument &argument : entry.arguments)
      for (const Dim &size : argument.tensor.shape())
        SizeData::of(size).value.forEachName([&](const std::string &name) { known.insert(name); });
  }

  void check() {
    std::vector<Tensor> results;
    for (const EntryResult &result : entry.results)
      results.push_back(result.tensor);
    check(scopes.find(results, 0, nextSequence(), entry.here));
  }

private:
  void check(const Scope &scope) {
    for (const Node *node : scope.nodes) {
      for (const Type &result : node->results)
        check(result.shape, node->here);
      if (auto *bounds = std::get_if<SliceBounds>(&node->payload))
        check(bounds->offsets, node->here);
      if (regionOf(*node))
        check(scopes.of(*node));
    }
  }

  void check(const Shape &sizes, Here here) {
    std::string all;
    for (const std::string &name : known)
      all += (all.empty() ? "" : ", ") + name;
    for (const Dim &size : sizes)
      SizeData::of(size).value.forEachName([&](const std::string &name) {
        expect(known.count(name) > 0, here, "expected sizes that inputs of entry '", entry.name, "' have (",
               all.empty() ? "none has a name" : all, "), got ", size);
      });
  }

  const Entry &entry;
  std::set<std::string> known;
  Scopes scopes;
};
} // namespace

void Program::addEntry(std::string name, std::vector<TensorSpec> inputs, const Traceable &f, Here here) {
  auto [entry, results] = record(*contents, std::move(name), inputs, f, here);
  expect(!results.list.empty(), here, "expected a result of entry '", entry.name, "', got none");
  for (size_t number = 0; number < results.list.size(); ++number) {
    auto &[resultName, tensor] = results.list[number];
    expectDefined(tensor, "the results of an entry", here);
    if (resultName.empty())
      resultName = results.list.size() == 1 ? entry.name : "result" + std::to_string(number);
    for (const EntryResult &other : entry.results)
      expect(other.name != resultName, here, "expected distinct names of results, got '", resultName, "' twice");
    entry.results.push_back({resultName, tensor, ""});
  }
  KnownSizes(entry).check();
  contents->entries.push_back(std::move(entry));
}

Program &Program::vjp(const std::string &name, Here here) {
  auto &entries = contents->entries;
  auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) { return entry.name == name; });
  expect(!entries.empty(), here, "expected the name of an entry, got '", name, "' before any entry was added");
  std::string known;
  for (const Entry &entry : entries)
    known += (known.empty() ? "" : ", ") + entry.name;
  expect(found != entries.end(), here, "expected the name of an entry (", known, "), got '", name, "'");
  found->vjp = true;
  return *this;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

namespace {
/// Adds the optimiser's update to the entry of a training step: the inputs and states it reads, and the new parameters
/// and states that it computes from the gradients.
class Updates {
public:
  Updates(Entry &entry, Here here) : entry(entry), here(here) {}

  Tensor input(const std::string &name, Dtype dtype) { return argument(Role::input, name, {dtype, {}}); }
  Tensor state(const std::string &name, Type type) { return argument(Role::state, name, std::move(type)); }
  void update(const std::string &name, const Tensor &value) { entry.results.push_back({name, value, name}); }

  /// Returns the factor by which gradients are scaled so that their global norm is at most `maxNorm`; 1 where `maxNorm`
  /// is 0. Throws Error for a negative `maxNorm`.
  Tensor clip(const std::vector<NamedTensor> &gradients, double maxNorm) {
    expect(maxNorm >= 0, here, "expected clip_norm >= 0, got ", maxNorm);
    if (maxNorm == 0 || gradients.empty())
      return full({}, 1, f32, here);
    return makeTensor(Op::clipScale, here, {gradients.begin(), gradients.end()}, {f32, {}}, maxNorm);
  }

  const Here &line() const { return here; }

private:
  Tensor argument(Role role, const std::string &name, Type type) {
    for (const EntryArgument &other : entry.arguments)
      expect(other.name != name, here, "expected inputs with names other than '", name, "'");
    Tensor tensor = makeTensor(Op::argument, here, {}, std::move(type), Argument{name, {}});
    entry.arguments.push_back({role, name, tensor});
    return tensor;
  }

  Entry &entry;
  Here here;
};

/// The update of one parameter: the operands of its operation, in their order, and the names of the operation's
/// results. State has the type of the parameter. Of a 16-bit parameter it is f32 and has the master besides, the last
/// operand and result.
class Update {
public:
  Update(Updates &updates, const nn::NamedParameter &entry, const Tensor &gradient)
      : updates(updates), name(entry.name), names{entry.name},
        types{{entry.parameter.dtype(), entry.parameter.shape()}}, operands{entry.parameter, gradient},
        hasMaster(size_of(entry.parameter.dtype()) == 2) {}

  void addState(const std::string &stateName) {
    names.push_back(stateName);
    types.push_back({hasMaster ? f32 : types[0].dtype, types[0].shape});
    operands.push_back(updates.state(stateName, types.back()));
  }

  /// Adds the operation to the entry.
  void add(Op op, const std::vector<Tensor> &scalars, Payload options) {
    operands.insert(operands.end(), scalars.begin(), scalars.end());
    if (hasMaster)
      addState(masterOf(name));
    auto node = makeNode(op, updates.line(), std::move(operands), std::move(types), std::move(options));
    for (unsigned number = 0; number < names.size(); ++number)
      updates.update(names[number], Tensor(node, number));
  }

private:
  Updates &updates;
  std::string name;
  std::vector<std::string> names;
  std::vector<Type> types;
  std::vector<Tensor> operands;
  bool hasMaster;
};
} // namespace

static void addUpdates(Updates &updates, const std::vector<nn::NamedParameter> &parameters,
                       const std::vector<NamedTensor> &gradients, const optim::AdamW &optimizer) {
  Here here = updates.line();
  Tensor rate = updates.input("learning_rate", f32), step = updates.state("step", {i64, {}});
  Tensor next = Operand(step, here) + Operand(1, here), clip = updates.clip(gradients, optimizer.clip_norm);
  updates.update("step", next);
  for (size_t n = 0; n < parameters.size(); ++n) {
    Update update(updates, parameters[n], gradients[n]);
    update.addState(parameters[n].name + ".first");
    update.addState(parameters[n].name + ".second");
    bool decays = optimizer.decay_vectors || parameters[n].parameter.rank() >= 2;
    update.add(Op::adamw, {rate, next, clip},
               AdamWOptions{optimizer.beta1, optimizer.beta2, optimizer.eps, decays ? optimizer.weight_decay : 0});
  }
}

static void addUpdates(Updates &updates, const std::vector<nn::NamedParameter> &parameters,
                       const std::vector<NamedTensor> &gradients, const optim::SGD &optimizer) {
  Tensor rate = updates.input("learning_rate", f32), clip = updates.clip(gradients, optimizer.clip_norm);
  for (size_t n = 0; n < parameters.size(); ++n) {
    Update update(updates, parameters[n], gradients[n]);
    update.addState(parameters[n].name + ".velocity");
    update.add(Op::sgd, {rate, clip}, SgdOptions{optimizer.momentum, optimizer.weight_decay});
  }
}

/// Returns the parameters of a model, all of which the program uses, under their names in the program: those of a part
/// of a model have the names that they have in the whole.
static std::vector<nn::NamedParameter> namedInProgram(const ProgramData &program, const nn::Module &model) {
  std::vector<nn::NamedParameter> parameters = model.named_parameters();
  for (nn::NamedParameter &entry : parameters)
    for (const nn::NamedParameter &known : program.parameters)
      if (known.parameter.node() == entry.parameter.node())
        entry.name = known.name;
  return parameters;
}

template <typename Optimizer>
static Entry recordTrainStep(const ProgramData &program, std::string name, const nn::Module &model,
                             const std::vector<TensorSpec> &inputs, const Traceable &loss, const Optimizer &optimizer,
                             Here here) {
  std::vector<nn::NamedParameter> parameters = namedInProgram(program, model);
  expect(!parameters.empty(), here, "expected a model with parameters, got none; does it have XF_MEMBERS?");
  Entry entry;
  ValueAndGradients result;
  Traceable differentiated{loss.arity, [&](const std::vector<Tensor> &tensors) {
                             result = differentiate(
                                 [&] {
                                   Results value = loss.call(tensors);
                                   expect(value.list.size() == 1, here, "expected one loss, got ", value.list.size());
                                   return value.list[0].tensor;
                                 },
                                 parameters, here);
                             return Results(result.value);
                           }};
  std::tie(entry, std::ignore) = record(program, std::move(name), inputs, differentiated, here);
  entry.results.push_back({"loss", result.value, ""});
  Updates updates(entry, here);
  addUpdates(updates, parameters, result.gradients, optimizer);
  KnownSizes(entry).check();
  return entry;
}

void Program::addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                           const Traceable &loss, const optim::AdamW &optimizer, Here here) {
  contents->entries.push_back(recordTrainStep(*contents, std::move(name), model, inputs, loss, optimizer, here));
}
void Program::addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                           const Traceable &loss, const optim::SGD &optimizer, Here here) {
  contents->entries.push_back(recordTrainStep(*contents, std::move(name), model, inputs, loss, optimizer, here));
}

//===----------------------------------------------------------------------===//
// Resolving
//===----------------------------------------------------------------------===//

/// Returns the index of a captured parameter among the program's parameters. Throws Error for a parameter of a model
/// that the program does not use.
static size_t placeOf(const ProgramData &program, const Capture &capture) {
  auto same = [&](const nn::NamedParameter &entry) { return entry.parameter.node() == capture.value.node(); };
  auto found = std::find_if(program.parameters.begin(), program.parameters.end(), same);
  expect(found != program.parameters.end(), capture.value.node()->here,
         "expected a parameter of a model that the program uses, got one without a name; ",
         program.parameters.empty() ? "give the model to Program(name, model)"
                                    : "does XF_MEMBERS of its module name it?");
  return found - program.parameters.begin();
}

ResolvedEntry xf::detail::resolve(const ProgramData &program, const Entry &entry, Scopes &scopes) {
  std::vector<Tensor> results;
  for (const EntryResult &result : entry.results)
    results.push_back(result.tensor);
  ResolvedEntry resolved{&entry, {}, scopes.find(results, 0, nextSequence(), entry.here)};
  std::vector<size_t> places;
  for (const Capture &capture : resolved.scope.captures) {
    if (capture.value.node()->op == Op::parameter) {
      places.push_back(placeOf(program, capture));
      continue;
    }
    bool own = std::any_of(entry.arguments.begin(), entry.arguments.end(), [&](const EntryArgument &argument) {
      return argument.tensor.node() == capture.value.node();
    });
    expect(own, capture.user, "expected values of entry '", entry.name, "', got an input of another entry or function");
  }
  std::sort(places.begin(), places.end());
  auto copy = [&](Role role) {
    std::copy_if(entry.arguments.begin(), entry.arguments.end(), std::back_inserter(resolved.arguments),
                 [=](const EntryArgument &argument) { return argument.role == role; });
  };
  copy(Role::input);
  for (size_t place : places)
    resolved.arguments.push_back(
        {Role::parameter, program.parameters[place].name, program.parameters[place].parameter});
  copy(Role::state);
  return resolved;
}
