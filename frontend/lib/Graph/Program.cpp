//===- Program.cpp - Entries of a program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention/Maps.h"
#include "Modules/ParameterData.h"
#include "ProgramData.h"
#include "Sizes.h"
#include "Training/Step.h"

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

Program::Program(std::string name, const Mesh &mesh, Here here) : Program(std::move(name), here) {
  contents->mesh = mesh.axes();
}

Program::Program(std::string name, const nn::Module &model, const Mesh &mesh, Here here)
    : Program(std::move(name), mesh, here) {
  use(model, here);
}

Mesh::Mesh(std::vector<Axis> axes, Here here) : list(std::move(axes)) {
  constexpr int64_t most = 65536;
  expect(!list.empty(), here, "expected the axes of a mesh, got none");
  int64_t ranks = 1, open = 0;
  for (size_t number = 0; number < list.size(); ++number) {
    const Axis &axis = list[number];
    expectIdentifier(axis.name, "a name of an axis", here);
    for (size_t other = 0; other < number; ++other)
      expect(list[other].name != axis.name, here, "expected axes of a mesh with distinct names, got '", axis.name,
             "' twice");
    expect(axis.ranks >= 0 && axis.ranks <= most, here, "expected from 0 to ", most, " ranks for the axis '", axis.name,
           "', got ", axis.ranks);
    open += axis.ranks == 0;
    ranks *= std::max<int64_t>(1, axis.ranks);
    expect(ranks <= most, here, "expected a mesh of at most ", most, " ranks, got ", ranks, " or more");
  }
  expect(open <= 1, here, "expected one axis at most with 0, as many ranks as there are, got ", open);
}

int64_t xf::detail::ranksOf(const ProgramData &program, const Dim &size) {
  int64_t ranks = 1;
  for (const Mesh::Axis &axis : program.mesh)
    if (std::find(size.axes().begin(), size.axes().end(), axis.name) != size.axes().end())
      ranks *= std::max<int64_t>(axis.ranks, 1);
  return ranks;
}

