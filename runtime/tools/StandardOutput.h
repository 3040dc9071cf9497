//===- StandardOutput.h - Output that arrives or is an error ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_STANDARDOUTPUT_H
#define XFRT_TOOLS_STANDARDOUTPUT_H

#include <string_view>

namespace xfrt::tools {

/// Makes a closed standard output and a limit on the size of files errors of the writes that they concern: no file that
/// is opened later takes the place of a closed stream, and no signal ends the process. First in main.
void prepareOutput();

/// `code`, after everything that was printed has arrived; otherwise the failure is reported and exitFailure is
/// returned. Last in main.
int finishOutput(std::string_view tool, int code);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_STANDARDOUTPUT_H
