//===- Signature.cpp - A function's inputs and results by name ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/Signature.h"
#include "xfrt/parameters.h"
#include <cstring>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;
using xfrt::tools::Failure;
using xfrt::tools::TensorSpec;
using ToolTensor = xfrt::tools::Tensor;

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

static FailureOr<int32_t> dtypeOf(func::FuncOp function, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int32_t dtype = -1;
  if (tensor) {
    std::string name;
    llvm::raw_string_ostream(name) << tensor.getElementType();
    dtype = xfrt::tools::parseDtype(name);
  }
  if (dtype < 0)
    return function.emitError("expected tensors of f32, f64, f16, bf16, i32, i64 or i1, got ") << type;
  return dtype;
}

/// The first of the string attributes that is there.
static std::string nameFrom(ArrayRef<Attribute> attributes, StringRef prefix, size_t number) {
  for (Attribute attribute : attributes)
    if (auto name = dyn_cast_or_null<StringAttr>(attribute))
      return name.str();
  return (prefix + Twine(number)).str();
}

static TensorSpec specOf(std::string name, int32_t dtype, Type type) {
  TensorSpec spec;
  spec.name = std::move(name);
  spec.dtype = dtype;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    spec.shape.push_back(ShapedType::isDynamic(size) ? TensorSpec::dynamic : size);
  return spec;
}

static TensorSpec derivativeOf(TensorSpec spec) {
  spec.name = "d_" + spec.name;
  spec.checked = false;
  spec.required = true;
  return spec;
}

static LogicalResult addArgument(func::FuncOp function, unsigned number, Signature &signature) {
  Type type = function.getArgumentTypes()[number];
  FailureOr<int32_t> dtype = dtypeOf(function, type);
  if (failed(dtype))
    return failure();
  auto attribute = [&](StringRef name) { return function.getArgAttr(number, name); };
  Attribute parameter = attribute("xf.parameter"), state = attribute("xf.state");
  TensorSpec spec = specOf(nameFrom({parameter, state, attribute("xf.name")}, "arg", number), *dtype, type);
  if (auto range = dyn_cast_or_null<DenseI64ArrayAttr>(attribute("xf.range"))) {
    spec.checked = true;
    spec.lowest = range[0];
    spec.highest = range[1];
  }
  spec.required = !state;
  signature.arguments.push_back(spec);
  signature.roles.push_back(parameter ? XFRT_PARAMETER : state ? XFRT_STATE : XFRT_INPUT);
  if (!xfrt::tools::isFloat(*dtype))
    return success();
  signature.gradients.push_back(derivativeOf(spec));
  signature.differentiable.push_back(number);
  return success();
}

static LogicalResult addResult(func::FuncOp function, unsigned number, Signature &signature) {
  Type type = function.getResultTypes()[number];
  FailureOr<int32_t> dtype = dtypeOf(function, type);
  if (failed(dtype))
    return failure();
  auto attribute = [&](StringRef name) { return function.getResultAttr(number, name); };
  TensorSpec spec = specOf(nameFrom({attribute("xf.name"), attribute("xf.updates")}, "result", number), *dtype, type);
  signature.results.push_back(spec);
  if (!xfrt::tools::isFloat(*dtype))
    return success();
  signature.cotangents.push_back(derivativeOf(spec));
  signature.activated.push_back(number);
  return success();
}

FailureOr<Signature> Signature::of(func::FuncOp function) {
  Signature signature;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    if (failed(addArgument(function, number, signature)))
      return failure();
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    if (failed(addResult(function, number, signature)))
      return failure();
  return signature;
}

static std::vector<TensorSpec> joined(std::vector<TensorSpec> first, const std::vector<TensorSpec> &second, bool both) {
  if (both)
    first.insert(first.end(), second.begin(), second.end());
  return first;
}
std::vector<TensorSpec> Signature::inputSpecs(bool vjp) const { return joined(arguments, cotangents, vjp); }
std::vector<TensorSpec> Signature::outputSpecs(bool vjp) const { return joined(results, gradients, vjp); }

//===----------------------------------------------------------------------===//
// Parameters: the runtime's own reader, on the table of a model that has no kernels
//===----------------------------------------------------------------------===//

namespace {
struct ParameterTable {
  std::vector<std::vector<xfrt_dim>> dims;
  std::vector<xfrt_tensor> tensors;
  xfrt_entry entry{};
  xfrt_model model{};

  explicit ParameterTable(const Signature &signature) {
    for (auto [spec, role] : llvm::zip(signature.arguments, signature.roles)) {
      std::vector<xfrt_dim> &sizes = dims.emplace_back();
      for (int64_t size : spec.shape)
        sizes.push_back({size, -1});
      if (role == XFRT_PARAMETER && spec.isStatic())
        tensors.push_back(
            {spec.name.c_str(), spec.dtype, int32_t(sizes.size()), sizes.data(), role, -1, 0, 0, 0, 0, 0});
    }
    entry.name = model.name = "reference";
    entry.arena_bytes = -1;
    entry.argument_count = tensors.size();
    entry.arguments = tensors.data();
    model.abi_version = XFRT_ABI_VERSION;
    model.features = model.content_hash = "";
    model.entry_count = 1;
    model.entries = &entry;
  }
};

struct DestroyParameters {
  void operator()(xfrt_parameters *parameters) const { xfrt_parameters_destroy(parameters); }
};
} // namespace

bool reference::readParameters(const Signature &signature, const std::string &path,
                               std::vector<std::optional<ToolTensor>> &values, Failure &failure) {
  ParameterTable table(signature);
  xfrt_parameters *store = nullptr;
  if (xfrt_parameters_create(&table.model, nullptr, &store))
    return failure.set(xfrt::tools::exitFailure, xfrt_message(nullptr));
  std::unique_ptr<xfrt_parameters, DestroyParameters> owner(store);
  if (xfrt_parameters_load(store, path.c_str(), XFRT_WEIGHTS))
    return failure.set(xfrt::tools::exitFailure, xfrt_parameters_message(store));
  for (auto [number, spec] : llvm::enumerate(signature.arguments)) {
    xfrt_buffer buffer;
    if (values[number] || xfrt_parameters_get(store, spec.name.c_str(), &buffer))
      continue;
    std::string error;
    if (!values[number].emplace().allocate(buffer.dtype, {buffer.shape, buffer.shape + buffer.rank}, error))
      return failure.set(xfrt::tools::exitFailure, error);
    std::memcpy(values[number]->data(), buffer.data, values[number]->bytes());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

Tensor reference::toReference(const ToolTensor &tensor, Type elementType) {
  Tensor result = Tensor::zeros(elementType, tensor.shape);
  for (int64_t n = 0; n < result.size(); ++n) {
    if (result.isReal())
      result.reals[n] = tensor.real(n);
    else
      result.integers[n] = tensor.integer(n);
  }
  return result;
}

bool reference::fromReference(const Tensor &tensor, ToolTensor &result, Failure &failure) {
  int32_t integer = tensor.elementType.isInteger(1)    ? XFRT_BOOL
                    : tensor.elementType.isInteger(32) ? XFRT_I32
                                                       : XFRT_I64;
  std::string error;
  if (!result.allocate(tensor.isReal() ? XFRT_F64 : integer, {tensor.shape.begin(), tensor.shape.end()}, error))
    return failure.set(xfrt::tools::exitFailure, error);
  for (int64_t n = 0; n < tensor.size(); ++n) {
    if (tensor.isReal())
      result.setReal(n, tensor.reals[n]);
    else
      result.setInteger(n, tensor.integers[n]);
  }
  return true;
}
