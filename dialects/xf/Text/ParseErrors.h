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

/// During its lifetime, rewrites the errors of MLIR's generated parsers for users. Reports one error for each line and
/// drops the errors that follow from it. Suggests the nearest name for an unknown one. The diagnostic handlers
/// registered before print the result.
class ParseErrors : public ScopedDiagnosticHandler {
public:
  explicit ParseErrors(MLIRContext *context);

private:
  LogicalResult refine(Diagnostic &diagnostic);

  unsigned lastLine = 0; ///< the last line with an error
  std::string text;      ///< the text of the diagnostic that is being printed
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_PARSEERRORS_H
