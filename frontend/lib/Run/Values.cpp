//===- Values.cpp - Parameters and states of a compiled program -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "ExecutableData.h"

#include <algorithm>
#include <optional>

using namespace xf;
using namespace xf::detail;

/// Returns a view of `buffer`, which lies in the parameter store of `data`. The view keeps the store alive.
static Array viewOf(const std::shared_ptr<ExecutableData> &data, const xfrt_buffer &buffer) {
  std::shared_ptr<std::byte> memory(data, static_cast<std::byte *>(buffer.data));
  return Array(static_cast<Dtype>(buffer.dtype), std::vector<int64_t>(buffer.shape, buffer.shape + buffer.rank),
               memory);
}

//===----------------------------------------------------------------------===//
// All of one kind
//===----------------------------------------------------------------------===//

/// Returns all tensors of the role `wanted` (xfrt_role) except the program's states: the parameters, or the optimiser's
/// state.
static StateDict valuesOf(const std::shared_ptr<ExecutableData> &data, int32_t wanted, Here here) {
  // The next call reads the parameters anew, so that values written into the arrays until then take effect.
  if (xfrt_status status = xfrt_fetch_parameters(data->context.get()))
    throwFailure(status, xfrt_message(data->context.get()), here);
  xfrt_forget_parameters(data->context.get());
  StateDict values;
  for (int32_t n = 0; n < xfrt_parameters_count(data->store.get()); ++n) {
    const char *name = nullptr;
    int32_t role = 0;
    xfrt_buffer buffer;
    xfrt_parameters_at(data->store.get(), n, &name, &role, &buffer);
    if (role == wanted && !data->states.contains(name))
      values[name] = viewOf(data, buffer);
  }
  return values;
}

StateDict Executable::state_dict(Here here) const { return valuesOf(contents, XFRT_PARAMETER, here); }
StateDict Executable::optimizer_state(Here here) const { return valuesOf(contents, XFRT_STATE, here); }

//===----------------------------------------------------------------------===//
// Values of all ranks
//===----------------------------------------------------------------------===//

/// Returns the type and shape of a whole parameter or state, not of this rank's share. The buffer has no memory.
static xfrt_buffer wholeOf(const ExecutableData &data, const std::string &name, Here here) {
  xfrt_buffer whole;
  if (xfrt_parameters_whole(data.store.get(), name.c_str(), &whole) != XFRT_OK)
    throw Error("expected a parameter or state of the executable, got '" + name + "'", here);
  return whole;
}

/// Returns an array with the type and shape of `whole`, without memory.
static Array shapeOf(const xfrt_buffer &whole) {
  return Array(static_cast<Dtype>(whole.dtype), std::vector<int64_t>(whole.shape, whole.shape + whole.rank),
               std::shared_ptr<std::byte>());
}

void xf::detail::takeShare(const ExecutableData &data, const std::string &name, const Array &value, Here here) {
  xfrt_buffer whole = wholeOf(data, name, here);
  whole.data = value.bytes().data();
  if (xfrt_parameters_take(data.store.get(), name.c_str(), &whole) != XFRT_OK)
    throw Error(xfrt_parameters_message(data.store.get()), here);
}

LoadReport Executable::load_state_dict(const StateDict &values, LoadOptions options, Here here) const {
  StateDict own = state_dict(here), others = optimizer_state(here);
  others.merge(states(here));
  for (StateDict *known : {&own, &others})
    for (auto &[name, value] : *known)
      value = shapeOf(wholeOf(*contents, name, here));
  MatchedValues matched = matchValues(own, others, contents->tied, values, options, here);
  for (const auto &[name, value] : matched.values) {
    takeShare(*contents, name, value.value, here);
    if (others.contains(masterOf(name)) && value.unrounded.defined() && !values.contains(masterOf(name)))
      takeShare(*contents, masterOf(name), value.unrounded, here);
  }
  return matched.report;
}

