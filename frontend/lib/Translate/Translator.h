//===- Translator.h - Builds xf operations from nodes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_TRANSLATOR_H
#define XF_FRONTEND_TRANSLATE_TRANSLATOR_H

#include "../Graph/ProgramData.h"
#include "dialects/xf/IR/XfSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fe = ::xf;
namespace graph = ::xf::detail;
namespace ir = ::mlir::xf;

/// Returns the pattern as an attribute of the xf dialect.
ir::Pattern translatePattern(mlir::MLIRContext *context, const graph::PatternNode &pattern);

/// Builds the operations of a score function at the builder's insertion point and returns the modified score s'.
/// `arguments` are s, b, h, i, j, then the values of `captures`, in that order.
mlir::Value buildScore(mlir::OpBuilder &builder, const graph::Expression &score, mlir::ValueRange arguments,
                       llvm::ArrayRef<fe::Tensor> captures);

mlir::Location translateLocation(mlir::MLIRContext *context, fe::Here here);

class Translator {
public:
  Translator(mlir::ModuleOp module, graph::Scopes &scopes);

  void addEntry(const graph::ResolvedEntry &entry);

private:
  /// Identifies a result of a node.
  using Key = std::pair<const graph::Node *, unsigned>;
  using Values = llvm::DenseMap<Key, mlir::Value>;
  using Results = llvm::SmallVector<mlir::Value, 1>;

  static Key keyOf(const fe::Tensor &tensor) { return {tensor.node().get(), tensor.result()}; }

  /// Emits the nodes of `scope`, and adds their results to `values`. On entry, `values` holds the values of the scope's
  /// captures.
  void emitScope(const graph::Scope &scope, Values &values);
  Results emitNode(const graph::Node &node, Values &values);
  mlir::Value emitSimple(const graph::Node &node, mlir::ValueRange operands);
  mlir::Value emitConstant(const graph::Node &node);
  mlir::Value emitLayer(const graph::Node &node, mlir::ValueRange operands);
  mlir::Value emitShape(const graph::Node &node, mlir::ValueRange operands);
  Results emitTraining(const graph::Node &node, mlir::ValueRange operands);
  Results emitAttention(const graph::Node &node, Values &values);
  void emitFeature(const graph::Node &node, mlir::Region &region, mlir::ValueRange captures);
  Results emitCheckpoint(const graph::Node &node, Values &values);
  Results emitDerivative(const graph::Node &node, Values &values);

  mlir::RankedTensorType typeOf(const graph::Type &type);
  mlir::RankedTensorType typeOf(const fe::Tensor &tensor);
  mlir::Type elementType(fe::Dtype dtype);
  mlir::Location locationOf(const graph::Node &node) { return translateLocation(builder.getContext(), node.here); }
  mlir::ArrayAttr dimsOf(const fe::Tensor &tensor);
  mlir::ArrayAttr sizesOf(const fe::Shape &shape);
  mlir::DictionaryAttr argumentAttributes(const graph::EntryArgument &argument);
  mlir::DictionaryAttr resultAttributes(const graph::EntryResult &result);

  mlir::OpBuilder builder;
  mlir::ModuleOp module;
  graph::Scopes &scopes;
  /// Name of the entry that is being emitted, and the number of functions to differentiate that have been emitted for
  /// it.
  std::string entryName;
  unsigned functionCount = 0;
};

#endif // XF_FRONTEND_TRANSLATE_TRANSLATOR_H
