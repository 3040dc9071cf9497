//===- Executable.cpp - Calls of a compiled program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/executable.h"
#include "../Graph/Modules/ParameterData.h"
#include "../Translate/Translate.h"
#include "Devices.h"
#include "ExecutableData.h"

#include "runtime/support/PrintableText.h"

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static int32_t numberOf(Device::Kind kind) {
  switch (kind) {
  case Device::Kind::cpu:
    return XFRT_CPU;
  case Device::Kind::cuda:
    return XFRT_CUDA;
  case Device::Kind::cuda_or_cpu:
    return XFRT_CUDA_OR_CPU;
  }
  return XFRT_CPU;
}

static void createHandles(ExecutableData &data, const CompileOptions &given, Here here) {
  xfrt_options options{};
  options.communicator = data.ranks.communicator().get();
  xfrt_parameters *store = nullptr;
  if (xfrt_parameters_create(data.loaded.model, &options, &store) != XFRT_OK)
    throw Error(xfrt_message(nullptr), here);
  data.store.reset(store);
  options.threads = given.threads;
  options.device = numberOf(given.device.kind);
  options.device_number = given.device.number;
  // Calls on a CPU read parameters in place, unless they may keep them, so that values written into the arrays take
  // effect in the next call.
  bool reads = given.device.kind == Device::Kind::cpu && !given.hold_parameters;
  options.hold_parameters = reads ? XFRT_READ_PARAMETERS : XFRT_RESIDENT_PARAMETERS;
  xfrt_context *context = nullptr;
  if (xfrt_status status = xfrt_create(data.loaded.model, &options, &context))
    throwFailure(status, xfrt_message(nullptr), here);
  data.context.reset(context);
  bool isOnGpu = xfrt_selected_model(context)->device == XFRT_CUDA;
  data.device = isOnGpu ? cuda(given.device.number) : cpu();
  if (!isOnGpu && given.device.kind == Device::Kind::cuda_or_cpu)
    data.fallback = xfrt_message(context);
}

Executable Program::compile(const CompileOptions &given, Here here) const {
  CompileOptions options = given;
  expect(options.opt_level <= 3, here, "expected opt_level from 0 to 3, got ", options.opt_level);
  expect(options.threads >= 0, here, "expected threads >= 0, got ", options.threads);
  bool mayUseGpu = options.device.kind != Device::Kind::cpu || !options.gpus.empty();
  expect(mayUseGpu || options.f32_products == "exact", here,
         "expected a GPU as device, or in gpus, beside f32_products, got '", options.f32_products,
         "' for a CPU, which multiplies exactly");
  auto data = std::make_shared<ExecutableData>();
  data->fallback = settleDevice(options, here);
  data->ranks = options.ranks;
  data->tied = contents->tied;
  data->resets = contents->resets;
  for (const auto &state : contents->states)
    data->states.insert(state->name);
  data->loaded = compileAndLoad(contents->name, translate(*contents, /*withLocations=*/true), options);
  expect(data->loaded.error.empty() || data->loaded.namesPlace, here, data->loaded.error);
  if (!data->loaded.error.empty())
    throw Error(xfrt::printableText(data->loaded.error));
  if (options.print_remarks && !contents->mesh.empty() && data->ranks.rank() == 0)
    for (const std::string &remark : data->loaded.remarks)
      std::fprintf(stderr, "%s\n", remark.c_str());
  createHandles(*data, options, here);
  Executable executable(data);
  StateDict values = executable.state_dict(), states = executable.optimizer_state();
  for (const auto &[name, parameter] : contents->parameters) {
    if (!values.contains(name))
      continue; // no entry uses the parameter
    const ParameterData &from = dataOf(parameter);
    ParameterValues start = from;
    if (!start.value.defined())
      start = draw(from, name, /*seed=*/0);
    takeShare(*data, name, start.value, here);
    if (states.contains(masterOf(name)) && start.unrounded.defined())
      takeShare(*data, masterOf(name), start.unrounded, here);
  }
  return executable;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

const xfrt_entry &xf::detail::findEntry(const ExecutableData &data, const std::string &name, Here here) {
  int32_t index = xfrt_find_entry(data.loaded.model, name.c_str());
  if (index >= 0)
    return data.loaded.model->entries[index];
  std::string known;
  for (int32_t n = 0; n < data.loaded.model->entry_count; ++n)
    known += (n ? ", " : "") + std::string(data.loaded.model->entries[n].name);
  throw Error("expected the name of an entry (" + known + "), got '" + name + "'", here);
}

static xfrt_buffer bufferOf(const Array &array) {
  return {array.bytes().data(),
          static_cast<int32_t>(array.dtype()),
          static_cast<int32_t>(array.shape().size()),
          array.shape().data(),
          nullptr,
          XFRT_CPU};
}

/// Returns the names of the inputs of an entry, in their order.
static std::vector<std::string> inputNames(const xfrt_entry &entry) {
  std::vector<std::string> names;
  for (int32_t n = 0; n < entry.argument_count; ++n)
    if (entry.arguments[n].role == XFRT_INPUT)
      names.emplace_back(entry.arguments[n].name);
  return names;
}

static std::string joined(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "'" : ", '") + name + "'";
  return list.empty() ? "none" : list;
}