StateDict Executable::gather(const StateDict &values, Here here) const {
  if (contents->ranks.size() == 1)
    return values;
  StateDict all;
  for (const auto &[name, value] : values) {
    xfrt_buffer whole = wholeOf(*contents, name, here);
    Array array = shapeOf(whole);
    if (contents->ranks.rank() == 0) {
      array = Array(array.dtype(), array.shape(), here);
      whole.data = array.bytes().data();
      all[name] = array;
    }
    if (xfrt_parameters_gather(contents->store.get(), name.c_str(), &whole) != XFRT_OK)
      throw Error(xfrt_parameters_message(contents->store.get()), here);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// States of the program
//===----------------------------------------------------------------------===//

/// Returns a list of the names in quotes, for a message.
template <typename Names>
static std::string listed(const Names &names) {
  std::string list;
  for (const auto &name : names)
    list += (list.empty() ? "'" : ", '") + name + "'";
  return list.empty() ? "none" : list;
}

/// Returns the memory of a state of the program, or nullopt if there is no such state or no entry uses it.
static std::optional<xfrt_buffer> findState(const ExecutableData &data, const std::string &name) {
  xfrt_buffer buffer;
  bool exists = data.states.contains(name) && xfrt_parameters_get(data.store.get(), name.c_str(), &buffer) == XFRT_OK;
  return exists ? std::optional(buffer) : std::nullopt;
}

static std::vector<std::string> usedStates(const ExecutableData &data) {
  std::vector<std::string> names(data.states.begin(), data.states.end());
  std::erase_if(names, [&](const std::string &name) { return !findState(data, name); });
  return names;
}

Array Executable::state(const std::string &name, Here here) const {
  std::optional<xfrt_buffer> found = findState(*contents, name);
  expect(found.has_value(), here, "expected a state of the program that an entry uses (", listed(usedStates(*contents)),
         "), got '", name, "'");
  xfrt_buffer buffer = found.value_or(xfrt_buffer());
  if (buffer.data) {
    xfrt_context *context = contents->context.get();
    if (xfrt_status status = xfrt_fetch_parameter(context, buffer.data))
      throwFailure(status, xfrt_message(context), here);
    xfrt_forget_parameter(context, buffer.data);
  }
  return viewOf(contents, buffer);
}

StateDict Executable::states(Here here) const {
  StateDict values;
  for (const std::string &name : usedStates(*contents))
    values[name] = state(name, here);
  return values;
}

void Executable::set_state(const std::string &name, const Array &value, Here here) const {
  Array own = state(name, here);
  auto shape = [](const Array &array) { return Shape(array.shape().begin(), array.shape().end()); };
  expect(value.dtype() == own.dtype() && value.shape() == own.shape(), here, "expected a value of state '", name,
         "' of shape ", shape(own), " of ", own.dtype(), ", got ", shape(value), " of ", value.dtype());
  copyElements(value, own);
}

void Executable::reset(const std::string &name, Here here) const {
  auto found = contents->resets.find(name);
  std::vector<std::string> known;
  for (const auto &[own, states] : contents->resets)
    known.push_back(own);
  expect(found != contents->resets.end(), here, "expected a state or cache of the program (", listed(known), "), got '",
         name, "'");
  for (const std::string &state : found->second) {
    std::span<std::byte> bytes = this->state(state, here).bytes();
    std::fill(bytes.begin(), bytes.end(), std::byte(0));
  }
}

/// Returns the names for which reset() sets one of the states `used` to zero.
static std::vector<std::string> resetsOf(const ExecutableData &data, const std::set<std::string> &used) {
  std::vector<std::string> names;
  for (const auto &[name, states] : data.resets)
    if (std::any_of(states.begin(), states.end(), [&](const std::string &state) { return used.contains(state); }))
      names.push_back(name);
  return names;
}

std::vector<std::string> Executable::states_of(const std::string &entry, Here here) const {
  const xfrt_entry &found = findEntry(*contents, entry, here);
  std::set<std::string> arguments;
  for (const xfrt_tensor &tensor : std::span(found.arguments, static_cast<size_t>(found.argument_count)))
    arguments.insert(tensor.name);
  return resetsOf(*contents, arguments);
}

std::vector<std::string> Executable::updates_of(const std::string &entry, Here here) const {
  const xfrt_entry &found = findEntry(*contents, entry, here);
  std::set<std::string> updated;
  for (const xfrt_tensor &result : std::span(found.results, static_cast<size_t>(found.result_count)))
    if (result.updates >= 0)
      updated.insert(found.arguments[result.updates].name);
  return resetsOf(*contents, updated);
}

//===----------------------------------------------------------------------===//
// Interfaces of entries
//===----------------------------------------------------------------------===//

static TensorSpec specOf(const xfrt_entry &entry, const xfrt_tensor &tensor) {
  TensorSpec spec{tensor.name, static_cast<Dtype>(tensor.dtype), {}};
  for (int32_t d = 0; d < tensor.rank; ++d) {
    int32_t number = tensor.dims[d].symbol;
    if (number < 0) {
      spec.shape.push_back(Dim(tensor.dims[d].size));
    } else {
      const xfrt_symbol &symbol = entry.symbols[number];
      spec.shape.push_back(Dim(symbol.name, {symbol.min, symbol.max}));
    }
  }
  return spec;
}

std::vector<TensorSpec> Executable::inputs(const std::string &name, Here here) const {
  const xfrt_entry &entry = findEntry(*contents, name, here);
  std::vector<TensorSpec> list;
  for (int32_t n = 0; n < entry.argument_count; ++n)
    if (entry.arguments[n].role == XFRT_INPUT)
      list.push_back(specOf(entry, entry.arguments[n]));
  return list;
}

std::vector<TensorSpec> Executable::results(const std::string &name, Here here) const {
  const xfrt_entry &entry = findEntry(*contents, name, here);
  std::vector<TensorSpec> list;
  for (int32_t n = 0; n < entry.result_count; ++n)
    if (entry.results[n].updates < 0)
      list.push_back(specOf(entry, entry.results[n]));
  return list;
}
