//===- Derivatives.cpp - Functions to differentiate -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

using namespace mlir;
using graph::Node;

/// Emits the function to differentiate, and the gradient or vjp op that differentiates it. The function is private. Its
/// arguments are the values to differentiate with respect to, then the captures.
Translator::Results Translator::emitDerivative(const Node &node, Values &values) {
  const auto &region = std::get<graph::Region>(node.payload);
  const graph::Scope &scope = scopes.of(node);
  Location loc = locationOf(node);
  Values inner;
  std::vector<fe::Tensor> inputs = region.withRespectTo;
  SmallVector<Value> operands;
  SmallVector<int64_t> wrt;
  for (auto [number, tensor] : llvm::enumerate(region.withRespectTo)) {
    operands.push_back(values.lookup(keyOf(node.operands[number])));
    wrt.push_back(number);
  }
  for (const graph::Capture &capture : scope.captures) {
    auto same = [&](const fe::Tensor &input) { return keyOf(input) == keyOf(capture.value); };
    if (llvm::any_of(inputs, same))
      continue;
    inputs.push_back(capture.value);
    operands.push_back(values.lookup(keyOf(capture.value)));
  }
  SmallVector<Type> inputTypes(ValueRange(operands).getTypes());
  std::string name = entryName + ".function" + std::to_string(functionCount++);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> resultTypes;
    for (const fe::Tensor &result : region.results)
      resultTypes.push_back(typeOf(result));
    auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(inputTypes, resultTypes));
    function.setPrivate();
    for (auto [number, input] : llvm::enumerate(inputs)) // sizes inside are those of the entry
      if (ArrayAttr dims = dimsOf(input))
        function.setArgAttr(number, "xf.dims", dims);
    Block *body = function.addEntryBlock();
    for (auto [input, argument] : llvm::zip(inputs, body->getArguments()))
      inner[keyOf(input)] = argument;
    builder.setInsertionPointToEnd(body);
    emitScope(scope, inner);
    SmallVector<Value> results;
    for (const fe::Tensor &result : region.results)
      results.push_back(inner.lookup(keyOf(result)));
    func::ReturnOp::create(builder, loc, results);
  }
  SmallVector<Type> types;
  for (const graph::Type &result : node.results)
    types.push_back(typeOf(result));
  Operation *op =
      node.op == graph::Op::gradient
          ? ir::GradientOp::create(builder, loc, types, name, operands, wrt).getOperation()
          : ir::VjpOp::create(builder, loc, types, name, operands, values.lookup(keyOf(node.operands.back())), wrt);
  return Results(op->result_begin(), op->result_end());
}
