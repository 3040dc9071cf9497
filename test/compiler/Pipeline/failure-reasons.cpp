//===- failure-reasons.cpp - Test that no pass fails without a message ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/FailureReasons.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct FailingPass : PassWrapper<FailingPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)
  explicit FailingPass(bool says) : says(says) {}
  StringRef getArgument() const override { return "failing"; }
  void runOnOperation() override {
    if (says)
      getOperation().emitError("expected a reason");
    signalPassFailure();
  }
  bool says;
};

/// The errors of a pass manager whose only pass fails.
std::vector<std::string> errorsOf(bool says) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &message) { errors.push_back(message.str()); });
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  PassManager passes(&context);
  requireReasons(passes);
  passes.addPass(std::make_unique<FailingPass>(says));
  EXPECT_TRUE(failed(passes.run(*module)));
  return errors;
}

TEST(FailureReasons, SilentPassIsNamed) {
  EXPECT_EQ(errorsOf(false), std::vector<std::string>{"internal error: the pass 'failing' failed and did not say why"});
}

TEST(FailureReasons, ReasonIsNotRepeated) { EXPECT_EQ(errorsOf(true), std::vector<std::string>{"expected a reason"}); }

TEST(FailureReasons, FailureWithoutPassIsNamed) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &message) { errors.push_back(message.str()); });
  FailureReasons reasons(&context);
  emitRemark(UnknownLoc::get(&context), "is no reason");
  reasons.require(UnknownLoc::get(&context), "the compiler");
  reasons.require(UnknownLoc::get(&context), "whoever called it");
  EXPECT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors.back(), "internal error: the compiler failed and did not say why");
}
} // namespace
