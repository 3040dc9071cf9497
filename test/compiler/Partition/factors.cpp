//===- factors.cpp - Does every op say which dimensions go together? ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Factors/DimensionFactors.h"
#include "dialects/xf/IR/XfDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace mlir::xf;

/// Ops without dimension factors, and why: of any other op that has none, ranks would gather all operands, and a result
/// of dynamic sizes would have none.
static const std::map<StringRef, StringRef> without = {
    {"xf.vjp", "the stage `gradient` has replaced it"},
    {"xf.gradient", "the stage `gradient` has replaced it"},
    {"xf.checkpoint", "the stage `fuse` has inlined it"},
    {"xf.yield", "ends a region"},
};

TEST(DimensionFactors, OfEveryOp) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<XfDialect>();
  size_t found = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "xf")
      continue;
    bool hasFactors = name.hasInterface<DimensionFactorsOpInterface>();
    found += !hasFactors;
    EXPECT_NE(hasFactors, without.contains(name.getStringRef())) << name.getStringRef().str();
  }
  EXPECT_EQ(found, without.size());
}

/// Returns the factors of the first op of a program, and the sizes of its result: "ak, bk -> ab; [n, 4]".
static std::string read(StringRef op, StringRef arguments) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<XfDialect, func::FuncDialect>();
  std::string text = "func.func @f(" + arguments.str() + ") { " + op.str() + " return }";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "";
  auto function = cast<func::FuncOp>(module->getBody()->front());
  Operation &first = function.getBody().front().front();
  SymbolicSizes sizes(function);
  DimensionFactors factors = factorsOf(&first, sizes);
  std::string found;
  auto append = [&](ArrayRef<SmallVector<int>> tensors) {
    for (ArrayRef<int> dims : tensors) {
      for (int factor : dims)
        found += factor == DimensionFactors::whole ? "_"
                 : factor == DimensionFactors::any ? "?"
                 : factor < 256                    ? std::string(1, char(factor))
                                                   : "<" + std::to_string(factor - 256) + ">";
      found += ' ';
    }
  };
  append(factors.operands);
  found += "-> ";
  append(factors.results);
  const SizeExpressions *own = sizes.of(first.getResult(0));
  for (const SizeExpression &size : own ? *own : SizeExpressions())
    found += "[" + size.text() + "]";
  return found;
}

TEST(DimensionFactors, OfRows) {
  const std::string n = "{xf.dims = [#xf.dim<name = \"n\", min = 0, max = 64>]}";
  EXPECT_EQ(read("%y = xf.linear %x, %w : (tensor<3x?x8xf32>, tensor<4x8xf32>) -> tensor<3x?x4xf32>",
                 "%x: tensor<3x?x8xf32> " + n + ", %w: tensor<4x8xf32>"),
            "<1><0>k nk -> <1><0>n [3][n][4]");
  // A weight of a norm has the last dimension's factor, which ranks need all of; so do optional operands behind it.
  EXPECT_EQ(read("%y = xf.layer_norm %x bias(%b : tensor<8xf32>) eps 1.0e-05 : tensor<?x8xf32> -> tensor<?x8xf32>",
                 "%x: tensor<?x8xf32> " + n + ", %b: tensor<8xf32>"),
            "<0>_ _ -> <0>_ [n][8]");
  EXPECT_EQ(
      read("%y = xf.split_heads %x heads 2 : (tensor<1x?x8xf32>) -> tensor<1x2x?x4xf32>", "%x: tensor<1x?x8xf32> " + n),
      "bnh -> bhn_ [1][2][n][4]");
  EXPECT_EQ(read("%y = xf.stack_layers %x, %x : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>",
                 "%x: tensor<1x?x8xf32> " + n),
            "bn_ bn_ -> bn_ [1][2 * n][8]");
  EXPECT_EQ(read("%y = xf.pool_layers %x layers 2 kind max : (tensor<1x?x8xf32>) -> tensor<1x?x8xf32>",
                 "%x: tensor<1x?x8xf32> " + n),
            "bn_ -> bn_ [1][n / 2][8]");
  // What is repeated is whole, in leading dimensions and others.
  EXPECT_EQ(read("%y = xf.add %x, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>",
                 "%x: tensor<?x8xf32> " + n + ", %b: tensor<1x8xf32>"),
            "<1><0> _<0> -> <1><0> [n][8]");
  EXPECT_EQ(read("%y = xf.matmul %a transposed, %b : (tensor<5x3x?xf32>, tensor<3x4xf32>) -> tensor<5x?x4xf32>",
                 "%a: tensor<5x3x?xf32> " + n + ", %b: tensor<3x4xf32>"),
            "<0>ki kj -> <0>ij [5][n][4]");
  EXPECT_EQ(read("%y = xf.attention %q, %k, %k pattern(#xf.dense) : (tensor<1x4x?x8xf32>, tensor<1x2x6x8xf32>, "
                 "tensor<1x2x6x8xf32>) -> tensor<1x4x?x8xf32>",
                 "%q: tensor<1x4x?x8xf32> " + n + ", %k: tensor<1x2x6x8xf32>"),
            "bhs_ bhs_ bhs_ -> bhs_ [1][4][n][8]");
}

TEST(DimensionFactors, ByAttributes) {
  const std::string n = "{xf.dims = [#xf.dim<name = \"n\", min = 0, max = 64>]}";
  EXPECT_EQ(
      read("%y = xf.transpose %x permutation [1, 0] : tensor<?x8xf32> to tensor<8x?xf32>", "%x: tensor<?x8xf32> " + n),
      "ab -> ba [8][n]");
  EXPECT_EQ(read("%y = xf.reduce max %x axes [1] : tensor<?x8xf32> -> tensor<?xf32>", "%x: tensor<?x8xf32> " + n),
            "a_ -> a [n]");
  EXPECT_EQ(read("%y = xf.reduce sum %x axes [0] : tensor<?x8xf32> -> tensor<8xf32>", "%x: tensor<?x8xf32> " + n),
            "ab -> b [8]");
  EXPECT_EQ(read("%y = xf.concat %x, %x axis 1 : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>",
                 "%x: tensor<3x?xf32> " + n),
            "a_ a_ -> a_ [3][2 * n]");
  EXPECT_EQ(read("%y = xf.slice_update %s, %x at %p axis 1 : (tensor<?x8xf32>, tensor<?x3xf32>, tensor<i32>) -> "
                 "tensor<?x8xf32>",
                 "%s: tensor<?x8xf32> " + n + ", %x: tensor<?x3xf32> " + n + ", %p: tensor<i32>"),
            "a_ a_  -> a_ [n][8]");
}
