//===- State.cpp - Tensors that an executable keeps -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements states. A state has an argument node, which all entries share, and a value: the node that the entry being
// recorded has assigned last. When the entry is complete, the value becomes a result that updates the argument.
//
//===----------------------------------------------------------------------===//

#include "../ProgramData.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static StateData &dataOf(const std::shared_ptr<StateData> &data, Here here) {
  expect(data != nullptr, here, "expected a state that Program::state made, got an undefined one");
  return *data;
}

const std::string &State::name() const { return dataOf(data, Here::current()).name; }

Tensor State::value(Here here) const { return dataOf(data, here).value; }

Operand::Operand(const State &state, Here here) : Operand(state.value(here), here) {}

void State::assign(const Tensor &value, Here here) const {
  StateData &state = dataOf(data, here);
  expectDefined(value, "the value of a state", here);
  expect(state.isRecording, here, "expected an assignment to state '", state.name,
         "' in the function of an entry, got one outside");
  const Tensor &own = state.argument;
  expect(value.dtype() == own.dtype() && value.shape() == own.shape(), here, "expected a value of state '", state.name,
         "' of shape ", own.shape(), " of ", own.dtype(), ", got ", value.shape(), " of ", value.dtype());
  state.value = value;
}

void State::update(int64_t axis, const Tensor &position, const Tensor &x, Here here) const {
  assign(slice_update(value(here), axis, position, x, here), here);
}

/// Throws Error unless x has a slice for each number in `position`. These numbers count the elements of the dimensions
/// up to `axis` in row-major order.
static void expectPlaces(const Tensor &tensor, int64_t axis, const Tensor &position, const Tensor &x, Here here) {
  Shape expected = {position.shape()[0]};
  for (int64_t d = 0; d < tensor.rank(); ++d) {
    const Dim &size = tensor.shape()[d];
    expect(d > axis || size.is_static(), here, "expected static sizes up to the axis of slice_update, got ",
           tensor.shape());
    if (d > axis)
      expected.push_back(size);
  }
  bool fits = x.rank() == static_cast<int64_t>(expected.size());
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = x.shape()[d].may_equal(expected[d]);
  expect(fits, here, "expected slices of shape ", expected, " at a vector of positions in slice_update, got ",
         x.shape());
}

Tensor xf::slice_update(const Tensor &tensor, int64_t axis, const Tensor &position, const Tensor &x, Here here) {
  expectDefined(tensor, "slice_update", here);
  expectDefined(x, "slice_update", here);
  expectInteger(position, "the position of slice_update", here);
  expect(position.rank() <= 1, here, "expected a scalar or a vector as position of slice_update, got shape ",
         position.shape());
  int64_t place = normalizeAxis(axis, tensor.rank(), here);
  expect(tensor.shape()[place].is_static(), here, "expected a static size along the axis of slice_update, got ",
         tensor.shape()[place]);
  expect(x.dtype() == tensor.dtype(), here, "expected one element type in slice_update, got ", tensor.dtype(), " and ",
         x.dtype());
  if (position.rank() == 1) {
    expectPlaces(tensor, place, position, x, here);
    return makeTensor(Op::sliceUpdate, here, {tensor, x, position}, {tensor.dtype(), tensor.shape()}, place);
  }
  expectRank(x, static_cast<size_t>(tensor.rank()), "the slice of slice_update", here);
  for (int64_t d = 0; d < tensor.rank(); ++d)
    expect(d == place || x.shape()[d].may_equal(tensor.shape()[d]), here, "expected equal sizes but along axis ", place,
           " in slice_update, got ", tensor.shape(), " and ", x.shape());
  const Dim &size = tensor.shape()[place], &part = x.shape()[place];
  expect(!part.is_static() || part.value() <= size.value(), here, "expected at most ", size,
         " elements along the axis of slice_update, got ", part);
  return makeTensor(Op::sliceUpdate, here, {tensor, x, position}, {tensor.dtype(), tensor.shape()}, place);
}

//===----------------------------------------------------------------------===//
// States of a program
//===----------------------------------------------------------------------===//

/// Throws Error if `name` is empty, or if it is the name of a parameter or of another state.
static void expectNewName(const ProgramData &program, const std::string &name, Here here) {
  expect(!name.empty(), here, "expected a name of a state, got none");
  for (const auto &state : program.states)
    expect(state->name != name, here, "expected distinct names of states, got '", name, "' twice");
  for (const nn::NamedParameter &entry : program.parameters)
    expect(entry.name != name, here, "expected names of states other than those of parameters, got '", name, "'");
}

State Program::state(const TensorSpec &spec, Here here) {
  expectNewName(*contents, spec.name, here);
  for (const Dim &size : spec.shape)
    expect(size.is_static(), here, "expected a static shape of state '", spec.name, "', got ", spec.shape);
  auto data = std::make_shared<StateData>();
  data->name = spec.name;
  data->argument = data->value =
      makeTensor(Op::argument, here, {}, {spec.dtype, spec.shape}, Argument{spec.name, std::nullopt});
  contents->states.push_back(data);
  contents->resets[spec.name] = {spec.name};
  return State(data);
}

bool xf::detail::isState(const ProgramData &program, const Tensor &tensor) {
  return std::any_of(program.states.begin(), program.states.end(),
                     [&](const auto &state) { return state->argument.node() == tensor.node(); });
}

StateRecording::StateRecording(const ProgramData &program) : program(program) {
  for (const auto &state : program.states) {
    state->value = state->argument;
    state->isRecording = true;
    ++state->recording;
  }
}

StateRecording::~StateRecording() {
  for (const auto &state : program.states) {
    state->value = state->argument;
    state->isRecording = false;
  }
}

void StateRecording::addUpdates(Entry &entry, Here here) const {
  for (const auto &state : program.states) {
    if (state->value.node() == state->argument.node())
      continue;
    for (const EntryArgument &other : entry.arguments)
      expect(other.name != state->name, here, "expected names of inputs and states that differ, got '", state->name,
             "' twice");
    for (const EntryResult &other : entry.results)
      expect(other.name != state->name, here, "expected names of results and states that differ, got '", state->name,
             "' twice");
    entry.arguments.push_back({Role::state, state->name, state->argument});
    entry.results.push_back({state->name, state->value, state->name});
  }
}