Program &Program::use(const nn::Module &model, Here here) {
  auto &known = contents->parameters;
  for (const nn::NamedParameter &entry : model.named_parameters()) {
    auto same = [&](const nn::NamedParameter &other) { return other.parameter.node() == entry.parameter.node(); };
    if (std::any_of(known.begin(), known.end(), same))
      continue;
    for (const auto &state : contents->states)
      expect(state->name != entry.name, here, "expected names of parameters other than those of states, got '",
             entry.name, "'");
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

static std::string textOf(const std::vector<std::string> &axes) {
  std::string text;
  for (const std::string &axis : axes)
    text += (text.empty() ? "" : ", ") + axis;
  return text.empty() ? "no axis" : text;
}

/// Throws Error unless each axis of the dimensions of `shape` belongs to the program's mesh and occurs once.
static void expectAxes(const ProgramData &program, const Shape &shape, const std::string &what, Here here) {
  std::vector<std::string> known, seen;
  for (const Mesh::Axis &axis : program.mesh)
    known.push_back(axis.name);
  for (const Dim &size : shape)
    for (const std::string &axis : size.axes()) {
      expect(!known.empty(), here, "expected a program with a mesh for dimension ", size, " of ", what,
             ", which is sharded over ", axis, ", got none");
      expect(std::find(known.begin(), known.end(), axis) != known.end(), here,
             "expected an axis of the program's mesh (", textOf(known), ") for dimension ", size, " of ", what,
             ", got '", axis, "'");
      expect(std::find(seen.begin(), seen.end(), axis) == seen.end(), here, "expected each axis once in ", what,
             ", got '", axis, "' twice");
      seen.push_back(axis);
    }
}

/// Throws Error unless the axes of a parameter belong to the program's mesh, and the numbers of ranks along them divide
/// the parameter's sizes.
static void expectShares(const ProgramData &program, const nn::NamedParameter &entry) {
  Here here = dataOf(entry.parameter).sharded;
  expectAxes(program, entry.parameter.shape(), "parameter '" + entry.name + "'", here);
  for (const Dim &size : entry.parameter.shape())
    expect(size.value() % ranksOf(program, size) == 0, here, "expected a dimension of parameter '", entry.name,
           "' that the ", ranksOf(program, size), " ranks of ", textOf(size.axes()), " divide, got ", size);
}

/// Throws Error unless dimensions of one name are sharded alike in all inputs.
static void expectOneSharding(const std::vector<TensorSpec> &inputs, Here here) {
  std::map<std::string, Dim> known;
  for (const TensorSpec &spec : inputs)
    for (const Dim &size : spec.shape)
      if (size.is_named()) {
        const Dim &first = known.emplace(size.name(), size).first->second;
        expect(first.axes() == size.axes(), here, "expected dimension '", size.name(), "' to be sharded over ",
               textOf(first.axes()), " in input '", spec.name, "', as in others, got ", textOf(size.axes()));
      }
}

static Tensor makeInput(const TensorSpec &spec, Here here) {
  expect(!spec.name.empty(), here, "expected a name of an input, got none");
  for (const Dim &size : spec.shape)
    expect(size.is_static() || size.is_named(), here, "expected sizes or named dimensions of input '", spec.name,
           "', got ", spec.shape);
  return makeTensor(Op::argument, here, {}, {spec.dtype, spec.shape}, Argument{spec.name, {}});
}

std::pair<Entry, Results> xf::detail::recordEntry(const ProgramData &program, std::string name,
                                                  const std::vector<TensorSpec> &inputs, const Traceable &f,
                                                  Here here) {
  expectIdentifier(name, "an entry name", here);
  for (const Entry &other : program.entries)
    expect(other.name != name, here, "expected distinct names of entries, got '", name, "' twice");
  expect(!f.arity || *f.arity == inputs.size(), here, "expected ", f.arity.value_or(0),
         " inputs, as the function takes, got ", inputs.size());
  Entry entry{std::move(name), here};
  std::vector<Tensor> tensors;
  expectOneSharding(inputs, here);
  for (const TensorSpec &spec : inputs) {
    expectAxes(program, spec.shape, "input '" + spec.name + "'", here);
    for (const EntryArgument &other : entry.arguments)
      expect(other.name != spec.name, here, "expected distinct names of inputs, got '", spec.name, "' twice");
    tensors.push_back(makeInput(spec, here));
    entry.arguments.push_back({Role::input, spec.name, tensors.back()});
  }
  return {std::move(entry), f.call(tensors)};
}

namespace {
/// Verifies that a call knows all sizes: every named size that a node of the entry uses must be the size of an input.
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
  StateRecording states(*contents);
  auto [entry, results] = recordEntry(*contents, std::move(name), inputs, f, here);
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
  states.addUpdates(entry, here);
  KnownSizes(entry).check();
  contents->entries.push_back(std::move(entry));
}

/// Returns the entry with this name. Throws Error if there is none.
static Entry &findEntry(std::vector<Entry> &entries, const std::string &name, Here here) {
  auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) { return entry.name == name; });
  expect(!entries.empty(), here, "expected the name of an entry, got '", name, "' before any entry was added");
  std::string known;
  for (const Entry &entry : entries)
    known += (known.empty() ? "" : ", ") + entry.name;
  expect(found != entries.end(), here, "expected the name of an entry (", known, "), got '", name, "'");
  return *found;
}

Program &Program::vjp(const std::string &name, Here here) {
  Entry &found = findEntry(contents->entries, name, here);
  for (const EntryResult &result : found.results)
    expect(result.updates.empty(), here, "expected an entry without updates to differentiate, got '", name,
           "', which updates '", result.updates, "'");
  found.vjp = true;
  return *this;
}

