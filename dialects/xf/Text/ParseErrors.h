//===- ParseErrors.h - One message for a mistake in a program ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_TEXT_PARSEERRORS_H
#define XF_DIALECTS_XF_TEXT_PARSEERRORS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::xf {

/// While it lives, what MLIR's generated parsers say is said to users: one error of a line, not what
/// follows from it, and the nearest name where one is unknown. Handlers that were there before print.
class ParseErrors : public ScopedDiagnosticHandler {
public:
  explicit ParseErrors(MLIRContext *context);

private:
  LogicalResult refine(Diagnostic &diagnostic);

  unsigned lastLine = 0; ///< with an error
  std::string text;      ///< of the diagnostic that is being printed
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_PARSEERRORS_H
