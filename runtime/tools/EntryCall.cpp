//===- EntryCall.cpp - The tensors of one call ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryCall.h"
#include "LoadModel.h"

#include <algorithm>
#include <string.h>

using namespace xfrt::tools;

static TensorSpec specOf(const xfrt_tensor &tensor) {
  TensorSpec spec;
  spec.name = tensor.name;
  spec.dtype = tensor.dtype;
  for (int32_t i = 0; i < tensor.rank; ++i)
    spec.shape.push_back(tensor.dims[i].symbol < 0 ? tensor.dims[i].size : TensorSpec::dynamic);
  spec.checked = tensor.checked;
  spec.lowest = tensor.checked & XFRT_MARKED && tensor.highest >= 0 ? 0 : tensor.lowest;
  spec.highest = tensor.highest == INT64_MAX ? std::max<int64_t>(spec.lowest, 15) : tensor.highest;
  spec.required = tensor.role != XFRT_STATE;
  return spec;
}

EntryCall::EntryCall(const xfrt_model &model, int32_t index, const xfrt_communicator *ranks)
    : model(model), index(index), entry(model.entries[index]), arguments(size_t(entry.argument_count)), ranks(ranks) {
  for (int32_t i = 0; i < entry.argument_count; ++i)
    argumentSpecs.push_back(specOf(entry.arguments[i]));
  for (int32_t i = 0; i < entry.result_count; ++i)
    resultSpecs.push_back(specOf(entry.results[i]));
}

EntryCall::~EntryCall() { xfrt_parameters_destroy(store); }

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool EntryCall::loadParameters(const std::string &path, Failure &failure) {
  xfrt_options options{};
  options.communicator = ranks;
  if (xfrt_status status = xfrt_parameters_create(&model, &options, &store))
    return failure.set(exitCodeOf(status), xfrt_message(nullptr));
  if (xfrt_status status = xfrt_parameters_load(store, path.c_str(), XFRT_WEIGHTS))
    return failure.set(exitCodeOf(status), xfrt_parameters_message(store));
  return true;
}

/// Copies each parameter that the command line has not set from the store.
bool EntryCall::takeFromStore(Failure &failure) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    xfrt_buffer buffer;
    bool wanted = store && !arguments[i] && entry.arguments[i].role == XFRT_PARAMETER;
    if (!wanted || xfrt_parameters_get(store, argumentSpecs[i].name.c_str(), &buffer) != XFRT_OK)
      continue;
    std::string error;
    arguments[i].emplace();
    if (!arguments[i]->allocate(buffer.dtype, {buffer.shape, buffer.shape + buffer.rank}, error))
      return failure.set(exitFailure, error);
    memcpy(arguments[i]->data(), buffer.data, size_t(arguments[i]->bytes()));
  }
  return true;
}

bool EntryCall::setInputs(const std::vector<std::string> &assignments, const std::string &parametersPath,
                          Failure &failure) {
  if (!readInputs(argumentSpecs, assignments, arguments, failure))
    return false;
  if (!parametersPath.empty() && (!loadParameters(parametersPath, failure) || !takeFromStore(failure)))
    return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] || argumentSpecs[i].required)
      continue;
    std::string error;
    arguments[i].emplace();
    if (!arguments[i]->allocate(argumentSpecs[i].dtype, argumentSpecs[i].shape, error))
      return failure.set(exitFailure, "state '" + argumentSpecs[i].name + "': " + error);
    memset(arguments[i]->data(), 0, size_t(arguments[i]->bytes()));
  }
  return checkInputsGiven(argumentSpecs, arguments, failure);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

int64_t EntryCall::sizeOf(const xfrt_dim &dim) const {
  if (dim.symbol < 0)
    return dim.size;
  const int32_t first = entry.symbol_count - entry.derived_count;
  if (dim.symbol >= first) {
    std::vector<int64_t> symbols;
    for (int32_t i = 0; i < first; ++i)
      symbols.push_back(sizeOf({0, i}));
    // A negative size is refused when the entry is called, with the numbers.
    return std::max<int64_t>(entry.derive(symbols.data(), dim.symbol - first), 0);
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    for (int32_t j = 0; arguments[i] && j < entry.arguments[i].rank; ++j)
      if (entry.arguments[i].dims[j].symbol == dim.symbol)
        return arguments[i]->shape[size_t(j)];
  return TensorSpec::dynamic;
}

bool EntryCall::allocateResults(Failure &failure) {
  results.resize(resultSpecs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const xfrt_tensor &tensor = entry.results[i];
    if (tensor.updates >= 0)
      continue;
    std::vector<int64_t> shape;
    for (int32_t j = 0; j < tensor.rank; ++j)
      shape.push_back(sizeOf(tensor.dims[j]));
    if (std::find(shape.begin(), shape.end(), TensorSpec::dynamic) != shape.end())
      return failure.set(exitFailure, "result '" + resultSpecs[i].name +
                                          "': expected sizes that are sizes of inputs, got shape " +
                                          describeShape(shape));
    std::string error;
    if (!results[i].allocate(tensor.dtype, std::move(shape), error))
      return failure.set(exitFailure, "result '" + resultSpecs[i].name + "': " + error);
    memset(results[i].data(), 0, size_t(results[i].bytes()));
  }
  return true;
}

const Tensor &EntryCall::result(size_t index) const {
  int32_t updated = entry.results[index].updates;
  return updated < 0 ? results[index] : *arguments[size_t(updated)];
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void EntryCall::bindBuffers() {
  argumentBuffers.clear();
  resultBuffers.clear();
  for (std::optional<Tensor> &argument : arguments)
    argumentBuffers.push_back(argument->buffer());
  for (size_t i = 0; i < results.size(); ++i)
    resultBuffers.push_back(entry.results[i].updates < 0 ? results[i].buffer() : xfrt_buffer{});
}

/// Replaces a buffer in host memory by a buffer in memory of the handle's device, with the same values. The caller owns
/// the new buffer, also on failure of the copy.
static xfrt_status moveBuffer(xfrt_context *context, xfrt_buffer &buffer) {
  xfrt_buffer there = buffer;
  if (xfrt_status status = xfrt_buffer_allocate(context, &there))
    return status;
  xfrt_status status = xfrt_buffer_copy(context, &buffer, &there);
  buffer = there;
  return status;
}

bool EntryCall::enterDevice(xfrt_context *context, Failure &failure) {
  bindBuffers();
  isOnDevice = true;
  for (std::vector<xfrt_buffer> *buffers : {&argumentBuffers, &resultBuffers})
    for (xfrt_buffer &buffer : *buffers)
      if (xfrt_status status = buffer.data ? moveBuffer(context, buffer) : XFRT_OK)
        return failure.set(exitCodeOf(status), xfrt_message(context));
  return true;
}

void EntryCall::leaveDevice(xfrt_context *context) {
  for (std::vector<xfrt_buffer> *buffers : {&argumentBuffers, &resultBuffers})
    for (xfrt_buffer &buffer : *buffers)
      if (buffer.device == XFRT_CUDA)
        xfrt_buffer_release(context, &buffer);
  isOnDevice = false;
}

bool EntryCall::run(xfrt_context *context, Failure &failure) {
  if (!isOnDevice)
    bindBuffers();
  xfrt_status status =
      xfrt_call(context, index, argumentBuffers.data(), entry.argument_count, resultBuffers.data(), entry.result_count);
  return status == XFRT_OK || failure.set(exitCodeOf(status), xfrt_message(context));
}
