//===- Functions.cpp - Translating entries and regions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Graph/Sizes.h"
#include "Translator.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using graph::Node;

Location translateLocation(MLIRContext *context, fe::Here here) {
  if (here.line() == 0)
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, here.file_name(), here.line(), here.column());
}

Translator::Translator(ModuleOp module, graph::Scopes &scopes)
    : builder(module.getBodyRegion()), module(module), scopes(scopes) {}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Translator::elementType(fe::Dtype dtype) {
  switch (dtype) {
  case fe::Dtype::f32:
    return builder.getF32Type();
  case fe::Dtype::f64:
    return builder.getF64Type();
  case fe::Dtype::f16:
    return builder.getF16Type();
  case fe::Dtype::bf16:
    return builder.getBF16Type();
  case fe::Dtype::i32:
    return builder.getI32Type();
  case fe::Dtype::i64:
    return builder.getI64Type();
  case fe::Dtype::boolean:
    return builder.getI1Type();
  }
  llvm_unreachable("all element types are handled");
}

RankedTensorType Translator::typeOf(const graph::Type &type) {
  SmallVector<int64_t> shape;
  for (const fe::Dim &size : type.shape)
    shape.push_back(size.is_static() ? size.value() : ShapedType::kDynamic);
  return RankedTensorType::get(shape, elementType(type.dtype));
}

RankedTensorType Translator::typeOf(const fe::Tensor &tensor) { return typeOf({tensor.dtype(), tensor.shape()}); }

//===----------------------------------------------------------------------===//
// Attributes of arguments and results
//===----------------------------------------------------------------------===//

/// Returns the dynamic sizes of a shape as expressions. Returns null if all sizes are static, or if one is unknown.
ArrayAttr Translator::sizesOf(const fe::Shape &shape) {
  SmallVector<Attribute> sizes;
  for (const fe::Dim &size : shape) {
    if (size.is_static())
      continue;
    if (!size.is_named())
      return {};
    sizes.push_back(ir::SizeAttr::get(builder.getContext(), graph::SizeData::of(size).value));
  }
  return sizes.empty() ? ArrayAttr() : builder.getArrayAttr(sizes);
}

/// Returns the names and ranges of a tensor's dynamic dimensions as an array of xf.dim attributes, with xf.size for
/// computed ones. Returns null if all dimensions are static, or if one is unknown.
ArrayAttr Translator::dimsOf(const fe::Tensor &tensor) {
  SmallVector<Attribute> dims;
  for (const fe::Dim &size : tensor.shape()) {
    if (size.is_static())
      continue;
    if (!size.is_named())
      return {};
    if (ir::SizeExpression value = graph::SizeData::of(size).value; !value.name())
      dims.push_back(ir::SizeAttr::get(builder.getContext(), value));
    else
      dims.push_back(ir::DimAttr::get(builder.getContext(), size.name(), size.range().min, size.range().max));
  }
  return dims.empty() ? ArrayAttr() : builder.getArrayAttr(dims);
}

/// Returns the sharding of a tensor by the axes of its dimensions. Returns null if no dimension has axes.
static ir::ShardingAttr shardingOf(const fe::Tensor &tensor, MLIRContext *context) {
  SmallVector<ArrayAttr> dims;
  SmallVector<int64_t> chunks;
  for (const fe::Dim &size : tensor.shape()) {
    chunks.push_back(size.chunks());
    dims.push_back(Builder(context).getStrArrayAttr(
        SmallVector<StringRef>(llvm::map_range(size.axes(), [](const std::string &axis) { return StringRef(axis); }))));
  }
  ir::ShardingAttr sharding = ir::ShardingAttr::get(context, dims, chunks);
  return sharding.isWhole() ? ir::ShardingAttr() : sharding;
}

DictionaryAttr Translator::argumentAttributes(const graph::EntryArgument &argument) {
  NamedAttrList attributes;
  StringAttr name = builder.getStringAttr(argument.name);
  attributes.set("xf.name", name);
  if (argument.role == graph::Role::parameter)
    attributes.set("xf.parameter", name);
  if (argument.role == graph::Role::state)
    attributes.set("xf.state", name);
  auto *input = std::get_if<graph::Argument>(&argument.tensor.node()->payload);
  if (input && input->range)
    attributes.set("xf.range", builder.getDenseI64ArrayAttr({input->range->first, input->range->second}));
  if (ArrayAttr dims = dimsOf(argument.tensor))
    attributes.set("xf.dims", dims);
  if (ir::ShardingAttr sharding = shardingOf(argument.tensor, builder.getContext()))
    attributes.set(ir::kShardingAttrName, sharding);
  return attributes.getDictionary(builder.getContext());
}

DictionaryAttr Translator::resultAttributes(const graph::EntryResult &result) {
  NamedAttrList attributes;
  attributes.set("xf.name", builder.getStringAttr(result.name));
  if (!result.updates.empty())
    attributes.set("xf.updates", builder.getStringAttr(result.updates));
  if (ArrayAttr dims = dimsOf(result.tensor))
    attributes.set("xf.dims", dims);
  return attributes.getDictionary(builder.getContext());
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Translator::emitScope(const graph::Scope &scope, Values &values) {
  for (const Node *node : scope.nodes)
    for (auto [number, value] : llvm::enumerate(emitNode(*node, values)))
      values[{node, static_cast<unsigned>(number)}] = value;
}

void Translator::addEntry(const graph::ResolvedEntry &resolved) {
  const graph::Entry &entry = *resolved.entry;
  entryName = entry.name;
  functionCount = 0;
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentList, resultList;
  for (const graph::EntryArgument &argument : resolved.arguments) {
    argumentTypes.push_back(typeOf(argument.tensor));
    argumentList.push_back(argumentAttributes(argument));
  }
  for (const graph::EntryResult &result : entry.results) {
    resultTypes.push_back(typeOf(result.tensor));
    resultList.push_back(resultAttributes(result));
  }
  Location loc = translateLocation(builder.getContext(), entry.here);
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, entry.name, builder.getFunctionType(argumentTypes, resultTypes));
  function.setAllArgAttrs(argumentList);
  function.setAllResultAttrs(resultList);
  if (entry.vjp)
    function->setAttr("xf.vjp", builder.getUnitAttr());
  Block *body = function.addEntryBlock();
  Values values;
  for (auto [argument, value] : llvm::zip(resolved.arguments, body->getArguments()))
    values[keyOf(argument.tensor)] = value;
  builder.setInsertionPointToEnd(body);
  emitScope(resolved.scope, values);
  SmallVector<Value> results;
  for (const graph::EntryResult &result : entry.results)
    results.push_back(values.lookup(keyOf(result.tensor)));
  func::ReturnOp::create(builder, loc, results);
}

Translator::Results Translator::emitCheckpoint(const Node &node, Values &values) {
  const graph::Scope &scope = scopes.of(node);
  const auto &region = std::get<graph::Region>(node.payload);
  Location loc = locationOf(node);
  SmallVector<Value> captured;
  for (const graph::Capture &capture : scope.captures)
    captured.push_back(values.lookup(keyOf(capture.value)));
  auto op = ir::CheckpointOp::create(builder, loc, TypeRange(typeOf(node.results[0])), captured);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(ValueRange(captured).getTypes());
  Block *body = builder.createBlock(&op.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
  Values inner;
  for (auto [capture, argument] : llvm::zip(scope.captures, body->getArguments()))
    inner[keyOf(capture.value)] = argument;
  emitScope(scope, inner);
  ir::YieldOp::create(builder, loc, inner.lookup(keyOf(region.results[0])));
  return {op.getResult(0)};
}
