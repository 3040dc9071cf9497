//===- StandardOutput.h - Output with failures detected --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_STANDARDOUTPUT_H
#define XFRT_TOOLS_STANDARDOUTPUT_H

#include <string_view>

namespace xfrt::tools {

/// Makes writes fail, instead of the process, on a closed standard stream or at a limit on file sizes: reserves the
/// descriptors of closed streams, so that no later file takes their place, and ignores SIGXFSZ. Must be called first in
/// main.
void prepareOutput();

/// Flushes and closes standard output. Returns `code` where all writes have succeeded; otherwise reports the failure
/// and returns exitFailure. Must be called last in main.
int finishOutput(std::string_view tool, int code);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_STANDARDOUTPUT_H
