//===- FailureReasons.cpp - Nothing fails without a message ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/FailureReasons.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct PassReasons : PassInstrumentation {
  explicit PassReasons(MLIRContext *context) : reasons(context) {}

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    reasons.require(op->getLoc(), "the pass '" + pass->getArgument() + "'");
  }

  FailureReasons reasons;
};
} // namespace

void xf::requireReasons(PassManager &passes) {
  if (!passes.getContext()->isMultithreadingEnabled()) // else errors of functions arrive after all have run
    passes.addInstrumentation(std::make_unique<PassReasons>(passes.getContext()));
}