/// Returns the inputs of a call by name. Throws Error if the entry has no input of a given name, or if an input is
/// missing. The message lists these names.
static Arrays nameInputs(const xfrt_entry &entry, const Inputs &inputs, Here here) {
  std::vector<std::string> names = inputNames(entry), missing, unknown;
  Arrays named = inputs.named;
  if (!inputs.ordered.empty()) {
    expect(inputs.ordered.size() == names.size(), here, "expected the ", names.size(), " inputs of entry '", entry.name,
           "' (", joined(names), "), got ", inputs.ordered.size());
    for (size_t n = 0; n < names.size(); ++n)
      named[names[n]] = inputs.ordered[n];
  }
  for (const std::string &name : names)
    if (auto input = named.find(name); input == named.end() || !input->second.defined())
      missing.push_back(name);
  for (const auto &[name, array] : named)
    if (std::find(names.begin(), names.end(), name) == names.end())
      unknown.push_back(name);
  expect(missing.empty(), here, "expected input ", joined(missing), " of entry '", entry.name, "', got ",
         joined(unknown));
  expect(unknown.empty(), here, "expected inputs ", joined(names), " of entry '", entry.name, "', got also ",
         joined(unknown));
  return named;
}

/// Returns the buffers of all arguments of an entry. Sets `symbols` from the shapes of the inputs. Throws Error if
/// parameters and states cannot be bound.
static std::vector<xfrt_buffer> bindArguments(const ExecutableData &data, const xfrt_entry &entry, const Arrays &inputs,
                                              std::vector<int64_t> &symbols, Here here) {
  std::vector<xfrt_buffer> buffers(entry.argument_count);
  for (int32_t n = 0; n < entry.argument_count; ++n) {
    const xfrt_tensor &argument = entry.arguments[n];
    if (argument.role != XFRT_INPUT)
      continue;
    buffers[n] = bufferOf(inputs.at(argument.name));
    for (int32_t d = 0; d < std::min(argument.rank, buffers[n].rank); ++d)
      if (argument.dims[d].symbol >= 0)
        symbols[argument.dims[d].symbol] = buffers[n].shape[d];
  }
  int32_t index = static_cast<int32_t>(&entry - data.loaded.model->entries);
  if (xfrt_parameters_bind(data.store.get(), index, buffers.data(), entry.argument_count) != XFRT_OK)
    throw Error(xfrt_parameters_message(data.store.get()), here);
  return buffers;
}

Array Executable::operator()(const std::string &name, const Inputs &inputs, Here here) const {
  const xfrt_entry &entry = findEntry(*contents, name, here);
  std::vector<std::string> returned;
  for (int32_t n = 0; n < entry.result_count; ++n)
    if (entry.results[n].updates < 0)
      returned.emplace_back(entry.results[n].name);
  expect(returned.size() == 1, here, "expected an entry with one result, got '", name, "' with ", returned.size(), " (",
         joined(returned), "), which call() returns");
  return call(name, inputs, here).at(returned[0]);
}

Arrays Executable::call(const std::string &name, const Inputs &given, Here here) const {
  const xfrt_entry &entry = findEntry(*contents, name, here);
  Arrays inputs = nameInputs(entry, given, here);
  std::vector<int64_t> symbols(entry.symbol_count, 0);
  std::vector<xfrt_buffer> arguments = bindArguments(*contents, entry, inputs, symbols, here);
  xfrt_derive_symbols(&entry, symbols.data());
  Arrays returned;
  std::vector<xfrt_buffer> results;
  for (int32_t n = 0; n < entry.result_count; ++n) {
    const xfrt_tensor &result = entry.results[n];
    if (result.updates >= 0) {
      results.push_back(arguments[result.updates]);
      continue;
    }
    std::vector<int64_t> shape;
    for (int32_t d = 0; d < result.rank; ++d)
      shape.push_back(result.dims[d].symbol < 0 ? result.dims[d].size
                                                : std::max<int64_t>(symbols[result.dims[d].symbol], 0)); // else refused
    Array array(static_cast<Dtype>(result.dtype), std::move(shape), here);
    const Array &kept = returned[result.name] = array;
    results.push_back(bufferOf(kept));
  }
  int32_t index = static_cast<int32_t>(&entry - contents->loaded.model->entries);
  xfrt_context *context = contents->context.get();
  if (xfrt_status status =
          xfrt_call(context, index, arguments.data(), entry.argument_count, results.data(), entry.result_count))
    throwFailure(status, xfrt_message(context), here);
  return returned;
}

bool Executable::has_state(const std::string &name) const { return contents->states.count(name) > 0; }
double Executable::flop(const std::string &entry, Here here) const { return findEntry(*contents, entry, here).flop; }
int Executable::threads() const { return xfrt_threads(contents->context.get()); }
Device Executable::device() const { return contents->device; }
const std::string &Executable::fallback() const { return contents->fallback; }
const std::vector<std::string> &Executable::remarks() const { return contents->loaded.remarks; }
std::span<const std::byte> Executable::object() const { return std::as_bytes(std::span(contents->loaded.object)); }