Program &Program::attention_maps(const std::string &name, const MapOptions &chosen,
                                 const std::vector<int64_t> &attentions, Here here) {
  const Entry &of = findEntry(contents->entries, name, here);
  Entry maps{name + "_maps", here};
  for (const Entry &other : contents->entries)
    expect(other.name != maps.name, here, "expected distinct names of entries, got '", maps.name, "' twice");
  std::copy_if(of.arguments.begin(), of.arguments.end(), std::back_inserter(maps.arguments),
               [](const EntryArgument &argument) { return argument.role == Role::input; });
  std::vector<Tensor> results;
  for (const EntryResult &result : of.results)
    results.push_back(result.tensor);
  MappedNodes found = findMapped(results, here);
  auto count = static_cast<int64_t>(found.attentions.size());
  for (int64_t number : attentions)
    expect(number >= 0 && number < count, here, "expected attentions of '", name, "', which has ", count, ", got ",
           number);
  for (int64_t number = 0; number < count; ++number)
    if (attentions.empty() || std::find(attentions.begin(), attentions.end(), number) != attentions.end())
      maps.results.push_back(
          {"attention" + std::to_string(number), weightsOf(*found.attentions[number], chosen, here), ""});
  for (size_t number = 0; number < found.pools.size(); ++number) {
    const Node &pool = *found.pools[number];
    Tensor shares = pool_shares(pool.operands[0], std::get<LayerPool>(pool.payload).layers, here);
    maps.results.push_back({"pool" + std::to_string(number), shares, ""});
  }
  expect(!maps.results.empty(), here, "expected attentions to map in entry '", name, "', got none");
  contents->entries.push_back(std::move(maps));
  return *this;
}

void Program::addTrainStep(std::string name, const nn::Module &model, std::vector<TensorSpec> inputs,
                           const Traceable &loss, const optim::Optimizer &optimizer, const Schedule *schedule,
                           Here here) {
  TrainStep train{std::move(name), model, std::move(inputs), loss, optimizer, schedule};
  Entry entry = recordTrainStep(*contents, train, here);
  KnownSizes(entry).check();
  contents->entries.push_back(std::move(entry));
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
         program.parameters.empty() ? "give the model to Program(name, model), and name its members by XF_MEMBERS"
                                    : "does XF_MEMBERS of its module name it?");
  return found - program.parameters.begin();
}

ResolvedEntry xf::detail::resolve(const ProgramData &program, const Entry &entry, Scopes &scopes) {
  std::vector<Tensor> results;
  for (const EntryResult &result : entry.results)
    results.push_back(result.tensor);
  ResolvedEntry resolved{&entry, {}, scopes.find(results, 0, nextSequence(), entry.here)};
  std::vector<size_t> places;
  std::vector<EntryArgument> states; // that the entry only reads
  for (const Capture &capture : resolved.scope.captures) {
    if (capture.value.node()->op == Op::parameter) {
      places.push_back(placeOf(program, capture));
      continue;
    }
    bool known = isState(program, capture.value);
    bool own = std::any_of(entry.arguments.begin(), entry.arguments.end(), [&](const EntryArgument &argument) {
      return argument.tensor.node() == capture.value.node();
    });
    if (known && !own)
      states.push_back({Role::state, std::get<Argument>(capture.value.node()->payload).name, capture.value});
    expect(own || known, capture.user, "expected values of entry '", entry.name,
           "', got an input of another entry or function");
  }
  std::sort(places.begin(), places.end());
  auto copy = [&](Role role) {
    std::copy_if(entry.arguments.begin(), entry.arguments.end(), std::back_inserter(resolved.arguments),
                 [=](const EntryArgument &argument) { return argument.role == role; });
  };
  copy(Role::input);
  for (size_t place : places) {
    expectShares(program, program.parameters[place]);
    resolved.arguments.push_back(
        {Role::parameter, program.parameters[place].name, program.parameters[place].parameter});
  }
  copy(Role::state);
  for (const EntryArgument &state : states) {
    for (const EntryArgument &other : resolved.arguments)
      expect(other.name != state.name, entry.here, "expected names of inputs and states that differ, got '", state.name,
             "' twice");
    resolved.arguments.push_back(state);
  }
  return resolved;
}
