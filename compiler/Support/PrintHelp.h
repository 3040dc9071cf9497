//===- PrintHelp.h - Usage of a tool ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_PRINTHELP_H
#define XF_COMPILER_SUPPORT_PRINTHELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace mlir::xf {

/// Flushes standard output. If that fails, prints an error that begins with `tool`. Returns the exit code of the tool.
inline int flushOutput(llvm::StringRef tool) {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  if (!code)
    return EXIT_SUCCESS;
  llvm::outs().clear_error(); // an error that is not checked ends the process
  llvm::errs() << tool << ": error: expected to write standard output: " << code.message() << "\n";
  return EXIT_FAILURE;
}

/// Prints `help`, the help of the tool `tool`, on standard output. Returns the exit code of the tool (see flushOutput).
inline int printHelp(llvm::StringRef tool, llvm::StringRef help) {
  llvm::outs() << help;
  return flushOutput(tool);
}

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_PRINTHELP_H
