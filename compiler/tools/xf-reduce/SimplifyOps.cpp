//===- SimplifyOps.cpp - Simpler ops, one by one --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-reduce/Reducer.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xf;

/// A function that makes an op simpler, and by this changes what the program computes. Returns false, and changes
/// nothing, if the op cannot be simplified in this way.
using Simplification = std::function<bool(RewriterBase &, Operation *)>;

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

/// If the op has one result, appends a simplification for each operand of the result's type. The simplification
/// replaces the result by this operand.
static void addOperands(Operation *op, SmallVectorImpl<Simplification> &ways) {
  if (op->getNumResults() != 1)
    return;
  for (unsigned number = 0; number < op->getNumOperands(); ++number)
    if (op->getOperand(number).getType() == op->getResult(0).getType())
      ways.push_back([number](RewriterBase &rewriter, Operation *op) {
        rewriter.replaceOp(op, op->getOperand(number));
        return true;
      });
}

/// For each attribute of the op that is a pattern, appends simplifications that replace it by a pattern nested in it,
/// or by the pattern of all pairs.
static void addPatterns(Operation *op, SmallVectorImpl<Simplification> &ways) {
  for (NamedAttribute named : op->getAttrDictionary()) {
    auto pattern = dyn_cast<xf::Pattern>(named.getValue());
    if (!pattern)
      continue;
    llvm::SetVector<Attribute> simpler;
    pattern.walk([&](xf::Pattern part) { simpler.insert(part); });
    simpler.insert(DensePatternAttr::get(op->getContext()));
    for (Attribute part : simpler)
      if (part != pattern && part != named.getValue())
        ways.push_back([name = named.getName(), part](RewriterBase &rewriter, Operation *op) {
          rewriter.modifyOpInPlace(op, [&] { op->setAttr(name, part); });
          return true;
        });
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Returns a simplification that removes a clause of attention. `drop` removes it, and returns whether the op had it.
static Simplification withoutClause(bool (*drop)(AttentionOp)) {
  return [drop](RewriterBase &rewriter, Operation *op) {
    bool isChanged = false;
    rewriter.modifyOpInPlace(op, [&] { isChanged = drop(cast<AttentionOp>(op)); });
    return isChanged;
  };
}

static bool clear(MutableOperandRange operands) {
  bool isThere = operands.size() != 0;
  if (isThere)
    operands.clear();
  return isThere;
}

static bool dropDropout(AttentionOp op) {
  op.removeDropoutAttr();
  return clear(op.getSeedMutable());
}

static bool dropScore(AttentionOp op) {
  bool isThere = !op.getScore().empty();
  op.getScore().dropAllReferences();
  op.getScore().getBlocks().clear();
  return clear(op.getCapturesMutable()) || isThere;
}

static void addClauses(AttentionOp op, SmallVectorImpl<Simplification> &ways) {
  if (op.getLse() && op.getLse().use_empty())
    ways.push_back([](RewriterBase &rewriter, Operation *op) {
      auto attention = cast<AttentionOp>(op);
      OperationState state(op->getLoc(), op->getName(), op->getOperands(), TypeRange(op->getResultTypes()).drop_back(),
                           op->getAttrDictionary().getValue());
      for (Region &region : op->getRegions())
        state.addRegion()->takeBody(region);
      Operation *shorter = rewriter.create(state);
      rewriter.replaceAllUsesWith(attention.getO(), shorter->getResult(0));
      rewriter.eraseOp(op);
      return true;
    });
  bool (*drops[])(AttentionOp) = {
      dropScore,
      dropDropout,
      [](AttentionOp op) { return clear(op.getLengthsMutable()); },
      [](AttentionOp op) { return clear(op.getQueryLengthsMutable()); },
      [](AttentionOp op) { return clear(op.getDecayMutable()); },
      [](AttentionOp op) { return clear(op.getBetaMutable()); },
      [](AttentionOp op) { return clear(op.getRelativeMutable()); },
      [](AttentionOp op) { return op.removeScaleAttr() != nullptr; },
      [](AttentionOp op) { return op.removeExactWeightsAttr() != nullptr; },
  };
  for (auto *drop : drops)
    ways.push_back(withoutClause(drop));
}

/// Returns the simplifications that may apply to an op, the most promising ones first.
static SmallVector<Simplification> simplificationsOf(Operation *op) {
  SmallVector<Simplification> ways;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return ways;
  addOperands(op, ways);
  addPatterns(op, ways);
  if (auto attention = dyn_cast<AttentionOp>(op))
    addClauses(attention, ways);
  return ways;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Returns the ops in the bodies of functions, including those in their regions.
static SmallVector<Operation *> opsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  return ops;
}

bool xf::simplifyOps(Reducer &reducer) {
  bool isChanged = false;
  for (size_t number = opsOf(reducer.program()).size(); number-- > 0;) { // users first: fewer ops are left to test
    SmallVector<Operation *> ops = opsOf(reducer.program());
    if (number >= ops.size())
      continue;
    OperationName name = ops[number]->getName();
    for (const Simplification &way : simplificationsOf(ops[number]))
      isChanged |= reducer.attempt([&](ModuleOp module) {
        SmallVector<Operation *> candidates = opsOf(module);
        if (number >= candidates.size() || candidates[number]->getName() != name)
          return false;
        IRRewriter rewriter(candidates[number]);
        return way(rewriter, candidates[number]);
      });
  }
  return isChanged;
}
