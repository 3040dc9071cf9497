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

/// Listens to the diagnostics of a context from construction to destruction, and remembers whether there was an error.
/// Other handlers still get all diagnostics.
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

/// If a pass of `passes` fails without an error, emits an error that names the pass. Does nothing if the context uses
/// several threads, because errors of functions then arrive too late.
void requireReasons(PassManager &passes);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_FAILUREREASONS_H
