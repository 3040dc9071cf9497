//===- PerfMap.h - Names of code in memory, for perf -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_PERFMAP_H
#define XF_FRONTEND_TRANSLATE_PERFMAP_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace xf::detail {

/// If the environment variable XF_PERF_MAP is set and not empty, appends the functions that `jit` links from now on to
/// /tmp/perf-PID.map. There perf looks for the names of code that is in no file. Linking fails if the file cannot be
/// written.
void writePerfMap(llvm::orc::LLJIT &jit);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_PERFMAP_H
