//===- FailureReasons.h - Nothing fails without a message -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_FAILUREREASONS_H
#define XF_COMPILER_PIPELINE_FAILUREREASONS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir {
class PassManager;
}

namespace mlir::xf {

/// Observes the diagnostics of a context, to know whether an error was emitted since its construction.
class FailureReasons {
public:
  explicit FailureReasons(MLIRContext *context)
      : handler(context, [this](Diagnostic &message) {
          isGiven |= message.getSeverity() == DiagnosticSeverity::Error;
          return failure(); // others report it
        }) {}

  /// If no error was emitted, emits one at `loc` which says that `what` failed without a reason.
  void require(Location loc, const Twine &what) {
    if (!isGiven)
      emitError(loc) << "internal error: " << what << " failed and did not say why";
  }

private:
  bool isGiven = false;
  ScopedDiagnosticHandler handler;
};

/// Makes each pass of a pass manager that fails without an error emit one that names the pass.
void requireReasons(PassManager &passes);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_FAILUREREASONS_H
