//===- ParameterChecks.h - Checks of the parameters of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_PARAMETERCHECKS_H
#define XF_DIALECTS_XF_PATTERNS_PARAMETERCHECKS_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

using EmitError = function_ref<InFlightDiagnostic()>;

/// The largest parameter of a pattern. It is so small that products of two parameters, and the numbers that the solver
/// derives from them, fit into 64 bits.
constexpr int64_t maxParameter = int64_t(1) << 31;

/// Verifies that `value` is in [minimum, maxParameter]. Emits one error that names the parameter if it is not.
LogicalResult verifyAtLeast(EmitError emitError, StringRef name, int64_t value, int64_t minimum);

/// Verifies a pattern nested in another one: it must be a set of pairs, neither kernelised nor low-rank, and valid on
/// its own.
LogicalResult verifySet(EmitError emitError, xf::Pattern pattern);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_PARAMETERCHECKS_H
