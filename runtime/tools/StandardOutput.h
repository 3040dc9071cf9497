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

/// Prepares the standard streams so that an impossible write fails, instead of ending the process or going to another
/// file. Ignores SIGXFSZ, the signal for a file that exceeds its size limit. Reserves the descriptors of closed
/// streams, so that no file opened later gets one of them. Must be called first in main.
void prepareOutput();

/// Flushes and closes standard output. Returns `code` if all writes have succeeded. If not, reports the failure and
/// returns exitFailure. Must be called last in main.
int finishOutput(std::string_view tool, int code);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_STANDARDOUTPUT_H
